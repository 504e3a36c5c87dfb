// Sessions and their refresh tokens. The only module that imports lucia.
//
// A session is a family of tokens. Each token is used once, for its successor; later reuse means that somebody else
// holds it, and ends the session. Only hashes of tokens are stored.
import { hash, randomBytes, randomUUID } from 'node:crypto';
import { DrizzlePostgreSQLAdapter } from '@lucia-auth/adapter-drizzle';
import { and, eq, gt, inArray, isNull, lte, ne, not, notExists, or, sql } from 'drizzle-orm';
import { Lucia, TimeSpan } from 'lucia';
import type { Db, Query, Tx } from '@parley/db/client';
import { sessions, users } from '@parley/db/tables/users';
import { hasAccess, lacksFactor, type FactorPolicy } from '@parley/db/user-rows';
import { cleanText } from '@parley/schema/clean-text';
import { isoTime } from '../../platform/iso-time.ts';
import { stopUserRuns } from './stop-runs.ts';

/** A new token, known only to its holder; `sid` names the session and stays the same across rotations. */
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

/** Grace period in which several tabs, or a browser that lost the response, may reuse a rotated token. */
export const REUSE_GRACE_MS = 10_000;
/** Characters that are kept of a User-Agent header. */
const USER_AGENT_MAX = 300;
/** How long a proof of who asks counts for sensitive changes. */
export const ELEVATED_MS = 10 * 60 * 1000;
/** Absolute lifetime of a session: the user must sign in again after 30 days. */
export const ABSOLUTE_LIFE_MS = 30 * 24 * 60 * 60 * 1000;

/** Creates a session that expires after `idleMs` without use. */
export function createSession(db: Db, idleMs: number, userId: string, now: Date = new Date()): Promise<IssuedSession> {
  return issue(db.query, idleMs, newFamily(userId, now), now);
}

/**
 * Creates a session if `assertAllowed` passes; it runs while the user's sessions are locked, so nothing can end them in
 * between. Unless `isElevated`, sensitive changes ask for a proof at once.
 */
export function createSessionIf(
  db: Db,
  idleMs: number,
  userId: string,
  assertAllowed: (tx: Tx) => Promise<void>,
  isElevated = true,
): Promise<IssuedSession> {
  return db.query.transaction(async (tx) => {
    await lockSessionsOf(tx, userId);
    await assertAllowed(tx);
    const now = new Date();
    const family = newFamily(userId, now);
    return issue(tx, idleMs, isElevated ? family : { ...family, elevatedUntil: null, elevatedBy: null }, now);
  });
}

/**
 * Rotates a token. Simultaneous calls with the same token each get their own successor. `unknown` covers expired, ended
 * and forged tokens; `reused` has ended the session; `banned` is a session that a ban ended, while the ban lasts.
 * Uses the database's clock unless `now` is given: clocks of two servers may differ by more than the grace period.
 */
export async function rotateSession(db: Db, idleMs: number, token: string, now?: Date): Promise<Rotation> {
  const id = hash('sha256', token);
  const owner = await findOwner(db.query, id);
  if (!owner) return { outcome: 'unknown' };
  if (owner.endedByBan) return { outcome: 'banned', until: isoTime(owner.endedByBan) };
  return db.query.transaction(async (tx) => {
    await lockSessionsOf(tx, owner.userId);
    return rotateLocked(tx, idleMs, id, now ?? (await databaseClock(tx)));
  });
}

/** Keeps what the browser that got a token calls itself, for the list of devices. */
export async function rememberUserAgent({ query }: Db, issued: IssuedSession, userAgent: string | null): Promise<void> {
  if (!userAgent) return;
  await query
    .update(sessions)
    .set({ userAgent: cleanText(userAgent.slice(0, USER_AGENT_MAX)) })
    .where(eq(sessions.id, hash('sha256', issued.token)));
}

/** Ends the session of a token and returns it; undefined when there is none. */
export async function revokeSession(db: Db, token: string): Promise<{ userId: string; sid: string } | undefined> {
  const owner = await findOwner(db.query, hash('sha256', token));
  if (!owner) return undefined;
  const { userId, sid } = owner;
  await revokeSessionFamily(db, userId, sid);
  return { userId, sid };
}

export async function revokeSessionFamily(db: Db, userId: string, sid: string): Promise<void> {
  await db.query.transaction(async (tx) => {
    await lockSessionsOf(tx, userId);
    await removeFamily(tx, userId, sid);
    await notifyEnded(tx, userId);
  });
}

/** Ends all sessions of a user, and the answers that run. */
export async function revokeAllSessions(db: Db, userId: string): Promise<void> {
  await db.query.transaction(async (tx) => {
    await revokeSessions(tx, userId);
    await stopUserRuns(tx, userId);
  });
}

/**
 * Ends all sessions except `kept`, in the caller's transaction. After the commit every process is notified
 * (`sessions-ended:` and the user's id).
 */
export async function revokeSessions(tx: Tx, userId: string, kept?: string): Promise<void> {
  await lockSessionsOf(tx, userId);
  const others = kept === undefined ? undefined : ne(sessions.family, kept);
  await tx.delete(sessions).where(and(eq(sessions.userId, userId), others));
  await notifyEnded(tx, userId);
}

/**
 * Bans a user for as long, and ends all sessions and the answers that run. The rows of the sessions stay, grant no
 * access, and tell that a ban ended them.
 */
export async function banUser(db: Db, userId: string, durationMs: number): Promise<void> {
  const bannedUntil = sql`now() + make_interval(secs => ${durationMs / 1000})`;
  await db.query.transaction(async (tx) => {
    await lockSessionsOf(tx, userId);
    await tx.update(users).set({ bannedUntil }).where(eq(users.id, userId));
    await tx
      .update(sessions)
      .set({ expiresAt: sql`now()` })
      .where(eq(sessions.userId, userId));
    await stopUserRuns(tx, userId);
    await notifyEnded(tx, userId);
  });
}

/** After the commit, every process re-checks the sessions of this user. */
async function notifyEnded(tx: Query, userId: string): Promise<void> {
  await tx.execute(sql`select pg_notify('parley', ${`sessions-ended:${userId}`}::text)`);
}

/** Undefined when the session has ended or expired. */
export async function findSession(
  db: Db,
  policy: FactorPolicy,
  userId: string,
  sid: string,
  now: Date = new Date(),
): Promise<(Pick<typeof users.$inferSelect, 'bannedUntil' | 'state'> & { lacksFactor: boolean }) | undefined> {
  const [row] = await db.query
    .select({ bannedUntil: users.bannedUntil, state: users.state, lacksFactor: lacksFactor(policy) })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(and(eq(sessions.family, sid), eq(sessions.userId, userId), gt(sessions.expiresAt, now)))
    .limit(1);
  return row;
}

/**
 * The live session of a refresh token, which stays valid for its rotation. A token that was rotated counts for as long
 * as its browser may still send it with requests that began before.
 */
export async function findSessionOfToken(
  db: Db,
  policy: FactorPolicy,
  token: string,
  now: Date = new Date(),
): Promise<{ userId: string; sid: string } | undefined> {
  const [row] = await db.query
    .select({ userId: sessions.userId, sid: sessions.family })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(
      and(
        eq(sessions.id, hash('sha256', token)),
        gt(sessions.expiresAt, now),
        or(isNull(sessions.rotatedAt), gt(sessions.rotatedAt, new Date(now.getTime() - REUSE_GRACE_MS))),
        hasAccess,
        not(lacksFactor(policy)),
      ),
    );
  return row;
}

/** The sessions that are live, and not limited. */
export async function findLiveSignIns(
  db: Db,
  policy: FactorPolicy,
  sids: string[],
  now: Date = new Date(),
): Promise<string[]> {
  if (sids.length === 0) return [];
  const rows = await db.query
    .selectDistinct({ sid: sessions.family })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(and(inArray(sessions.family, sids), gt(sessions.expiresAt, now), hasAccess, not(lacksFactor(policy))));
  return rows.map(({ sid }) => sid);
}

/** Removes expired tokens; those of banned users when the ban is over. */
export async function sweepExpired({ query }: Db): Promise<void> {
  // Of each expired session its person is looked up: few expire at a time, and people are many.
  const banned = query
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.id, sessions.userId), gt(users.bannedUntil, sql`now()`)));
  await query.delete(sessions).where(and(lte(sessions.expiresAt, sql`now()`), notExists(banned)));
}

async function rotateLocked(tx: Query, idleMs: number, id: string, now: Date): Promise<Rotation> {
  // A lifetime of 0 keeps lucia from extending the token itself: only a rotation does.
  const { session } = await luciaOn(tx, 0).validateSession(id);
  if (!session || endOf(session, session.expiresAt.getTime(), idleMs) <= now.getTime()) return { outcome: 'unknown' };
  const { userId, family, rotatedAt } = session;
  if (rotatedAt && now.getTime() - rotatedAt.getTime() > REUSE_GRACE_MS) {
    await removeFamily(tx, userId, family);
    await notifyEnded(tx, userId);
    return { outcome: 'reused', userId, sid: family };
  }
  if (!rotatedAt) await tx.update(sessions).set({ rotatedAt: now }).where(eq(sessions.id, id));
  return { outcome: 'rotated', ...(await issue(tx, idleMs, session, now)) };
}

type Family = Omit<Attributes, 'rotatedAt'> & { userId: string };

/** Anyone who has just signed in has proven who they are. */
function newFamily(userId: string, now: Date): Family {
  const elevatedUntil = new Date(now.getTime() + ELEVATED_MS);
  return { userId, family: randomUUID(), startedAt: now, elevatedUntil, elevatedBy: 'sign_in' };
}

async function issue(query: Query, idleMs: number, of: Family, now: Date): Promise<IssuedSession> {
  const { userId, family, startedAt, elevatedUntil, elevatedBy } = of;
  const token = randomBytes(32).toString('base64url');
  const expiresAt = new Date(endOf(of, now.getTime() + idleMs, idleMs));
  const lucia = luciaOn(query, expiresAt.getTime() - Date.now());
  const attributes = { family, startedAt, rotatedAt: null, elevatedUntil, elevatedBy };
  await lucia.createSession(userId, attributes, { sessionId: hash('sha256', token) });
  return { token, userId, sid: family, expiresAt };
}

/** `at`, or the absolute end of the session if earlier. A longer idle time is the operator's choice. */
function endOf(of: Pick<Family, 'startedAt'>, at: number, idleMs: number): number {
  return Math.min(at, of.startedAt.getTime() + Math.max(ABSOLUTE_LIFE_MS, idleMs));
}

interface Owner {
  userId: string;
  sid: string;
  /** The end of the ban that ended the session. */
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

/** Holds the lock until the transaction ends. Without it a concurrent rotation could outlive the end of its session. */
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

type Attributes = Pick<
  typeof sessions.$inferSelect,
  'family' | 'startedAt' | 'rotatedAt' | 'elevatedUntil' | 'elevatedBy'
>;

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
