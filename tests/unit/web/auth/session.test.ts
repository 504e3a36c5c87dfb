// @vitest-environment happy-dom
import type { Reason } from '@parley/schema/reasons';
import type { User } from '@parley/schema/accounts/users';
import { TRPCClientError, type Operation, type OperationResultEnvelope } from '@trpc/client';
import { observable } from '@trpc/server/observable';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { writeText } from '../../../../web/src/lib/storage.ts';
import { msUntilRenewal } from '../../../../web/src/session/access-token.ts';
import { refreshLink } from '../../../../web/src/session/refresh-link.ts';
import { takeReturnPath } from '../../../../web/src/session/return-path.ts';
import { createSession, SIGN_OUT_PENDING, type SessionDeps } from '../../../../web/src/session/session.ts';
import type { Renewal } from '../../../../web/src/session/token-renewal.ts';

const alice = person('alice');
const bob = person('bob');

beforeEach(() => {
  localStorage.clear();
  sessionStorage.clear();
  window.history.replaceState(null, '', '/c/new');
});

describe('loading the page', () => {
  test('signs in with a valid cookie', async () => {
    const { session } = tab({ renew: async () => ({ granted: { token: 't1', user: alice } }) });
    await session.load();
    expect(session.get()).toMatchObject({ status: 'in', token: 't1', user: alice });
  });

  test('signs out without a cookie, without an error on a first visit', async () => {
    const { session } = tab({ renew: async () => ({ refused: null }) });
    await session.load();
    expect(session.get()).toEqual({ status: 'out', token: null, user: null, error: null });
  });

  test('says when the account is banned', async () => {
    const { session } = tab({ renew: async () => ({ refused: { type: 'banned', until: null } }) });
    await session.load();
    expect(session.get()).toMatchObject({ status: 'out', error: { type: 'banned' } });
  });

  test('retries until an unreachable server answers', async () => {
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
  test('is shared by everybody who needs it at once', async () => {
    const { session, renew } = await signedIn();
    const tokens = await Promise.all([session.refresh(), session.refresh(), session.refresh()]);
    expect(tokens).toEqual(['renewed', 'renewed', 'renewed']);
    expect(renew).toHaveBeenCalledTimes(1);
  });

  test('fails the request while offline and signs no one out', async () => {
    const { session } = await signedIn({ renew: offline });
    await expect(session.refresh()).rejects.toThrow('offline');
    expect(session.get()).toMatchObject({ status: 'in', user: alice });
  });

  test('happens before an expiring access token is used', async () => {
    const { session, renew } = await signedIn();
    expect(await session.freshToken()).toBe('first');
    session.markStale();
    expect(await session.freshToken()).toBe('renewed');
    expect(renew).toHaveBeenCalledTimes(1);
  });

  test('during a sign-out is dropped', async () => {
    let answer: (renewal: Renewal) => void = () => undefined;
    const { session } = await signedIn({ renew: () => new Promise((resolve) => (answer = resolve)) });
    const refresh = session.refresh();
    await session.signOut();
    answer({ granted: { token: 'late', user: alice } });
    expect(await refresh).toBeNull();
    expect(session.get().status).toBe('out');
  });

  test('does not happen after signing out', async () => {
    const { session, renew } = await signedIn();
    await session.signOut();
    expect(await session.refresh()).toBeNull();
    expect(await session.freshToken()).toBeNull();
    expect(renew).not.toHaveBeenCalled();
  });

  test('uses the lifetime of the token, whatever the clock of this machine shows', () => {
    expect(msUntilRenewal(bearer({ iat: 1_000, exp: 1_900 }))).toBe(840_000);
    expect(msUntilRenewal(bearer({ iat: 9_999_999_000, exp: 9_999_999_030 }))).toBe(15_000);
    expect(msUntilRenewal(bearer({}))).toBeNull();
    expect(msUntilRenewal('nonsense')).toBeNull();
  });
});

describe('a session that expires', () => {
  test('returns its owner, and nobody else, to the conversation once', async () => {
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

  test('signs out before the page is loaded, too', async () => {
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

  test.each(['in', 'out'] as const)('as %s clears the data of the previous user', async (way) => {
    const { session } = await signedIn();
    const forget = vi.fn();
    session.onBoundary(forget);
    for (const key of personal) localStorage.setItem(key, '{}');
    await (way === 'in' ? session.signIn(async () => ({ token: 'b', user: bob })) : session.signOut());
    expect(stored()).toEqual([]);
    expect(forget).toHaveBeenCalled();
  });

  test('out, here or in another tab, clears the storage permanently', async () => {
    const device = { 'color-theme': 'dark', lang: 'de-DE', navVisible: 'false', 'react-resizable-panels:layout': '[]' };
    for (const hear of [false, true]) {
      const { session } = await signedIn();
      for (const [key, value] of Object.entries(device)) localStorage.setItem(key, value);
      for (const key of ['drafts:alice', 'outbox:alice:1', 'branches', 'lastBingSettings', 'of some later feature'])
        localStorage.setItem(key, 'private');
      sessionStorage.setItem('freshChoices', 'private');
      await (hear ? session.handleNews('signed-out') : session.signOut());
      // What a screen writes while it is leaving.
      writeText('places', 'private');
      writeText('returnPath', 'private', 'sessionStorage');
      localStorage.removeItem(SIGN_OUT_PENDING);
      expect({ ...localStorage }).toEqual(device);
      expect({ ...sessionStorage }).toEqual({});
    }
  });

  test('keeps unsent text when the session has expired', async () => {
    const { session } = await signedIn({ renew: async () => ({ refused: null }) });
    localStorage.setItem('drafts:alice', 'half a thought');
    localStorage.setItem('outbox:alice:1', 'not sent yet');
    await session.refresh();
    expect(session.get().status).toBe('out');
    expect(localStorage.getItem('drafts:alice')).toBe('half a thought');
    expect(localStorage.getItem('outbox:alice:1')).toBe('not sent yet');
  });

  test('changes nothing after an error', async () => {
    const { session } = tab();
    await expect(session.signIn(offline)).rejects.toThrow('offline');
    expect(session.get().status).toBe('checking');
  });

  test('out without reaching the server is repeated on the next load, and signs nobody in', async () => {
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

  test('is announced to the other tabs', async () => {
    const { session, broadcast } = await signedIn();
    await session.signOut();
    expect(broadcast.mock.calls).toEqual([['signed-in'], ['signed-out']]);
  });

  test('follows another tab that signs out or in', async () => {
    const forget = vi.fn();
    const { session } = await signedIn({ renew: async () => ({ granted: { token: 'b', user: bob } }) });
    session.onBoundary(forget);
    await session.handleNews('signed-in');
    expect(session.get()).toMatchObject({ status: 'in', user: bob });
    expect(forget).toHaveBeenCalledTimes(1);
    await session.handleNews('signed-out');
    expect(session.get().status).toBe('out');
  });

  test('replaces the access token and keeps the user with a token from elsewhere', async () => {
    const { session } = await signedIn();
    await session.adoptToken('other');
    expect(session.get()).toMatchObject({ status: 'in', token: 'other', user: alice });
  });

  test("is an error when the token's user is not found", async () => {
    const { session } = tab({ fetchUser: offline });
    await session.adoptToken('other');
    expect(session.get()).toMatchObject({ status: 'out', error: { type: 'unknown', text: 'offline' } });
  });
});

describe('a request with a 401 response', () => {
  test('is repeated once after one refresh, however many there are', async () => {
    const { session, renew } = await signedIn();
    const server = listening(() => session.get().token === 'renewed');
    const answers = await Promise.all([1, 2, 3].map((id) => call(session, server, id)));
    expect(answers).toEqual(['ok 1', 'ok 2', 'ok 3']);
    expect(renew).toHaveBeenCalledTimes(1);
    expect(server.requests).toHaveLength(6);
  });

  test('is repeated without a refresh when it arrives after the refresh of another', async () => {
    const { session, renew } = await signedIn();
    const server = listening(() => session.get().token === 'renewed');
    const slow = call(session, { ...server, delay: 30 }, 1);
    await call(session, server, 2);
    expect(await slow).toBe('ok 1');
    expect(renew).toHaveBeenCalledTimes(1);
  });

  test('is repeated once, not forever', async () => {
    const { session, renew } = await signedIn();
    const server = listening(() => false);
    await expect(call(session, server, 1)).rejects.toThrow('unauthorized');
    expect(server.requests).toHaveLength(2);
    expect(renew).toHaveBeenCalledTimes(1);
  });

  test('is not repeated for another user', async () => {
    const { session } = await signedIn({ renew: async () => ({ granted: { token: 'b', user: bob } }) });
    const server = listening(() => session.get().token === 'b');
    await expect(call(session, server, 1)).rejects.toThrow('unauthorized');
    expect(server.requests).toHaveLength(1);
  });

  test('fails when the session is over or the server unreachable', async () => {
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

  test('is like the refusal of a session that lacks a second factor: a renewal tells that it is limited', async () => {
    const limited = { granted: { token: 'limited', user: alice, mustAddFactor: true } };
    const { session, renew } = await signedIn({ renew: async () => limited });
    const server = listening(() => false, 403, { type: 'factor_missing' });
    await expect(call(session, server, 1)).rejects.toThrow();
    expect(session.get()).toMatchObject({ status: 'limited', token: 'limited', user: alice });
    expect(renew).toHaveBeenCalledTimes(1);
    // With the factor it is whole again.
    renew.mockResolvedValue({ granted: { token: 'whole', user: alice } });
    expect(await session.refresh()).toBe('whole');
    expect(session.get().status).toBe('in');
  });

  test('differs from other failures, which are not repeated', async () => {
    const { session, renew } = await signedIn();
    const server = listening(() => false, 404);
    await expect(call(session, server, 1)).rejects.toThrow();
    expect(renew).not.toHaveBeenCalled();
  });
});

function tab(calls: Partial<SessionDeps> = {}) {
  const renew = vi.fn(calls.renew ?? (async (): Promise<Renewal> => ({ granted: { token: 'renewed', user: alice } })));
  const broadcast = vi.fn();
  const session = createSession({
    revoke: async () => null,
    fetchUser: async () => alice,
    exclusive: (work) => work(),
    waitForRetry: async () => undefined,
    ...calls,
    renew,
    broadcast,
  });
  return { session, renew, broadcast };
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
  reason: Reason | null;
  delay: number;
}

function listening(isLetIn: () => boolean, status = 401, reason: Reason | null = null): Listening {
  return { requests: [], isLetIn, status, reason, delay: 0 };
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
      if (!isLetIn) return observer.error(refused(server));
      observer.next({ result: { type: 'data', data: `ok ${op.id}` } });
      observer.complete();
    }, server.delay);
    return () => clearTimeout(timer);
  });
}

function refused({ status: httpStatus, reason }: Listening): TRPCClientError<never> {
  const error = { message: 'unauthorized', code: -32001, data: { httpStatus, reason } };
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
