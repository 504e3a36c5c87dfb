import type { Deps } from '../deps.ts';
import type { Http } from '../trpc.ts';
import { audit } from './audit.ts';
import type { SignedIn } from './authenticator.ts';
import { clearRefreshCookie, readRefreshToken } from './cookies.ts';
import { endFamily, endSession } from './sessions.ts';

/** Ends the sign-in of the cookie and that of the bearer: one and the same, unless the browser lost its cookie. */
export async function signOut(deps: Deps, http: Http, byBearer: SignedIn | null): Promise<void> {
  const token = readRefreshToken(http.headers);
  const byCookie = token ? await endSession(deps.db, token) : undefined;
  if (byBearer && byBearer.sid !== byCookie?.sid) await endFamily(deps.db, byBearer.userId, byBearer.sid);
  clearRefreshCookie(http, deps.config.server.domainClient);
  for (const ended of [byCookie, byBearer]) {
    if (ended) deps.auth.forget(ended.sid);
  }
  const ended = byCookie ?? byBearer;
  if (ended) audit(deps, 'signed_out', { userId: ended.userId, sid: ended.sid, ip: http.ip });
}
