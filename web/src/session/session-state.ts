// This tab's session state, and everything that changes with it: the stored user id, the return path, and the caches
// that the next user must not see.
import type { Reason } from '@parley/schema/reasons';
import type { User } from '@parley/schema/accounts/users';
import { atom, getDefaultStore } from 'jotai/vanilla';
import { allowPersonalData } from '../lib/personal-data.ts';
import { readText, removeStored, writeText } from '../lib/storage.ts';
import { msUntilRenewal } from './access-token.ts';
import { forgetReturnPath, rememberReturnPath } from './return-path.ts';

export type SessionState =
  /** `error` is set while the server is unreachable; renewal continues. */
  | { status: 'checking'; token: null; user: null; error: Reason | null }
  | { status: 'in'; token: string; user: User; error: null }
  /** Signed in, and may only add the second factor that this person has to have. */
  | { status: 'limited'; token: string; user: User; error: null }
  | { status: 'out'; token: null; user: null; error: Reason | null };

export interface Grant {
  token: string;
  user: User;
  mustAddFactor?: boolean;
}

export type SessionStore = ReturnType<typeof createSessionStore>;

const CHECKING = { status: 'checking', token: null, user: null, error: null } as const;
const OUT = { status: 'out', token: null, user: null, error: null } as const;
const ENDED: Reason = { type: 'unauthorized' };

/** The id of the last user of this browser. Not secret: it shows whether a silent renewal is likely to work. */
const LAST_USER = 'lastUser';
const PERSONAL = ['lastConversationSetup', 'lastSelectedModel', 'lastSelectedTools', 'filesToDelete'];

export function createSessionStore() {
  const store = getDefaultStore();
  const state = atom<SessionState>(CHECKING);
  const boundaries = new Set<() => void>();
  let renewAt = Infinity;
  /** The user whose data the tab may have cached. */
  let owner: string | null = null;
  /** Increases with every sign-in and sign-out, so that a response that was pending during one is dropped. */
  let epoch = 0;

  return {
    state,
    get: () => store.get(state),
    subscribe: (listener: () => void) => store.sub(state, listener),
    /** Calls `listener` whenever the next user must not see what is cached. */
    onBoundary(listener: () => void): void {
      boundaries.add(listener);
    },
    epoch: () => epoch,
    isRenewalDue: () => Date.now() >= renewAt,
    markStale: () => void (renewAt = 0),
    wasSignedIn: () => readText(LAST_USER) !== null,
    notifyBoundary,
    setUnreachable: () => store.set(state, { ...CHECKING, error: { type: 'unavailable' } }),

    setSignedIn({ token, user, mustAddFactor }: Grant): void {
      allowPersonalData();
      if (owner !== null && owner !== user.id) notifyBoundary();
      // A sign-in by OAuth does not call `signIn`.
      if (readText(LAST_USER) !== user.id) clearPersonalStorage();
      owner = user.id;
      renewAt = Date.now() + (msUntilRenewal(token) ?? Infinity);
      writeText(LAST_USER, user.id);
      store.set(state, { status: mustAddFactor ? 'limited' : 'in', token, user, error: null });
    },

    /** The same user, whose name or image may have changed. */
    setUser(user: User): void {
      const now = store.get(state);
      if (now.status === 'in' && now.user.id === user.id) store.set(state, { ...now, user });
    },

    /** The server ended the session: the next sign-in returns to the current page. */
    setExpired(reason: Reason | null): void {
      const { status, user } = store.get(state);
      const userId = user?.id ?? readText(LAST_USER);
      if (userId) rememberReturnPath(userId);
      renewAt = Infinity;
      store.set(state, { ...OUT, error: status === 'in' ? (reason ?? ENDED) : visitorError(reason) });
    },

    setSignedOut(error: Reason | null): void {
      clearPersonalStorage();
      forgetReturnPath();
      removeStored(LAST_USER);
      renewAt = Infinity;
      store.set(state, { ...OUT, error });
      notifyBoundary();
    },
  };

  function notifyBoundary(): void {
    epoch += 1;
    owner = null;
    for (const listener of boundaries) listener();
  }
}

export function clearPersonalStorage(): void {
  for (const key of PERSONAL) removeStored(key);
}

/** A visitor who never had a session gets no message that it ended. */
function visitorError(reason: Reason | null): Reason | null {
  return reason?.type === 'unauthorized' ? null : reason;
}
