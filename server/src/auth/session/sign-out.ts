import type { Http } from '../../platform/requests/request-info.ts';
import { audit } from '../../platform/audit.ts';
import type { AuthSession } from '../../platform/requests/auth-session.ts';
import { clearRefreshCookie, readRefreshToken } from '../../platform/requests/cookies.ts';
import { revokeSessionFamily, revokeSession } from './sessions.ts';
import type { AuthServices } from '../auth-services.ts';

/** Ends the session of the cookie and that of the access token; they differ only if the browser lost its cookie. */
export async function signOut(deps: AuthServices, http: Http, byBearer: AuthSession | null): Promise<void> {
  const token = readRefreshToken(http.headers);
  const byCookie = token ? await revokeSession(deps.db, token) : undefined;
  if (byBearer && byBearer.sid !== byCookie?.sid) await revokeSessionFamily(deps.db, byBearer.userId, byBearer.sid);
  clearRefreshCookie(http, deps.config.server.domainClient);
  for (const ended of [byCookie, byBearer]) {
    if (ended) deps.auth.invalidate(ended.sid);
  }
  const ended = byCookie ?? byBearer;
  if (ended) audit(deps, 'signed_out', { userId: ended.userId, sid: ended.sid, ip: http.ip });
}
