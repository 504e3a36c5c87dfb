// The people who have an account.
import { and, eq, sql } from 'drizzle-orm';
import type { Db, Query } from '@parley/db/client';
import { facts } from '@parley/db/tables/facts';
import { users } from '@parley/db/tables/users';
import type { User } from '@parley/schema/users';
import { refuse } from '../errors.ts';

export type UserRow = typeof users.$inferSelect;

type NewUser = Pick<UserRow, 'email' | 'name'> &
  Partial<Pick<UserRow, 'username' | 'passwordHash' | 'provider' | 'emailVerified' | 'avatar'>>;

/** E-mail addresses are the same in any case. */
export async function findUserByEmail(db: Db, email: string): Promise<UserRow | undefined> {
  const [user] = await db.query
    .select()
    .from(users)
    .where(eq(sql`lower(${users.email})`, email.toLowerCase()));
  return user;
}

export async function findUser(db: Db, id: string): Promise<UserRow | undefined> {
  const [user] = await db.query.select().from(users).where(eq(users.id, id));
  return user;
}

/** @throws Refusal `not_found` */
export async function assertUser(db: Db, id: string): Promise<UserRow> {
  return (await findUser(db, id)) ?? refuse({ type: 'not_found', what: 'user' });
}

/**
 * Undefined when the e-mail is taken. The first account ever is the ADMIN: of simultaneous ones, whoever gets the
 * fact in first, since the others wait for that insert to be committed.
 */
export function createUser(db: Db, values: NewUser): Promise<UserRow | undefined> {
  return db.query.transaction(async (tx) => {
    const [user] = await tx.insert(users).values(values).onConflictDoNothing().returning();
    if (!user) return undefined;
    const first = await tx
      .insert(facts)
      .values({ name: 'first_user', value: user.id })
      .onConflictDoNothing()
      .returning();
    if (first.length === 0) return user;
    const [admin] = await tx.update(users).set({ role: 'ADMIN' }).where(eq(users.id, user.id)).returning();
    return admin;
  });
}

/** Null for an unknown user, too. */
export async function findPasswordHash(query: Query, id: string): Promise<string | null> {
  const [user] = await query.select({ passwordHash: users.passwordHash }).from(users).where(eq(users.id, id));
  return user?.passwordHash ?? null;
}

/** The same password by another hash; nothing changes when it is not the one it was. */
export async function renewPasswordHash(db: Db, id: string, before: string, passwordHash: string): Promise<void> {
  await db.query
    .update(users)
    .set({ passwordHash, updatedAt: sql`now()` })
    .where(and(eq(users.id, id), eq(users.passwordHash, before)));
}

/** @throws Refusal `banned` */
export function assertNotBanned(user: UserRow, now: Date = new Date()): void {
  if (isBanned(user.bannedUntil, now)) refuse({ type: 'banned', until: isoOf(user.bannedUntil) });
}

export function isBanned(until: string | null, now: Date): until is string {
  return until !== null && new Date(until) > now;
}

/** A row as the wire shows it; the hash stays here. */
export function presentUser(row: UserRow): User {
  const { id, provider, email, name, username, avatar, role, emailVerified, plugins, createdAt, updatedAt } = row;
  return {
    id,
    provider,
    email,
    name,
    username,
    avatar,
    role,
    emailVerified,
    plugins,
    createdAt: isoOf(createdAt),
    updatedAt: isoOf(updatedAt),
  };
}

function isoOf(timestamp: string): string {
  return new Date(timestamp).toISOString();
}
