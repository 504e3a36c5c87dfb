// This tab's session. The access token lives here, in memory, and nowhere else. The session has no transport: its calls
// are injected, so that tests run it against any server.
import type { User } from '@parley/schema/accounts/users';
import { clearPersonalData } from '../lib/personal-data.ts';
import { readText, removeStored, writeText } from '../lib/storage.ts';
import { clearPersonalStorage, createSessionStore, type Grant, type SessionStore } from './session-state.ts';
import { createTokenRenewal, type RenewalDeps } from './token-renewal.ts';

export interface SessionDeps extends RenewalDeps {
  revoke: (token: string | null) => Promise<unknown>;
  fetchUser: (token: string) => Promise<User>;
  /** Notifies the other tabs. */
  broadcast: (news: SessionNews) => void;
}

export type SessionNews = 'signed-in' | 'signed-out';
export type Session = ReturnType<typeof createSession>;

/** Set until a sign-out has reached the server, whose cookie would otherwise sign the user in again. */
export const SIGN_OUT_PENDING = 'signOutPending';

export function createSession(deps: SessionDeps) {
  const store = createSessionStore();
  const { renewOnce, refresh, freshToken, renewIfDue } = createTokenRenewal(deps, store);
  const { state, get, subscribe, onBoundary, markStale, wasSignedIn } = store;

  return {
    state,
    get,
    subscribe,
    onBoundary,
    markStale,
    wasSignedIn,
    refresh,
    freshToken,
    renewIfDue,
    signIn,
    signOut,
    adoptToken,
    reloadUser: () => reloadUser(deps, store),
    handleNews,
    load,
  };

  /** Runs a sign-in or sign-up exclusively, so that a renewal of the previous session cannot overwrite its cookie. */
  async function signIn(requestGrant: () => Promise<Grant>): Promise<User> {
    const grant = await deps.exclusive(requestGrant);
    clearPersonalStorage();
    removeStored(SIGN_OUT_PENDING);
    store.notifyBoundary();
    store.setSignedIn(grant);
    deps.broadcast('signed-in');
    return grant.user;
  }

  /**
   * Signs out here and in every tab at once, and deletes the user's data; the server learns of it as soon as it is
   * reachable. An expired session deletes nothing: unsent messages go out once the user is back.
   */
  async function signOut(): Promise<void> {
    const { token } = get();
    writeText(SIGN_OUT_PENDING, '1');
    closeAndForget(store);
    deps.broadcast('signed-out');
    await revoke(deps, token);
  }

  /** Takes a token from a `tokenUpdated` event and keeps the user; without a user, asks the server for it. */
  async function adoptToken(token: string): Promise<void> {
    const { user } = get();
    if (user) return store.setSignedIn({ token, user });
    try {
      store.setSignedIn({ token, user: await deps.fetchUser(token) });
    } catch (error) {
      store.setSignedOut({ type: 'unknown', text: error instanceof Error ? error.message : '' });
    }
  }

  /** Follows another tab. Its sign-in may be another user's, so the cookie decides who is signed in. */
  async function handleNews(news: SessionNews): Promise<void> {
    if (news === 'signed-out') return closeAndForget(store);
    await renewOnce().catch(() => null);
  }

  /** The silent renewal on load: retries until the server is reachable. */
  async function load(): Promise<void> {
    if (readText(SIGN_OUT_PENDING) !== null) {
      closeAndForget(store);
      return revoke(deps, null);
    }
    for (let attempt = 0; get().status === 'checking'; attempt += 1) {
      try {
        await renewOnce();
      } catch {
        if (get().status !== 'checking') return;
        store.setUnreachable();
        await deps.waitForRetry(attempt);
      }
    }
  }
}

/** Takes up a name or image that was changed elsewhere. A failure changes nothing. */
async function reloadUser({ fetchUser }: SessionDeps, store: SessionStore): Promise<void> {
  const { token } = store.get();
  const user = token && (await fetchUser(token).catch(() => null));
  if (user) store.setUser(user);
}

/** The user signed out, here or in another tab. */
function closeAndForget(store: SessionStore): void {
  store.setSignedOut(null);
  clearPersonalData([SIGN_OUT_PENDING]);
}

async function revoke(deps: SessionDeps, token: string | null): Promise<void> {
  try {
    await deps.exclusive(() => deps.revoke(token));
    removeStored(SIGN_OUT_PENDING);
  } catch {
    // The next load notifies the server again, before anything else.
  }
}
