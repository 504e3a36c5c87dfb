import type { Tx } from '@parley/db/client';
import { audit } from '../../platform/audit.ts';
import type { Http } from '../../platform/requests/request-info.ts';
import { takeBackDeletion } from '../account/deletion.ts';
import { assertMayEnter, findUser, type UserRow } from '../users.ts';
import { issueSession, type SessionResponse } from './issue-session.ts';
import { createSessionIf } from './sessions.ts';
import type { AuthServices } from '../auth-services.ts';

/**
 * Signs in the person who has proven to be this user, and takes a wished deletion of the account back. `assertAllowed` checks
 * once more what may have changed since, while the sessions are locked; the state of the account is checked here.
 * @throws Refusal `banned`, `account_disabled`, `account_waiting`
 */
export async function enterAccount(
  deps: AuthServices,
  http: Http,
  user: UserRow,
  assertAllowed: (tx: Tx, now: UserRow | undefined) => Promise<void>,
): Promise<SessionResponse> {
  const session = await createSessionIf(deps.db, deps.config.accounts.refreshExpiryMs, user.id, async (tx) => {
    const now = await findUser({ query: tx }, user.id);
    if (now) assertMayEnter(now);
    await assertAllowed(tx, now);
  });
  audit(deps, 'signed_in', { userId: user.id, sid: session.sid, ip: http.ip });
  const isRestored = user.deletionDueAt !== null && (await takeBackDeletion(deps, user.id));
  return { ...(await issueSession(deps, http, user, session)), ...(isRestored && { isRestored }) };
}
