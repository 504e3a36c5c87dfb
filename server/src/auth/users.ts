// Queries on user accounts.
import { and, eq, sql } from 'drizzle-orm';
import type { Db, Query } from '@parley/db/client';
import { metadata } from '@parley/db/tables/metadata';
import { users } from '@parley/db/tables/users';
import type { User } from '@parley/schema/accounts/users';
import { refuse } from '../platform/errors.ts';
import { isoTime } from '../platform/iso-time.ts';
import { avatarAddress } from './avatar-choice.ts';

export type UserRow = typeof users.$inferSelect;

export type NewUser = Pick<UserRow, 'email' | 'name'> &
  Partial<
    Pick<
      UserRow,
      | 'id'
      | 'username'
      | 'passwordHash'
      | 'provider'
      | 'emailVerified'
      | 'avatar'
      | 'role'
      | 'plugins'
      | 'createdAt'
      | 'state'
      | 'mustAddFactor'
    >
  >;

/** E-mail addresses are case-insensitive. */
export async function findUserByEmail(db: Db, email: string): Promise<UserRow | undefined> {
  const [user] = await db.query
    .select()
    .from(users)
    .where(eq(sql`lower(${users.email})`, email.toLowerCase()));
  return user;
}

export async function findUser(db: Pick<Db, 'query'>, id: string): Promise<UserRow | undefined> {
  const [user] = await db.query.select().from(users).where(eq(users.id, id));
  return user;
}

/** @throws Refusal `not_found` */
export async function assertUser(db: Pick<Db, 'query'>, id: string): Promise<UserRow> {
  return (await findUser(db, id)) ?? refuse({ type: 'not_found', what: 'user' });
}

/**
 * Undefined when the e-mail is taken. The first account becomes ADMIN, whatever its state was to be, unless its role is given. Of simultaneous inserts only the first to record
 * that fact does, since the others wait for its commit.
 */
export function createUser(db: Pick<Db, 'query'>, values: NewUser): Promise<UserRow | undefined> {
  return db.query.transaction(async (tx) => {
    const [user] = await tx.insert(users).values(values).onConflictDoNothing().returning();
    if (!user) return undefined;
    const first = await tx
      .insert(metadata)
      .values({ name: 'first_user', value: user.id })
      .onConflictDoNothing()
      .returning();
    if (first.length === 0 || values.role !== undefined) return user;
    const [admin] = await tx
      .update(users)
      .set({ role: 'ADMIN', state: 'active' })
      .where(eq(users.id, user.id))
      .returning();
    return admin;
  });
}

/** Null also for an unknown user. */
export async function findPasswordHash(query: Query, id: string): Promise<string | null> {
  const [user] = await query.select({ passwordHash: users.passwordHash }).from(users).where(eq(users.id, id));
  return user?.passwordHash ?? null;
}

/** Replaces the hash of an unchanged password; no effect if the hash has changed meanwhile. */
export async function renewPasswordHash(db: Db, id: string, before: string, passwordHash: string): Promise<void> {
  await db.query
    .update(users)
    .set({ passwordHash, updatedAt: sql`now()` })
    .where(and(eq(users.id, id), eq(users.passwordHash, before)));
}

/** @throws Refusal `banned`, `account_disabled`, `account_waiting`, `email_unconfirmed` */
export function assertMayEnter(user: Pick<UserRow, 'state' | 'bannedUntil'>, now: Date = new Date()): void {
  if (user.state === 'disabled') refuse({ type: 'account_disabled' });
  if (user.state === 'waiting') refuse({ type: 'account_waiting' });
  if (user.state === 'unconfirmed') refuse({ type: 'email_unconfirmed' });
  if (isBanned(user.bannedUntil, now)) refuse({ type: 'banned', until: isoTime(user.bannedUntil) });
}

export function isBanned(until: string | null, now: Date): until is string {
  return until !== null && new Date(until) > now;
}

/** The public form of a user row, without the password hash. */
export function presentUser(row: UserRow): User {
  const { id, provider, email, name, username, role, emailVerified, plugins, createdAt, updatedAt } = row;
  return {
    id,
    provider,
    email,
    name,
    username,
    avatar: avatarAddress(row),
    role,
    emailVerified,
    plugins,
    createdAt: isoTime(createdAt),
    updatedAt: isoTime(updatedAt),
  };
}
