import { refuse } from '../../platform/errors.ts';
import type { Http } from '../../platform/requests/request-info.ts';
import { limitRefresh } from '../rate-limits.ts';
import { audit } from '../../platform/audit.ts';
import { clearRefreshCookie, readRefreshToken } from '../../platform/requests/cookies.ts';
import { issueSession } from './issue-session.ts';
import type { SessionResponse } from './issue-session.ts';
import { rotateSession } from './sessions.ts';
import { findUser } from '../users.ts';
import type { AuthServices } from '../auth-services.ts';

/**
 * Rotates the refresh cookie and returns a new access token; null without a cookie.
 * @throws Refusal `unauthorized` for a token that is unknown, expired or reused, and for somebody who left the directory, `banned`, `too_many_attempts`
 */
export async function refresh(deps: AuthServices, http: Http): Promise<SessionResponse | null> {
  const token = readRefreshToken(http.headers);
  if (!token) return null;
  await limitRefresh(deps, http);
  const rotation = await rotateSession(deps.db, deps.config.accounts.refreshExpiryMs, token);
  switch (rotation.outcome) {
    case 'rotated': {
      if (!(await deps.directoryWatch.stillKnows(rotation.userId))) return rejectRefresh(deps, http);
      const user = await findUser(deps.db, rotation.userId);
      return user ? issueSession(deps, http, user, rotation) : rejectRefresh(deps, http);
    }
    case 'reused':
      deps.auth.invalidate(rotation.sid);
      audit(deps, 'token_reused', { userId: rotation.userId, sid: rotation.sid, ip: http.ip });
      return rejectRefresh(deps, http);
    case 'banned':
      // Keeps the cookie, so that later requests during the ban are refused for it, too.
      return refuse({ type: 'banned', until: rotation.until });
    case 'unknown':
      return rejectRefresh(deps, http);
    default:
      return rotation satisfies never;
  }
}

function rejectRefresh(deps: AuthServices, http: Http): never {
  clearRefreshCookie(http, deps.config.server.domainClient);
  refuse({ type: 'unauthorized' });
}
