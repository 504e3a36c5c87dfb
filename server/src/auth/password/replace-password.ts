import type { Tx } from '@parley/db/client';
import { users } from '@parley/db/tables/users';
import { eq, sql } from 'drizzle-orm';
import { passwordChangedEmail } from '../email-templates.ts';
import { endCapabilities } from '../capabilities.ts';
import { removeTickets } from '../factors/sign-in-tickets.ts';
import { assertNotBreached } from './breached-passwords.ts';
import { hashPassword } from './password-hash.ts';
import { revokeSessions } from '../session/sessions.ts';
import { stopUserRuns } from '../session/stop-runs.ts';
import { assertUser, type UserRow } from '../users.ts';
import type { AuthServices } from '../auth-services.ts';

interface Replacement {
  userId: string;
  password: string;
  /** The session to keep. Without one, all that a reset ends, and the answers that run, end with all sessions. */
  kept?: string;
}

/**
 * Sets a new password, ends all sessions of the user except `kept`, and notifies the user by mail. `assertAllowed`
 * re-checks permission in the same transaction while the sessions are locked; it must invalidate any reset link, and
 * may return further columns to set.
 * @throws Refusal `invalid_input` for a password that is known from a breach
 */
export async function replacePassword(
  deps: AuthServices,
  { userId, password, kept }: Replacement,
  assertAllowed: (tx: Tx) => Promise<Partial<UserRow>>,
): Promise<UserRow> {
  await assertNotBreached(deps, password);
  const passwordHash = await hashPassword(password);
  await deps.db.query.transaction(async (tx) => {
    // Takes the session lock first, as all callers do, to avoid deadlocks.
    await revokeSessions(tx, userId, kept);
    const more = await assertAllowed(tx);
    await removeTickets(tx, userId);
    await tx
      .update(users)
      .set({ ...more, passwordHash, updatedAt: sql`now()` })
      .where(eq(users.id, userId));
    if (kept !== undefined) return;
    await endCapabilities(tx, userId, 'password_reset');
    await stopUserRuns(tx, userId);
  });
  deps.auth.invalidateUser(userId);
  const user = await assertUser(deps.db, userId);
  deps.mail?.send(async () => passwordChangedEmail(deps.config.startup.appTitle, user));
  return user;
}
