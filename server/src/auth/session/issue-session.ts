import type { User } from '@parley/schema/accounts/users';
import type { Http } from '../../platform/requests/request-info.ts';
import { mustAddFactor } from '../factors/required-factor.ts';
import { setRefreshCookie } from '../../platform/requests/cookies.ts';
import { rememberUserAgent, type IssuedSession } from './sessions.ts';
import { signAccessToken } from './access-token.ts';
import { assertMayEnter, presentUser } from '../users.ts';
import type { UserRow } from '../users.ts';
import type { AuthServices } from '../auth-services.ts';

/** What the browser keeps in memory: an access token, valid for 15 minutes (SESSION_EXPIRY), and its user. */
export interface SessionResponse {
  token: string;
  user: User;
  /** The account was to be deleted; this sign-in keeps it. */
  isRestored?: boolean;
  /** The session may only add the second factor that its user has to have. */
  mustAddFactor?: boolean;
}

/**
 * Sets the refresh cookie and returns an access token. A banned user keeps the cookie for after the ban, but gets no
 * access token; nor does one whose account is not active.
 * @throws Refusal `banned`, `account_disabled`, `account_waiting`
 */
export async function issueSession(
  deps: AuthServices,
  http: Http,
  user: UserRow,
  session: IssuedSession,
): Promise<SessionResponse> {
  setRefreshCookie(http, deps.config.server.domainClient, session.token, session.expiresAt);
  assertMayEnter(user);
  await rememberUserAgent(deps.db, session, http.headers.get('user-agent'));
  const lifetimeMs = deps.config.accounts.sessionExpiryMs;
  const token = await signAccessToken(deps.secrets.jwtSecret, user, session.sid, lifetimeMs);
  const isLimited = await mustAddFactor(deps.db.query, deps.config.accounts.requireSecondFactor, user);
  return { token, user: presentUser(user), ...(isLimited && { mustAddFactor: true }) };
}
