import type { Tx } from '@parley/db/client';
import type { Http } from '../../platform/requests/request-info.ts';
import { takeBackDeletion } from '../account/deletion.ts';
import { factorKinds, listFactors } from '../factors/factors.ts';
import { secondStepPath } from '../factors/second-step.ts';
import { createTicket } from '../factors/sign-in-tickets.ts';
import { assertNetworkNotBanned } from '../network-bans.ts';
import { audit } from '../../platform/audit.ts';
import { setRefreshCookie } from '../../platform/requests/cookies.ts';
import { createSessionIf } from '../session/sessions.ts';
import { profileImage } from './profile.ts';
import { assertMayEnter, findUser } from '../users.ts';
import { linkAccount, type OAuthProfile } from './link-account.ts';
import type { AuthServices } from '../auth-services.ts';

export interface OAuthServices extends AuthServices {
  /** Keeps the image of somebody who has signed in, in the background. */
  socialAvatars: { update(userId: string, image: string | null): void };
}

/**
 * Creates a new session for the user whom a provider has identified. Returns the path of the page to redirect to, which
 * then requests its access token; with FACTOR_AFTER_OAUTH, for an account with a second factor, that of the page which asks
 * for it.
 * @throws Refusal `social_login`, `email_domain_not_allowed`, `banned`, `account_disabled`, `account_waiting`,
 * `invalid_invitation`
 */
export async function signInByOAuth(deps: OAuthServices, http: Http, introduction: OAuthProfile): Promise<string> {
  const { config, db } = deps;
  if (config.bans.enabled) await assertNetworkNotBanned(db, http.ip);
  // Only OpenID bars people.
  if (introduction.name === 'openid') await deps.directoryWatch.letIn(introduction.identity);
  const { user, isReclaimed } = await linkAccount(deps, introduction);
  assertMayEnter(user);
  const { rights } = introduction.person;
  if (rights) await deps.followRights(user, rights, 'openid');
  // Without waiting: the site of the image may be slow.
  deps.socialAvatars.update(user.id, profileImage(introduction.person));
  const kinds = factorKinds(await listFactors(db.query, user.id));
  if (config.accounts.factorAfterOauth && kinds.length > 0)
    return secondStepPath(await createTicket(db, user.id), kinds);
  // Of two factors the site has proven none.
  const isElevated = kinds.length === 0;
  const stillMayEnter = async (tx: Tx) => {
    const now = await findUser({ query: tx }, user.id);
    if (now) assertMayEnter(now);
  };
  const session = await createSessionIf(db, config.accounts.refreshExpiryMs, user.id, stillMayEnter, isElevated);
  audit(deps, 'signed_in', { userId: user.id, sid: session.sid, ip: http.ip, provider: introduction.name });
  setRefreshCookie(http, config.server.domainClient, session.token, session.expiresAt);
  if (user.deletionDueAt !== null && (await takeBackDeletion(deps, user.id))) return '/c/new?restored';
  return isReclaimed ? '/c/new?reclaimed' : '/';
}
