// Who sends a request: the bearer says so, and the database still agrees.
import type { Db } from '@parley/db/client';
import { findSignIn } from './sessions.ts';
import { verifyBearer } from './tokens.ts';
import { findUser, isBanned } from './users.ts';

export interface SignedIn {
  userId: string;
  sid: string;
}

export interface Authenticator {
  /** Null for a token that is not ours or has expired, an ended sign-in and a banned user. */
  authenticate(token: string): Promise<SignedIn | null>;
  /** Whether a sign-in that was good once still is. */
  isSignedIn(signedIn: SignedIn): Promise<boolean>;
  /** Until when the user of a token is banned; null for a token that is not ours and for who is not banned. */
  bannedUntil(token: string): Promise<string | null>;
  /** For a sign-in that this process has ended: the next request sees it at once. Other processes need 5 s. */
  forget(sid: string): void;
  /** The same for all sign-ins of a user. */
  forgetUser(userId: string): void;
  /** Calls `look` whenever a sign-in may have ended; the function returned ends that. */
  whenForgotten(signedIn: SignedIn, look: () => void): () => void;
}

/** A sign-out or a ban takes effect within this time in every process. */
const CACHE_MS = 5_000;
/** Beyond so many sign-ins within 5 s the oldest are looked up again. */
const CACHE_MAX = 10_000;

export function createAuthenticator(db: Db, secrets: { jwtSecret: string }): Authenticator {
  const known = new Map<string, { userId: string; until: number; good: Promise<boolean> }>();
  const watchers = new Set<{ signedIn: SignedIn; look: () => void }>();

  function isGood(userId: string, sid: string): Promise<boolean> {
    const now = performance.now();
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
      const bearer = await verifyBearer(secrets.jwtSecret, token);
      return bearer && (await isGood(bearer.userId, bearer.sid)) ? bearer : null;
    },
    isSignedIn: ({ userId, sid }) => isGood(userId, sid),
    async bannedUntil(token) {
      const bearer = await verifyBearer(secrets.jwtSecret, token);
      const user = bearer ? await findUser(db, bearer.userId) : undefined;
      return user && isBanned(user.bannedUntil, new Date()) ? new Date(user.bannedUntil).toISOString() : null;
    },
    forget(sid) {
      known.delete(sid);
      for (const { signedIn, look } of watchers) if (signedIn.sid === sid) look();
    },
    forgetUser(userId) {
      for (const [sid, { userId: owner }] of known) if (owner === userId) known.delete(sid);
      for (const { signedIn, look } of watchers) if (signedIn.userId === userId) look();
    },
    whenForgotten(signedIn, look) {
      const watcher = { signedIn, look };
      watchers.add(watcher);
      return () => void watchers.delete(watcher);
    },
  };
}

async function isStillSignedIn(db: Db, userId: string, sid: string): Promise<boolean> {
  const signIn = await findSignIn(db, userId, sid);
  return signIn !== undefined && !isBanned(signIn.bannedUntil, new Date());
}

/** A map keeps the order of insertion, so the first are the oldest. */
function dropOldest(known: Map<string, { until: number }>, now: number): void {
  for (const [sid, { until }] of known) {
    if (until > now && known.size <= CACHE_MAX) return;
    known.delete(sid);
  }
}
