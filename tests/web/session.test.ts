// @vitest-environment happy-dom
import type { User } from '@parley/schema/users';
import { TRPCClientError, type Operation, type OperationResultEnvelope } from '@trpc/client';
import { observable } from '@trpc/server/observable';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { usableFor } from '../../web/src/auth/bearer.ts';
import { refreshLink } from '../../web/src/auth/refresh-link.ts';
import { takeReturnPath } from '../../web/src/auth/return-path.ts';
import { createSession, type Renewal, type SessionDeps } from '../../web/src/auth/session.ts';

const alice = person('alice');
const bob = person('bob');

beforeEach(() => {
  localStorage.clear();
  sessionStorage.clear();
  window.history.replaceState(null, '', '/c/new');
});

describe('loading the page', () => {
  test('a live cookie signs in without a word', async () => {
    const { session } = tab({ renew: async () => ({ granted: { token: 't1', user: alice } }) });
    await session.load();
    expect(session.get()).toMatchObject({ status: 'in', token: 't1', user: alice });
  });

  test('no cookie signs out, without an error on a first visit', async () => {
    const { session } = tab({ renew: async () => ({ refused: null }) });
    await session.load();
    expect(session.get()).toEqual({ status: 'out', token: null, user: null, error: null });
  });

  test('a banned account is told so', async () => {
    const { session } = tab({ renew: async () => ({ refused: { type: 'banned', until: null } }) });
    await session.load();
    expect(session.get()).toMatchObject({ status: 'out', error: { type: 'banned' } });
  });

  test('a server that cannot be reached is asked until it can', async () => {
    const answers = [
      offline,
      offline,
      offline,
      async (): Promise<Renewal> => ({ granted: { token: 't', user: alice } }),
    ];
    const seen: string[] = [];
    const { session } = tab({ renew: () => (answers.shift() ?? offline)() });
    session.subscribe(() => seen.push(`${session.get().status} ${session.get().error?.type ?? ''}`.trim()));
    await session.load();
    expect(seen[0]).toBe('checking unavailable');
    expect(seen.at(-1)).toBe('in');
  });
});

describe('refreshing', () => {
  test('everybody who asks at once shares one refresh', async () => {
    const { session, renew } = await signedIn();
    const tokens = await Promise.all([session.refresh(), session.refresh(), session.refresh()]);
    expect(tokens).toEqual(['renewed', 'renewed', 'renewed']);
    expect(renew).toHaveBeenCalledTimes(1);
  });

  test('being offline fails the request and signs nobody out', async () => {
    const { session } = await signedIn({ renew: offline });
    await expect(session.refresh()).rejects.toThrow('offline');
    expect(session.get()).toMatchObject({ status: 'in', user: alice });
  });

  test('a bearer that is about to end is renewed before it is used', async () => {
    const { session, renew } = await signedIn();
    expect(await session.freshToken()).toBe('first');
    session.markStale();
    expect(await session.freshToken()).toBe('renewed');
    expect(renew).toHaveBeenCalledTimes(1);
  });

  test('an answer that was on its way during a sign-out is dropped', async () => {
    let answer: (renewal: Renewal) => void = () => undefined;
    const { session } = await signedIn({ renew: () => new Promise((resolve) => (answer = resolve)) });
    const refresh = session.refresh();
    await session.signOut();
    answer({ granted: { token: 'late', user: alice } });
    expect(await refresh).toBeNull();
    expect(session.get().status).toBe('out');
  });

  test('nobody is refreshed after signing out', async () => {
    const { session, renew } = await signedIn();
    await session.signOut();
    expect(await session.refresh()).toBeNull();
    expect(await session.freshToken()).toBeNull();
    expect(renew).not.toHaveBeenCalled();
  });

  test('a token says how long it is good for whatever this machine thinks the time is', () => {
    expect(usableFor(bearer({ iat: 1_000, exp: 1_900 }))).toBe(840_000);
    expect(usableFor(bearer({ iat: 9_999_999_000, exp: 9_999_999_030 }))).toBe(15_000);
    expect(usableFor(bearer({}))).toBeNull();
    expect(usableFor('nonsense')).toBeNull();
  });
});

describe('a session that ends by itself', () => {
  test('brings its owner back to the conversation, once, and nobody else', async () => {
    const { session } = await signedIn({ renew: async () => ({ refused: null }) });
    window.history.replaceState(null, '', '/c/lisbon');
    await session.refresh();
    expect(session.get()).toMatchObject({ status: 'out', error: { type: 'unauthorized' } });
    expect(takeReturnPath(bob.id)).toBe('/c/new');

    await session.signIn(async () => ({ token: 'again', user: alice }));
    await session.refresh();
    expect(takeReturnPath(alice.id)).toBe('/c/lisbon');
    expect(takeReturnPath(alice.id)).toBe('/c/new');
  });

  test('one that ended before the page was loaded does so too', async () => {
    const first = await signedIn();
    expect(first.session.wasSignedIn()).toBe(true);
    window.history.replaceState(null, '', '/c/lisbon');
    const { session } = tab({ renew: async () => ({ refused: null }) });
    await session.load();
    expect(takeReturnPath(alice.id)).toBe('/c/lisbon');
  });
});

describe('signing in and out', () => {
  const personal = ['lastConversationSetup', 'lastSelectedModel', 'lastSelectedTools', 'filesToDelete'];
  const stored = () => personal.filter((key) => localStorage.getItem(key) !== null);

  test.each(['in', 'out'] as const)('signing %s forgets what was kept for the last person', async (way) => {
    const { session } = await signedIn();
    const forget = vi.fn();
    session.onBoundary(forget);
    for (const key of personal) localStorage.setItem(key, '{}');
    await (way === 'in' ? session.signIn(async () => ({ token: 'b', user: bob })) : session.signOut());
    expect(stored()).toEqual([]);
    expect(forget).toHaveBeenCalled();
  });

  test('a failed sign-in changes nothing', async () => {
    const { session } = tab();
    await expect(session.signIn(offline)).rejects.toThrow('offline');
    expect(session.get().status).toBe('checking');
  });

  test('a sign-out that does not reach the server is made up for on the next load, and signs nobody in', async () => {
    const { session } = await signedIn({ revoke: offline });
    await session.signOut();
    expect(session.get().status).toBe('out');

    const revoke = vi.fn(async () => null);
    const renew = vi.fn(async (): Promise<Renewal> => ({ granted: { token: 't', user: alice } }));
    const next = tab({ revoke, renew });
    await next.session.load();
    expect(next.session.get().status).toBe('out');
    expect(revoke).toHaveBeenCalledTimes(1);
    expect(renew).not.toHaveBeenCalled();
  });

  test('the other tabs hear of both', async () => {
    const { session, announce } = await signedIn();
    await session.signOut();
    expect(announce.mock.calls).toEqual([['signed-in'], ['signed-out']]);
  });

  test('a tab that hears of a sign-out is out, of a sign-in asks whose it is', async () => {
    const forget = vi.fn();
    const { session } = await signedIn({ renew: async () => ({ granted: { token: 'b', user: bob } }) });
    session.onBoundary(forget);
    await session.hear('signed-in');
    expect(session.get()).toMatchObject({ status: 'in', user: bob });
    expect(forget).toHaveBeenCalledTimes(1);
    await session.hear('signed-out');
    expect(session.get().status).toBe('out');
  });

  test('a token from elsewhere replaces the bearer and keeps the user', async () => {
    const { session } = await signedIn();
    await session.adoptToken('other');
    expect(session.get()).toMatchObject({ status: 'in', token: 'other', user: alice });
  });

  test('a token that nobody can be found for is an error, not a session', async () => {
    const { session } = tab({ whoIs: offline });
    await session.adoptToken('other');
    expect(session.get()).toMatchObject({ status: 'out', error: { type: 'unknown', text: 'offline' } });
  });
});

describe('a request that gets a 401', () => {
  test('is sent once more after one refresh, however many there are', async () => {
    const { session, renew } = await signedIn();
    const server = listening(() => session.get().token === 'renewed');
    const answers = await Promise.all([1, 2, 3].map((id) => call(session, server, id)));
    expect(answers).toEqual(['ok 1', 'ok 2', 'ok 3']);
    expect(renew).toHaveBeenCalledTimes(1);
    expect(server.requests).toHaveLength(6);
  });

  test('that arrives after the refresh of another is only sent again', async () => {
    const { session, renew } = await signedIn();
    const server = listening(() => session.get().token === 'renewed');
    const slow = call(session, { ...server, delay: 30 }, 1);
    await call(session, server, 2);
    expect(await slow).toBe('ok 1');
    expect(renew).toHaveBeenCalledTimes(1);
  });

  test('is retried once, not for ever', async () => {
    const { session, renew } = await signedIn();
    const server = listening(() => false);
    await expect(call(session, server, 1)).rejects.toThrow('unauthorized');
    expect(server.requests).toHaveLength(2);
    expect(renew).toHaveBeenCalledTimes(1);
  });

  test('is not sent as somebody else', async () => {
    const { session } = await signedIn({ renew: async () => ({ granted: { token: 'b', user: bob } }) });
    const server = listening(() => session.get().token === 'b');
    await expect(call(session, server, 1)).rejects.toThrow('unauthorized');
    expect(server.requests).toHaveLength(1);
  });

  test('fails with it when the session is over or the server is out of reach', async () => {
    for (const renew of [async (): Promise<Renewal> => ({ refused: null }), offline]) {
      const { session } = await signedIn({ renew });
      await expect(
        call(
          session,
          listening(() => false),
          1,
        ),
      ).rejects.toThrow('unauthorized');
    }
  });

  test('of another kind of failure is left alone', async () => {
    const { session, renew } = await signedIn();
    const server = listening(() => false, 404);
    await expect(call(session, server, 1)).rejects.toThrow();
    expect(renew).not.toHaveBeenCalled();
  });
});

function tab(calls: Partial<SessionDeps> = {}) {
  const renew = vi.fn(calls.renew ?? (async (): Promise<Renewal> => ({ granted: { token: 'renewed', user: alice } })));
  const announce = vi.fn();
  const session = createSession({
    revoke: async () => null,
    whoIs: async () => alice,
    alone: (work) => work(),
    pause: async () => undefined,
    ...calls,
    renew,
    announce,
  });
  return { session, renew, announce };
}

async function signedIn(calls: Partial<SessionDeps> = {}) {
  const made = tab(calls);
  await made.session.signIn(async () => ({ token: 'first', user: alice }));
  return made;
}

interface Listening {
  requests: Operation[];
  isLetIn: () => boolean;
  status: number;
  delay: number;
}

function listening(isLetIn: () => boolean, status = 401): Listening {
  return { requests: [], isLetIn, status, delay: 0 };
}

/** Sends one operation through the link to a transport that answers a moment later. */
function call(session: ReturnType<typeof tab>['session'], server: Listening, id: number): Promise<unknown> {
  const current = () => {
    const { token, user } = session.get();
    return token === null ? null : { token, userId: user.id };
  };
  const op: Operation = { id, type: 'query', path: 'convos.list', input: null, context: {}, signal: null };
  const link = refreshLink({ current, refresh: session.refresh })({});
  return new Promise((resolve, reject) => {
    link({ op, next: (sent) => answer(server, sent) }).subscribe({
      next: ({ result }) => resolve('data' in result ? result.data : null),
      error: reject,
    });
  });
}

function answer(server: Listening, op: Operation) {
  return observable<OperationResultEnvelope<unknown, TRPCClientError<never>>, TRPCClientError<never>>((observer) => {
    server.requests.push(op);
    const isLetIn = server.isLetIn();
    const timer = setTimeout(() => {
      if (!isLetIn) return observer.error(refused(server.status));
      observer.next({ result: { type: 'data', data: `ok ${op.id}` } });
      observer.complete();
    }, server.delay);
    return () => clearTimeout(timer);
  });
}

function refused(httpStatus: number): TRPCClientError<never> {
  const error = { message: 'unauthorized', code: -32001, data: { httpStatus } };
  return TRPCClientError.from({ error });
}

async function offline(): Promise<never> {
  throw new Error('offline');
}

function bearer(claims: object): string {
  return `head.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.signature`;
}

function person(name: string): User {
  return {
    id: name,
    provider: 'local',
    email: `${name}@example.com`,
    name,
    username: null,
    avatar: null,
    role: 'USER',
    emailVerified: false,
    plugins: [],
    createdAt: '2024-05-01T00:00:00.000Z',
    updatedAt: '2024-05-01T00:00:00.000Z',
  };
}
