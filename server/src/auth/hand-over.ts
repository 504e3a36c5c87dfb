import type { User } from '@parley/schema/users';
import type { Deps } from '../deps.ts';
import type { Http } from '../trpc.ts';
import { setRefreshCookie } from './cookies.ts';
import type { IssuedSession } from './sessions.ts';
import { signBearer } from './tokens.ts';
import { assertNotBanned, presentUser } from './users.ts';
import type { UserRow } from './users.ts';

/** What the browser keeps in memory: a bearer token for 15 minutes (SESSION_EXPIRY), and whose it is. */
export interface SignedInAnswer {
  token: string;
  user: User;
}

/**
 * Gives a session to its browser. A banned user keeps the cookie for the day the ban ends, but gets no bearer.
 * @throws Refusal `banned`
 */
export async function handOver(deps: Deps, http: Http, user: UserRow, session: IssuedSession): Promise<SignedInAnswer> {
  setRefreshCookie(http, deps.config.server.domainClient, session.token, session.expiresAt);
  assertNotBanned(user);
  const lifetimeMs = deps.config.accounts.sessionExpiryMs;
  const token = await signBearer(deps.secrets.jwtSecret, user, session.sid, lifetimeMs);
  return { token, user: presentUser(user) };
}
