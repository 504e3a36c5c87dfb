// Sign-ins and their refresh tokens. The one importer of lucia: nothing else depends on how sessions are kept.
//
// A sign-in is a family of tokens. Each token is used once, for a successor; using it again later means that somebody
// else holds it, and ends the family. Only hashes of tokens are stored.
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { DrizzlePostgreSQLAdapter } from '@lucia-auth/adapter-drizzle';
import { and, eq, gt, lte, ne, notInArray, sql } from 'drizzle-orm';
import { Lucia, TimeSpan } from 'lucia';
import type { Db, Query, Tx } from '@parley/db/client';
import { sessions, users } from '@parley/db/tables/users';

/** A token just made. It is known to its holder only; `sid` names the sign-in and stays the same. */
export interface IssuedSession {
  token: string;
  userId: string;
  sid: string;
  expiresAt: Date;
}

export type Rotation =
  | ({ outcome: 'rotated' } & IssuedSession)
  | { outcome: 'unknown' }
  | { outcome: 'banned'; until: string }
  | { outcome: 'reused'; userId: string; sid: string };

/** Several tabs, or a browser that lost the answer, may present a token again for this long after its rotation. */
export const REUSE_GRACE_MS = 10_000;
/** However busy a sign-in is, its password is asked again after 30 days. */
export const ABSOLUTE_LIFE_MS = 30 * 24 * 60 * 60 * 1000;

/** A new sign-in, which lives until it was not used for `idleMs`. */
export function createSession(db: Db, idleMs: number, userId: string, now: Date = new Date()): Promise<IssuedSession> {
  return issue(db.query, idleMs, { userId, family: randomUUID(), startedAt: now }, now);
}

/**
 * The same where something that let the user in may end meanwhile: `assertAllowed` looks again, while nobody else can
 * end sign-ins of this user.
 */
export function createSessionIf(
  db: Db,
  idleMs: number,
  userId: string,
  assertAllowed: (tx: Tx) => Promise<void>,
): Promise<IssuedSession> {
  return db.query.transaction(async (tx) => {
    await lockSessionsOf(tx, userId);
    await assertAllowed(tx);
    return issue(tx, idleMs, { userId, family: randomUUID(), startedAt: new Date() }, new Date());
  });
}

/**
 * Replaces a token by its successor. Simultaneous calls with one token each get a successor of their own.
 * `unknown` covers expired, ended and made-up tokens; `reused` has ended the sign-in, and `banned` is one that a ban has
 * ended, as long as that lasts.
 * The database's clock decides unless `now` is given: two servers' clocks may differ by more than the grace.
 */
export async function rotateSession(db: Db, idleMs: number, token: string, now?: Date): Promise<Rotation> {
  const id = idOf(token);
  const owner = await findOwner(db.query, id);
  if (!owner) return { outcome: 'unknown' };
  if (owner.endedByBan) return { outcome: 'banned', until: new Date(owner.endedByBan).toISOString() };
  return db.query.transaction(async (tx) => {
    await lockSessionsOf(tx, owner.userId);
    return rotateLocked(tx, idleMs, id, now ?? (await databaseClock(tx)));
  });
}

/** Ends the sign-in that a token belongs to and returns it; undefined when there is none. */
export async function endSession(db: Db, token: string): Promise<{ userId: string; sid: string } | undefined> {
  const owner = await findOwner(db.query, idOf(token));
  if (!owner) return undefined;
  const { userId, sid } = owner;
  await endFamily(db, userId, sid);
  return { userId, sid };
}

export async function endFamily(db: Db, userId: string, sid: string): Promise<void> {
  await db.query.transaction(async (tx) => {
    await lockSessionsOf(tx, userId);
    await removeFamily(tx, userId, sid);
  });
}

/** Signs a user out everywhere. */
export async function endAllSessions(db: Db, userId: string): Promise<void> {
  await db.query.transaction((tx) => endSessions(tx, userId));
}

/**
 * The same together with what makes it necessary, except for the sign-in `kept`. When it is done, all processes are told
 * (`sign-ins:` and the user's id).
 */
export async function endSessions(tx: Tx, userId: string, kept?: string): Promise<void> {
  await lockSessionsOf(tx, userId);
  const others = kept === undefined ? undefined : ne(sessions.family, kept);
  await tx.delete(sessions).where(and(eq(sessions.userId, userId), others));
  await tx.execute(sql`select pg_notify('parley', ${`sign-ins:${userId}`}::text)`);
}

/** The same for who is banned: what is left of the sign-ins gives no access, and tells whose ban it is that ended them. */
export async function endAllSessionsByBan(db: Db, userId: string): Promise<void> {
  await db.query.transaction(async (tx) => {
    await lockSessionsOf(tx, userId);
    await tx
      .update(sessions)
      .set({ expiresAt: sql`now()` })
      .where(eq(sessions.userId, userId));
  });
}

/** Undefined when the sign-in has ended or run out. */
export async function findSignIn(
  db: Db,
  userId: string,
  sid: string,
  now: Date = new Date(),
): Promise<{ bannedUntil: string | null } | undefined> {
  const [row] = await db.query
    .select({ bannedUntil: users.bannedUntil })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(and(eq(sessions.family, sid), eq(sessions.userId, userId), gt(sessions.expiresAt, now)))
    .limit(1);
  return row;
}

/** Removes the tokens that have run out, those of banned users when the ban is over. */
export async function sweepExpired({ query }: Db): Promise<void> {
  const banned = query
    .select({ id: users.id })
    .from(users)
    .where(gt(users.bannedUntil, sql`now()`));
  await query.delete(sessions).where(and(lte(sessions.expiresAt, sql`now()`), notInArray(sessions.userId, banned)));
}

async function rotateLocked(tx: Query, idleMs: number, id: string, now: Date): Promise<Rotation> {
  // A lifetime of 0 keeps lucia from prolonging the token by itself: only a rotation does.
  const { session } = await luciaOn(tx, 0).validateSession(id);
  if (!session || endOf(session, session.expiresAt.getTime(), idleMs) <= now.getTime()) return { outcome: 'unknown' };
  const { userId, family, rotatedAt } = session;
  if (rotatedAt && now.getTime() - rotatedAt.getTime() > REUSE_GRACE_MS) {
    await removeFamily(tx, userId, family);
    return { outcome: 'reused', userId, sid: family };
  }
  if (!rotatedAt) await tx.update(sessions).set({ rotatedAt: now }).where(eq(sessions.id, id));
  return { outcome: 'rotated', ...(await issue(tx, idleMs, session, now)) };
}

interface Family {
  userId: string;
  family: string;
  startedAt: Date;
}

async function issue(query: Query, idleMs: number, of: Family, now: Date): Promise<IssuedSession> {
  const { userId, family, startedAt } = of;
  const token = randomBytes(32).toString('base64url');
  const expiresAt = new Date(endOf(of, now.getTime() + idleMs, idleMs));
  const lucia = luciaOn(query, expiresAt.getTime() - Date.now());
  const attributes = { family, startedAt, rotatedAt: null };
  await lucia.createSession(userId, attributes, { sessionId: idOf(token) });
  return { token, userId, sid: family, expiresAt };
}

/** `at`, or the absolute end of the family where that is earlier. An idle time beyond it is the operator's wish. */
function endOf(of: Family, at: number, idleMs: number): number {
  return Math.min(at, of.startedAt.getTime() + Math.max(ABSOLUTE_LIFE_MS, idleMs));
}

interface Owner {
  userId: string;
  sid: string;
  /** The end of a ban that has ended the sign-in. */
  endedByBan: string | null;
}

async function findOwner(query: Query, id: string): Promise<Owner | undefined> {
  const isEndedByBan = sql`${sessions.expiresAt} <= now() and ${users.bannedUntil} > now()`;
  const endedByBan = sql<string | null>`case when ${isEndedByBan} then ${users.bannedUntil} end`;
  const [owner] = await query
    .select({ userId: sessions.userId, sid: sessions.family, endedByBan })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(eq(sessions.id, id));
  return owner;
}

/** Until the transaction ends. Without it a rotation under way could outlive the end of its family. */
async function lockSessionsOf(tx: Query, userId: string): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended('sessions ' || ${userId}, 0))`);
}

async function databaseClock(tx: Query): Promise<Date> {
  const [row] = await tx.execute<{ ms: string }>(sql`select extract(epoch from clock_timestamp()) * 1000 as ms`);
  return new Date(Number(row?.ms));
}

async function removeFamily(tx: Query, userId: string, family: string): Promise<void> {
  await tx.delete(sessions).where(and(eq(sessions.userId, userId), eq(sessions.family, family)));
}

function idOf(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

type Attributes = Pick<typeof sessions.$inferSelect, 'family' | 'startedAt' | 'rotatedAt'>;

declare module 'lucia' {
  interface Register {
    Lucia: ReturnType<typeof luciaOn>;
    DatabaseSessionAttributes: Attributes;
  }
}

function luciaOn(query: Query, lifetimeMs: number) {
  return new Lucia(new DrizzlePostgreSQLAdapter(query, sessions, users), {
    sessionExpiresIn: new TimeSpan(lifetimeMs, 'ms'),
    getSessionAttributes: (attributes: Attributes) => attributes,
  });
}
