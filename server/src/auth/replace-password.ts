import type { Tx } from '@parley/db/client';
import { users } from '@parley/db/tables/users';
import { eq, sql } from 'drizzle-orm';
import type { Deps } from '../deps.ts';
import { passwordChangedLetter } from './letters.ts';
import { hashPassword } from './passwords.ts';
import { endSessions } from './sessions.ts';
import { assertUser, type UserRow } from './users.ts';

interface Replacement {
  userId: string;
  password: string;
  /** The sign-in that stays. */
  kept?: string;
}

/**
 * Gives a user another password and signs everybody out of the account but `kept`. `assertAllowed` looks, in the same
 * transaction and with the sign-ins locked, whether that is still right; it sees to it that no link for a forgotten
 * password stays good, and may add to what is set. The user is told by mail.
 */
export async function replacePassword(
  deps: Deps,
  { userId, password, kept }: Replacement,
  assertAllowed: (tx: Tx) => Promise<Partial<UserRow>>,
): Promise<UserRow> {
  const passwordHash = await hashPassword(password);
  await deps.db.query.transaction(async (tx) => {
    // First what all of these wait for, so that none waits for another in a circle.
    await endSessions(tx, userId, kept);
    const more = await assertAllowed(tx);
    await tx
      .update(users)
      .set({ ...more, passwordHash, updatedAt: sql`now()` })
      .where(eq(users.id, userId));
  });
  deps.auth.forgetUser(userId);
  const user = await assertUser(deps.db, userId);
  deps.mail?.send(async () => passwordChangedLetter(deps.config.startup.appTitle, user));
  return user;
}
