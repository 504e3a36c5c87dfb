// Who is signed in, as every room knows it: `auth/session/authenticator.ts` finds it out.

export interface AuthSession {
  userId: string;
  sid: string;
}

/** The session of a signed-in call. */
export function callerSession({ user }: { user: { id: string; sid: string } }): AuthSession {
  return { userId: user.id, sid: user.sid };
}

export interface Authenticator {
  /** Null for an invalid or expired token, an ended or limited session and a user who is banned or not active. */
  authenticate(token: string): Promise<AuthSession | null>;
  /** The live session of a token that may only add the second factor that its user has to have; else null. */
  authenticateLimited(token: string): Promise<AuthSession | null>;
  /** Whether an authenticated session is still live, and not limited. */
  isSignedIn(signedIn: AuthSession): Promise<boolean>;
  /** The end of the ban of the token's user; null for an invalid token or a user who is not banned. */
  bannedUntil(token: string): Promise<string | null>;
  /** Drops an ended session from the cache, so the next request is rejected at once. */
  invalidate(sid: string): void;
  /** Drops all sessions of a user from the cache. */
  invalidateUser(userId: string): void;
  /** Those of the sessions (`sid`) that have ended or are limited, read from the database. */
  findEnded(sids: string[]): Promise<string[]>;
  /** Calls `revalidate` whenever the session may have ended; the returned function unsubscribes. */
  onInvalidate(signedIn: AuthSession, revalidate: () => void): () => void;
}
