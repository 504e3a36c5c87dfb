import type { Db } from '@parley/db/client';
import { users } from '@parley/db/tables/users';
import type { Profile, User } from '@parley/schema/accounts/users';
import { and, eq, ne, sql } from 'drizzle-orm';
import { nextHint } from '../../convos/changes.ts';
import { refuse } from '../../platform/errors.ts';
import { presentUser } from '../users.ts';

/**
 * Changes the name and the user name; the other browsers of the user are notified. What is absent stays.
 * @throws Refusal `username_taken`, `not_found`
 */
export function updateProfile({ db }: { db: Db }, userId: string, profile: Profile): Promise<User> {
  const { name, username } = profile;
  return db.query.transaction(async (tx) => {
    if (username) {
      // The names of accounts from sign-in sites and imports may repeat, so no index keeps them apart.
      await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended('username ' || ${username}, 0))`);
      const [taken] = await tx
        .select({ id: users.id })
        .from(users)
        .where(and(eq(sql`lower(${users.username})`, username), ne(users.id, userId)))
        .limit(1);
      if (taken) refuse({ type: 'username_taken' });
    }
    await nextHint(tx, userId, 'settings');
    const [user] = await tx
      .update(users)
      .set({ ...(name !== undefined && { name }), ...(username !== undefined && { username }), updatedAt: sql`now()` })
      .where(eq(users.id, userId))
      .returning();
    return user ? presentUser(user) : refuse({ type: 'not_found', what: 'user' });
  });
}
