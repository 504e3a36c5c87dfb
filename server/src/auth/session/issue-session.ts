import type { User } from '@parley/schema/accounts/users';
import type { Deps } from '../../deps.ts';
import type { Http } from '../../http/request-info.ts';
import { setRefreshCookie } from './cookies.ts';
import type { IssuedSession } from './sessions.ts';
import { signAccessToken } from './access-token.ts';
import { assertNotBanned, assertStaying, presentUser } from '../users.ts';
import type { UserRow } from '../users.ts';

/** What the browser keeps in memory: an access token, valid for 15 minutes (SESSION_EXPIRY), and its user. */
export interface SessionResponse {
  token: string;
  user: User;
}

/**
 * Sets the refresh cookie and returns an access token. A banned user, or one whose account is about to be deleted, gets
 * the cookie, for after that, and no access token.
 * @throws Refusal `banned`, `account_leaving`
 */
export async function issueSession(
  deps: Deps,
  http: Http,
  user: UserRow,
  session: IssuedSession,
): Promise<SessionResponse> {
  setRefreshCookie(http, deps.config.server.domainClient, session.token, session.expiresAt);
  assertNotBanned(user);
  assertStaying(user);
  const lifetimeMs = deps.config.accounts.sessionExpiryMs;
  const token = await signAccessToken(deps.secrets.jwtSecret, user, session.sid, lifetimeMs);
  return { token, user: presentUser(user) };
}
