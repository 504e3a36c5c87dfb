// Authenticates requests: verifies the access token and checks in the database that the session is live.
import type { Db } from '@parley/db/client';
import type { FactorPolicy } from '@parley/db/user-rows';
import { isoTime } from '../../platform/iso-time.ts';
import type { AuthSession, Authenticator } from '../../platform/requests/auth-session.ts';
import { findLiveSignIns, findSession } from './sessions.ts';
import { createTokenVerifier } from './access-token.ts';
import { findUser, isBanned } from '../users.ts';

/** A sign-out or a ban takes effect within this time in every process, even if its NOTIFY is lost. */
const CACHE_MS = 5_000;
/** Cache size; beyond it the oldest sessions are looked up again. */
const CACHE_MAX = 10_000;

type Standing = 'ended' | 'limited' | 'whole';

/** `clock` gives milliseconds that only grow. */
export function createAuthenticator(
  db: Db,
  secrets: { jwtSecret: string },
  clock = () => performance.now(),
  policy: FactorPolicy = null,
): Authenticator {
  const known = new Map<string, { userId: string; until: number; standing: Promise<Standing> }>();
  const verify = createTokenVerifier(secrets.jwtSecret);
  const watchers = new Set<{ signedIn: AuthSession; revalidate: () => void }>();

  function standingOf({ userId, sid }: AuthSession): Promise<Standing> {
    const now = clock();
    const cached = known.get(sid);
    if (cached && cached.until > now) return cached.standing;
    const standing = readStanding(db, policy, userId, sid);
    known.delete(sid);
    known.set(sid, { userId, until: now + CACHE_MS, standing });
    // Anyone who adds the factor is let in at once, by every process.
    standing.then(
      (read) => read === 'limited' && known.delete(sid),
      () => known.delete(sid),
    );
    dropOldest(known, now);
    return standing;
  }

  async function sessionOf(token: string, needed: Standing): Promise<AuthSession | null> {
    const claims = await verify(token);
    return claims && (await standingOf(claims)) === needed ? claims : null;
  }

  return {
    authenticate: (token) => sessionOf(token, 'whole'),
    authenticateLimited: (token) => sessionOf(token, 'limited'),
    isSignedIn: async (signedIn) => (await standingOf(signedIn)) === 'whole',
    async findEnded(sids) {
      const live = new Set(await findLiveSignIns(db, policy, sids));
      return sids.filter((sid) => !live.has(sid));
    },
    async bannedUntil(token) {
      const claims = await verify(token);
      const user = claims ? await findUser(db, claims.userId) : undefined;
      return user && isBanned(user.bannedUntil, new Date()) ? isoTime(user.bannedUntil) : null;
    },
    invalidate(sid) {
      known.delete(sid);
      for (const { signedIn, revalidate } of watchers) if (signedIn.sid === sid) revalidate();
    },
    invalidateUser(userId) {
      for (const [sid, { userId: owner }] of known) if (owner === userId) known.delete(sid);
      for (const { signedIn, revalidate } of watchers) if (signedIn.userId === userId) revalidate();
    },
    onInvalidate(signedIn, revalidate) {
      const watcher = { signedIn, revalidate };
      watchers.add(watcher);
      return () => void watchers.delete(watcher);
    },
  };
}

async function readStanding(db: Db, policy: FactorPolicy, userId: string, sid: string): Promise<Standing> {
  const signIn = await findSession(db, policy, userId, sid);
  if (signIn?.state !== 'active' || isBanned(signIn.bannedUntil, new Date())) return 'ended';
  return signIn.lacksFactor ? 'limited' : 'whole';
}

/** A Map keeps insertion order, so the first entries are the oldest. */
function dropOldest(known: Map<string, { until: number }>, now: number): void {
  for (const [sid, { until }] of known) {
    if (until > now && known.size <= CACHE_MAX) return;
    known.delete(sid);
  }
}
