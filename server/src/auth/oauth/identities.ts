// Links between users and their identities at OAuth providers.
import { and, eq, getTableColumns, inArray } from 'drizzle-orm';
import type { Db, Query } from '@parley/db/client';
import { identities, users } from '@parley/db/tables/users';
import type { UserRow } from '../users.ts';

/** A subject is unique only within its provider. */
export type Identity = Pick<typeof identities.$inferSelect, 'provider' | 'subject'>;

export async function findUserByIdentity({ query }: Db, { provider, subject }: Identity): Promise<UserRow | undefined> {
  const [user] = await query
    .select(getTableColumns(users))
    .from(identities)
    .innerJoin(users, eq(users.id, identities.userId))
    .where(and(eq(identities.provider, provider), eq(identities.subject, subject)));
  return user;
}

export async function addIdentity({ query }: Db, identity: Identity, userId: string): Promise<void> {
  await query.insert(identities).values({ ...identity, userId });
}

export async function removeIdentities({ query }: Db, userId: string): Promise<void> {
  await query.delete(identities).where(eq(identities.userId, userId));
}

/** Removes a user's identities if the e-mail address is unverified. */
export async function removeUnproven(query: Query, userId: string): Promise<void> {
  const unproven = query
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.id, userId), eq(users.emailVerified, false)));
  await query.delete(identities).where(inArray(identities.userId, unproven));
}
