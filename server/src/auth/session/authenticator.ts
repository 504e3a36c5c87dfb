// Authenticates requests: verifies the access token and checks in the database that the session is live.
import type { Db } from '@parley/db/client';
import { isoTime } from '../../platform/iso-time.ts';
import { findLiveSignIns, findSession } from './sessions.ts';
import { createTokenVerifier } from './access-token.ts';
import { findUser, isBanned } from '../users.ts';

export interface AuthSession {
  userId: string;
  sid: string;
}

/** The session of a signed-in call. */
export function callerSession({ user }: { user: { id: string; sid: string } }): AuthSession {
  return { userId: user.id, sid: user.sid };
}

export interface Authenticator {
  /** Null for an invalid or expired token, an ended session and a user who is banned or not active. */
  authenticate(token: string): Promise<AuthSession | null>;
  /** Whether an authenticated session is still live. */
  isSignedIn(signedIn: AuthSession): Promise<boolean>;
  /** The end of the ban of the token's user; null for an invalid token or a user who is not banned. */
  bannedUntil(token: string): Promise<string | null>;
  /** Drops an ended session from the cache, so the next request is rejected at once. */
  invalidate(sid: string): void;
  /** Drops all sessions of a user from the cache. */
  invalidateUser(userId: string): void;
  /** Those of the sessions (`sid`) that have ended, read from the database. */
  findEnded(sids: string[]): Promise<string[]>;
  /** Calls `revalidate` whenever the session may have ended; the returned function unsubscribes. */
  onInvalidate(signedIn: AuthSession, revalidate: () => void): () => void;
}

/** A sign-out or a ban takes effect within this time in every process, even if its NOTIFY is lost. */
const CACHE_MS = 5_000;
/** Cache size; beyond it the oldest sessions are looked up again. */
const CACHE_MAX = 10_000;

/** `clock` gives milliseconds that only grow. */
export function createAuthenticator(
  db: Db,
  secrets: { jwtSecret: string },
  clock = () => performance.now(),
): Authenticator {
  const known = new Map<string, { userId: string; until: number; good: Promise<boolean> }>();
  const verify = createTokenVerifier(secrets.jwtSecret);
  const watchers = new Set<{ signedIn: AuthSession; revalidate: () => void }>();

  function isGood(userId: string, sid: string): Promise<boolean> {
    const now = clock();
    const cached = known.get(sid);
    if (cached && cached.until > now) return cached.good;
    const good = isStillSignedIn(db, userId, sid);
    known.delete(sid);
    known.set(sid, { userId, until: now + CACHE_MS, good });
    good.catch(() => known.delete(sid));
    dropOldest(known, now);
    return good;
  }

  return {
    async authenticate(token) {
      const claims = await verify(token);
      return claims && (await isGood(claims.userId, claims.sid)) ? claims : null;
    },
    isSignedIn: ({ userId, sid }) => isGood(userId, sid),
    async findEnded(sids) {
      const live = new Set(await findLiveSignIns(db, sids));
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

async function isStillSignedIn(db: Db, userId: string, sid: string): Promise<boolean> {
  const signIn = await findSession(db, userId, sid);
  return signIn?.state === 'active' && !isBanned(signIn.bannedUntil, new Date());
}

/** A Map keeps insertion order, so the first entries are the oldest. */
function dropOldest(known: Map<string, { until: number }>, now: number): void {
  for (const [sid, { until }] of known) {
    if (until > now && known.size <= CACHE_MAX) return;
    known.delete(sid);
  }
}
