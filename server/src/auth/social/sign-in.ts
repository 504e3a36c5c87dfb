import type { Deps } from '../../deps.ts';
import type { Http } from '../../trpc.ts';
import { assertNetworkWelcome } from '../../violations/network-bans.ts';
import { audit } from '../audit.ts';
import { setRefreshCookie } from '../cookies.ts';
import { createSession } from '../sessions.ts';
import { admit, type Introduction } from './admit.ts';

/**
 * Signs in whom a provider has identified, always anew. Gives the path of the page to go to, which asks for its bearer.
 * @throws Refusal `social_login`, `email_domain_not_allowed`, `banned`
 */
export async function signInElsewhere(deps: Deps, http: Http, introduction: Introduction): Promise<string> {
  const { config, db } = deps;
  if (config.bans.enabled) await assertNetworkWelcome(db, http.ip);
  const { user, isReclaimed } = await admit(deps, introduction);
  const session = await createSession(db, config.accounts.refreshExpiryMs, user.id);
  audit(deps, 'signed_in', { userId: user.id, sid: session.sid, ip: http.ip, provider: introduction.name });
  setRefreshCookie(http, config.server.domainClient, session.token, session.expiresAt);
  return isReclaimed ? '/c/new?reclaimed' : '/';
}
