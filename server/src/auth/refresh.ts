import type { Deps } from '../deps.ts';
import { refuse } from '../errors.ts';
import type { Http } from '../trpc.ts';
import { countRefresh } from './attempts.ts';
import { audit } from './audit.ts';
import { clearRefreshCookie, readRefreshToken } from './cookies.ts';
import { handOver } from './hand-over.ts';
import type { SignedInAnswer } from './hand-over.ts';
import { rotateSession } from './sessions.ts';
import { findUser } from './users.ts';

/**
 * A new bearer for the cookie's sign-in, and the next cookie; null without a cookie.
 * @throws Refusal `unauthorized` for a token that is unknown, run out or used before, `banned`, `too_many_attempts`
 */
export async function refresh(deps: Deps, http: Http): Promise<SignedInAnswer | null> {
  const token = readRefreshToken(http.headers);
  if (!token) return null;
  await countRefresh(deps, http);
  const rotation = await rotateSession(deps.db, deps.config.accounts.refreshExpiryMs, token);
  switch (rotation.outcome) {
    case 'rotated': {
      const user = await findUser(deps.db, rotation.userId);
      return user ? handOver(deps, http, user, rotation) : turnAway(deps, http);
    }
    case 'reused':
      deps.auth.forget(rotation.sid);
      audit(deps, 'token_reused', { userId: rotation.userId, sid: rotation.sid, ip: http.ip });
      return turnAway(deps, http);
    case 'banned':
      // The cookie stays: whoever comes with it while the ban lasts is told.
      return refuse({ type: 'banned', until: rotation.until });
    case 'unknown':
      return turnAway(deps, http);
    default:
      return rotation satisfies never;
  }
}

function turnAway(deps: Deps, http: Http): never {
  clearRefreshCookie(http, deps.config.server.domainClient);
  refuse({ type: 'unauthorized' });
}
