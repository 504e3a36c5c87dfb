// Renews the access token with the refresh cookie, once for all concurrent callers.
import type { Reason } from '@parley/schema/reasons';
import type { Grant, SessionStore } from './session-state.ts';

/** The server's response to a renewal. A network failure throws instead. */
export type Renewal = { granted: Grant } | { refused: Reason | null };

export interface RenewalDeps {
  renew: () => Promise<Renewal>;
  /** Runs one task at a time across all tabs of this browser. */
  exclusive: <T>(work: () => Promise<T>) => Promise<T>;
  /** Resolves when the next attempt is due. */
  waitForRetry: (attempt: number) => Promise<void>;
}

/** Attempts to reach the server before the request that needs the token fails. */
const ATTEMPTS_MAX = 3;

/** Returns the access token, renewed when needed. If the server is unreachable, the user stays signed in. */
export function createTokenRenewal({ renew, exclusive, waitForRetry }: RenewalDeps, session: SessionStore) {
  let inFlight: Promise<string | null> | null = null;

  return { renewOnce, refresh, freshToken, renewIfDue };

  /** A new access token; null if the session is over. Throws if the server is unreachable. */
  async function refresh(): Promise<string | null> {
    return session.get().status === 'out' ? null : renewOnce();
  }

  /** The access token; renews it first if it is about to expire. */
  async function freshToken(): Promise<string | null> {
    const { token } = session.get();
    return token !== null && !session.isRenewalDue() ? token : refresh();
  }

  /** Renews a token that expires soon; a failure is left to the first request that needs it. */
  async function renewIfDue(): Promise<void> {
    if (session.get().token !== null && session.isRenewalDue()) await refresh().catch(() => null);
  }

  function renewOnce(): Promise<string | null> {
    inFlight ??= renewNow().finally(() => (inFlight = null));
    return inFlight;
  }

  async function renewNow(): Promise<string | null> {
    const epoch = session.epoch();
    const response = await withRetries(() => exclusive(renew));
    if (epoch !== session.epoch()) return session.get().token;
    if ('refused' in response) {
      session.setExpired(response.refused);
      return null;
    }
    session.setSignedIn(response.granted);
    return response.granted.token;
  }

  async function withRetries<T>(work: () => Promise<T>): Promise<T> {
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await work();
      } catch (error) {
        if (attempt + 1 >= ATTEMPTS_MAX || session.get().token === null) throw error;
        await waitForRetry(attempt);
      }
    }
  }
}
