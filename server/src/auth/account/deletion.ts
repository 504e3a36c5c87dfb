// The wish to delete an account. It is kept for some days, in which signing in again takes it back.
import { users } from '@parley/db/tables/users';
import type { DeleteAccount } from '@parley/schema/accounts/deletion';
import { DELETION_DAYS } from '@parley/schema/accounts/deletion-days';
import { and, eq, isNotNull, sql } from 'drizzle-orm';
import type { Http } from '../../platform/requests/request-info.ts';
import { audit } from '../../platform/audit.ts';
import { refuse } from '../../platform/errors.ts';
import { isoTime } from '../../platform/iso-time.ts';
import { assertAdministratorLeft, lockAdministrators } from '../administrators.ts';
import { deletionEmail } from '../email-templates.ts';
import type { AuthSession } from '../../platform/requests/auth-session.ts';
import { clearRefreshCookie } from '../../platform/requests/cookies.ts';
import { endCapabilities } from '../capabilities.ts';
import { stopUserRuns } from '../session/stop-runs.ts';
import { assertUser } from '../users.ts';
import type { AuthServices } from '../auth-services.ts';
import type { CoreServices } from '../../platform/requests/request-services.ts';

/**
 * Signs the user out everywhere, ends the answers that run, and deletes the account after `DELETION_DAYS`. The
 * e-mail address confirms that it is meant.
 * @throws Refusal `invalid_credentials`, `forbidden` where the operator does not allow it,
 * `last_administrator`
 * @returns when it is due, as an ISO date
 */
export async function requestDeletion(
  deps: AuthServices,
  http: Http,
  by: AuthSession,
  given: DeleteAccount,
): Promise<string> {
  if (!deps.config.accounts.allowDeletion) refuse({ type: 'forbidden' });
  const user = await assertUser(deps.db, by.userId);
  if (given.confirmation.trim().toLowerCase() !== user.email.toLowerCase()) refuse({ type: 'invalid_credentials' });
  const dueAt = await deps.db.query.transaction(async (tx) => {
    await lockAdministrators(tx);
    await endCapabilities(tx, by.userId, 'removed');
    const [due] = await tx
      .update(users)
      .set({ deletionDueAt: sql`now() + make_interval(days => ${DELETION_DAYS})`, updatedAt: sql`now()` })
      .where(eq(users.id, by.userId))
      .returning({ at: users.deletionDueAt });
    if (user.role === 'ADMIN') await assertAdministratorLeft(tx);
    await stopUserRuns(tx, by.userId);
    return isoTime(due?.at ?? Date.now());
  });
  clearRefreshCookie(http, deps.config.server.domainClient);
  deps.auth.invalidateUser(by.userId);
  audit(deps, 'deletion_requested', { ...by, ip: http.ip });
  deps.mail?.send(async () => deletionEmail(deps.config.startup.appTitle, user));
  return dueAt;
}

/** Whether the account was to be deleted, and now is not any more. */
export async function takeBackDeletion(deps: CoreServices, userId: string): Promise<boolean> {
  const kept = await deps.db.query
    .update(users)
    .set({ deletionDueAt: null, updatedAt: sql`now()` })
    .where(and(eq(users.id, userId), isNotNull(users.deletionDueAt)))
    .returning({ id: users.id });
  if (kept.length > 0) audit(deps, 'deletion_taken_back', { userId });
  return kept.length > 0;
}
