// Who is signed in, as far as this tab knows. The bearer lives here, in memory, and nowhere else. The session knows no
// transport: it is handed the calls it makes, so that it can be tried against any server.
import type { Reason } from '@parley/schema/reasons';
import type { User } from '@parley/schema/users';
import { atom, getDefaultStore, type Atom } from 'jotai/vanilla';
import { readText, removeStored, writeText } from '../lib/persist.ts';
import { usableFor } from './bearer.ts';
import { forgetReturnPath, rememberReturnPath } from './return-path.ts';

export type SessionState =
  /** `error` is set while the server could not be asked; the asking goes on. */
  | { status: 'checking'; token: null; user: null; error: Reason | null }
  | { status: 'in'; token: string; user: User; error: null }
  | { status: 'out'; token: null; user: null; error: Reason | null };

export interface Grant {
  token: string;
  user: User;
}

/** What the server said to a request for a new bearer. A network failure is not an answer: it throws. */
export type Renewal = { granted: Grant } | { refused: Reason | null };

export interface SessionDeps {
  renew: () => Promise<Renewal>;
  revoke: (token: string | null) => Promise<unknown>;
  whoIs: (token: string) => Promise<User>;
  /** Runs one thing at a time over every tab of this browser. */
  alone: <T>(work: () => Promise<T>) => Promise<T>;
  /** Ends when the next try should be made. */
  pause: (attempt: number) => Promise<void>;
  /** Tells the other tabs. */
  announce: (news: SessionNews) => void;
}

export type SessionNews = 'signed-in' | 'signed-out';
export type Session = ReturnType<typeof createSession>;

const CHECKING = { status: 'checking', token: null, user: null, error: null } as const;
const OUT = { status: 'out', token: null, user: null, error: null } as const;
const ENDED: Reason = { type: 'unauthorized' };

/** A refresh that cannot reach the server is tried this often before the request that wanted it is told. */
const ATTEMPTS = 3;
/** The id of who used this browser last. Nothing secret: it says whether a silent refresh is likely to work. */
const LAST_USER = 'lastUser';
/** Set while a sign-out has not reached the server yet, whose cookie would otherwise sign the person in again. */
export const SIGN_OUT_PENDING = 'signOutPending';
const PERSONAL = ['lastConversationSetup', 'lastSelectedModel', 'lastSelectedTools', 'filesToDelete'];

/** The session of this tab. */
export function createSession(deps: SessionDeps) {
  const store = getDefaultStore();
  const state = atom<SessionState>(CHECKING);
  const boundaries = new Set<() => void>();
  let renewAt = Infinity;
  let flight: Promise<string | null> | null = null;
  // Raised by every sign-in and sign-out, so that an answer which was under way during one is dropped.
  let epoch = 0;
  // Whose data the tab may have cached.
  let owner: string | null = null;

  return {
    state: state as Atom<SessionState>,
    get: () => store.get(state),
    subscribe: (listener: () => void) => store.sub(state, listener),
    /** Called whenever what was cached for one person must not be seen by the next. */
    onBoundary(listener: () => void): void {
      boundaries.add(listener);
    },
    refresh,
    freshToken,
    renewIfDue,
    markStale: () => void (renewAt = 0),
    wasSignedIn: () => readText(LAST_USER) !== null,
    signIn,
    signOut,
    adoptToken,
    hear,
    load,
  };

  /**
   * A new bearer, asked for once however many want it. Null when there is no session any more (the state says so then).
   * Throws when the server cannot be reached: being offline signs nobody out.
   */
  async function refresh(): Promise<string | null> {
    return store.get(state).status === 'out' ? null : ask();
  }

  /** The bearer, renewed first when it is about to end. */
  async function freshToken(): Promise<string | null> {
    const { token } = store.get(state);
    return token !== null && Date.now() < renewAt ? token : refresh();
  }

  /** Renews a bearer that will end soon; a failure is left to the first request that needs it. */
  async function renewIfDue(): Promise<void> {
    if (store.get(state).status === 'in' && Date.now() >= renewAt) await refresh().catch(() => null);
  }

  /** Runs a sign-in or sign-up alone, so that no refresh of the session before can overwrite its cookie. */
  async function signIn(ask: () => Promise<Grant>): Promise<User> {
    const grant = await deps.alone(ask);
    forgetPersonal();
    removeStored(SIGN_OUT_PENDING);
    cross();
    open(grant);
    deps.announce('signed-in');
    return grant.user;
  }

  /** Signs out here and in every tab at once; the server hears of it as soon as it can. */
  async function signOut(): Promise<void> {
    const { token } = store.get(state);
    writeText(SIGN_OUT_PENDING, '1');
    close(null);
    deps.announce('signed-out');
    await revoke(token);
  }

  /** Takes a bearer from elsewhere (`tokenUpdated`) and keeps the user; without one, asks whose it is. */
  async function adoptToken(token: string): Promise<void> {
    const { user } = store.get(state);
    if (user) return open({ token, user });
    try {
      open({ token, user: await deps.whoIs(token) });
    } catch (error) {
      close({ type: 'unknown', text: error instanceof Error ? error.message : '' });
    }
  }

  /** What another tab did. A sign-in there may be somebody else's, so the cookie is asked. */
  async function hear(news: SessionNews): Promise<void> {
    if (news === 'signed-out') return close(null);
    await ask().catch(() => null);
  }

  /** The silent refresh on load: keeps asking while the server cannot be reached. */
  async function load(): Promise<void> {
    if (readText(SIGN_OUT_PENDING) !== null) {
      close(null);
      return revoke(null);
    }
    for (let attempt = 0; store.get(state).status === 'checking'; attempt += 1) {
      try {
        await ask();
      } catch {
        if (store.get(state).status !== 'checking') return;
        store.set(state, { ...CHECKING, error: { type: 'unavailable' } });
        await deps.pause(attempt);
      }
    }
  }

  function ask(): Promise<string | null> {
    flight ??= renewed().finally(() => (flight = null));
    return flight;
  }

  async function renewed(): Promise<string | null> {
    const asked = epoch;
    const answer = await insist(() => deps.alone(deps.renew));
    if (asked !== epoch) return store.get(state).token;
    if ('refused' in answer) return expire(answer.refused);
    open(answer.granted);
    return answer.granted.token;
  }

  async function insist<T>(work: () => Promise<T>): Promise<T> {
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await work();
      } catch (error) {
        if (attempt + 1 >= ATTEMPTS || store.get(state).status !== 'in') throw error;
        await deps.pause(attempt);
      }
    }
  }

  function open({ token, user }: Grant): void {
    if (owner !== null && owner !== user.id) cross();
    // By another site one signs in without passing here.
    if (readText(LAST_USER) !== user.id) forgetPersonal();
    owner = user.id;
    renewAt = Date.now() + (usableFor(token) ?? Infinity);
    writeText(LAST_USER, user.id);
    store.set(state, { status: 'in', token, user, error: null });
  }

  /** The session ended by itself: whoever had it comes back to where they were. */
  function expire(reason: Reason | null): null {
    const { status, user } = store.get(state);
    const userId = user?.id ?? readText(LAST_USER);
    if (userId) rememberReturnPath(userId);
    renewAt = Infinity;
    store.set(state, { ...OUT, error: status === 'in' ? (reason ?? ENDED) : worthSaying(reason) });
    return null;
  }

  function close(error: Reason | null): void {
    forgetPersonal();
    forgetReturnPath();
    removeStored(LAST_USER);
    renewAt = Infinity;
    store.set(state, { ...OUT, error });
    cross();
  }

  function cross(): void {
    epoch += 1;
    owner = null;
    for (const listener of boundaries) listener();
  }

  async function revoke(token: string | null): Promise<void> {
    try {
      await deps.alone(() => deps.revoke(token));
      removeStored(SIGN_OUT_PENDING);
    } catch {
      // The next load tells the server again, before anything else.
    }
  }
}

/** A visitor who never had a session is not told that it ended. */
function worthSaying(reason: Reason | null): Reason | null {
  return reason?.type === 'unauthorized' ? null : reason;
}

function forgetPersonal(): void {
  for (const key of PERSONAL) removeStored(key);
}
