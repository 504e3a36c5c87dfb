// Changes the name and the username of an account.
import { cleanText } from '@parley/schema/clean-text';
import { ChangeProfile, type User } from '@parley/schema/accounts/users';
import { users } from '@parley/db/tables/users';
import type { Db, Tx } from '@parley/db/client';
import { and, eq, ne, sql } from 'drizzle-orm';
import type * as z from 'zod';
import { nextHint } from '../../convos/changes.ts';
import { refuse } from '../../platform/errors.ts';
import { presentUser } from '../users.ts';

/** Cleaned first, so that the rules hold for what is stored. */
export const ChangeProfileInput = ChangeProfile.transform(({ name, username }): z.input<typeof ChangeProfile> => ({
  ...(name !== undefined && { name: cleanText(name) }),
  ...(username !== undefined && { username: username && cleanText(username) }),
})).pipe(ChangeProfile);

/**
 * Other browsers of the person are told as of a change of settings.
 * @throws Refusal `username_taken`
 */
export async function changeProfile({ query }: Db, userId: string, change: ChangeProfile): Promise<User> {
  return query.transaction(async (tx) => {
    if (change.username) await assertFree(tx, userId, change.username);
    await nextHint(tx, userId, 'settings');
    const [row] = await tx
      .update(users)
      .set({
        ...(change.name !== undefined && { name: change.name }),
        ...(change.username !== undefined && { username: change.username }),
        updatedAt: sql`now()`,
      })
      .where(eq(users.id, userId))
      .returning();
    return row ? presentUser(row) : refuse({ type: 'not_found', what: 'user' });
  });
}

/** The lock keeps a second person from taking the name at the same time. Accounts that share one already may go on. */
async function assertFree(tx: Tx, userId: string, username: string): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended('username ' || ${username}, 0))`);
  const isSame = eq(sql`lower(${users.username})`, username.toLowerCase());
  const [own] = await tx
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.id, userId), isSame));
  if (own) return;
  const [other] = await tx
    .select({ id: users.id })
    .from(users)
    .where(and(ne(users.id, userId), isSame))
    .limit(1);
  if (other) refuse({ type: 'username_taken' });
}
