import { factors } from '@parley/db/tables/users';
import type { Assertion } from '@parley/schema/accounts/passkeys';
import { and, eq } from 'drizzle-orm';
import { audit } from '../../../platform/audit.ts';
import { refuse } from '../../../platform/errors.ts';
import type { Http } from '../../../platform/requests/request-info.ts';
import { assertNetworkNotBanned } from '../../network-bans.ts';
import { limitPasskeys } from '../../rate-limits.ts';
import { enterAccount } from '../../session/enter-account.ts';
import type { SessionResponse } from '../../session/issue-session.ts';
import { assertUser } from '../../users.ts';
import { passkeyOptions, verifyPasskey } from './verify-passkey.ts';
import type { AuthServices } from '../../auth-services.ts';

/** What the passkey of a person who signs in has signed. @throws Refusal `too_many_attempts`, `banned` */
export async function signInOptions(deps: AuthServices, http: Http) {
  await limitPasskeys(deps, http);
  if (deps.config.bans.enabled) await assertNetworkNotBanned(deps.db, http.ip);
  return passkeyOptions(deps, { purpose: 'passkey' });
}

/**
 * Signs in with a passkey alone: it is what its owner has, and has verified them, so that it counts as both factors.
 * @throws Refusal `passkey_refused`, `banned`, `account_disabled`, `account_waiting`
 */
export async function signInByPasskey(deps: AuthServices, http: Http, assertion: Assertion): Promise<SessionResponse> {
  if (deps.config.bans.enabled) await assertNetworkNotBanned(deps.db, http.ip);
  const passkey = await verifyPasskey(deps, assertion, { purpose: 'passkey' });
  if (!passkey) {
    audit(deps, 'sign_in_failed', { provider: 'passkey', ip: http.ip });
    refuse({ type: 'passkey_refused' });
  }
  const { userId, id } = passkey;
  const user = await assertUser(deps.db, userId);
  return enterAccount(deps, http, user, async (tx) => {
    // It may have been removed since.
    const isOwn = and(eq(factors.userId, userId), eq(factors.id, id));
    const kept = await tx.select({ id: factors.id }).from(factors).where(isOwn);
    if (kept.length === 0) refuse({ type: 'passkey_refused' });
  });
}
