import { users } from '@parley/db/tables/users';
import { sweepAccounts } from '@parley/server/trash/sweep-accounts';
import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { openHttpClients, type Browser, type HttpClients } from '../../support/http-clients.ts';
import { exchange, question } from '../../support/exchange.ts';
import { keepTestFile } from '../../support/uploads.ts';
import { keyOf } from '@parley/server/storage/file-store';
import { follow } from '../convos/follow.ts';

vi.setConfig({ testTimeout: 60_000 });

const PASSWORD = 'correct horse battery';
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

let here: HttpClients;
let alice: Browser;
let bob: Browser;

beforeAll(async () => {
  here = await openHttpClients();
  alice = await here.signUp('alice');
  bob = await here.signUp('bob');
});
afterAll(async () => {
  await alice.close();
  await bob.close();
  await here.close();
});

const rest = (browser: { token: string }, method: string, path: string, body?: unknown) =>
  fetch(`http://${here.host}${path}`, {
    method,
    headers: { authorization: `Bearer ${browser.token}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });

/** A call with the cookie, as a browser makes it. */
async function call(path: string, input?: unknown, headers: Record<string, string> = {}) {
  const response = await fetch(`http://${here.host}/trpc/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-app': '1', ...headers },
    ...(input !== undefined && { body: JSON.stringify(input) }),
  });
  const cookie = response.headers.get('set-cookie')?.split(';')[0] ?? '';
  const answer = (await response.json()) as {
    result?: { data: { token: string } };
    error?: { data: { reason: unknown } };
  };
  return {
    status: response.status,
    cookie,
    token: answer.result?.data?.token ?? '',
    reason: answer.error?.data.reason,
  };
}

const signIn = (name: string, userAgent = FIREFOX) =>
  call('auth.login', { email: `${name}@example.com`, password: PASSWORD }, { 'user-agent': userAgent });

describe('the profile', () => {
  it('is changed over REST, and other browsers are told', async () => {
    const feed = await follow(here.services, alice.userId);
    const response = await rest(alice, 'PUT', '/api/user', { name: ' Alice Liddell ', username: 'Alice.L' });
    expect([response.status, await response.json()]).toEqual([
      200,
      expect.objectContaining({ name: 'Alice Liddell', username: 'alice.l', email: 'alice@example.com' }),
    ]);
    await feed.until((change) => change.type === 'settings');
    await feed.leave();
    expect(await alice.api.auth.me.query()).toMatchObject({ name: 'Alice Liddell', username: 'alice.l' });
  });

  it('keeps what is left out, and an empty username is none', async () => {
    expect(await alice.api.account.changeProfile.mutate({ name: 'Alice' })).toMatchObject({ username: 'alice.l' });
    expect(await alice.api.account.changeProfile.mutate({ username: '' })).toMatchObject({
      name: 'Alice',
      username: null,
    });
  });

  it.each([
    [{ name: 'Al' }, 'name: Name must be at least 3 characters'],
    [{ name: 'a'.repeat(80) }, 'name: Name must be less than 80 characters'],
    [{ username: 'a' }, 'username: Username must be at least 2 characters'],
    [{ username: 'a'.repeat(21) }, 'username: Username must be less than 20 characters'],
  ])('%j is refused', async (change, message) => {
    const response = await rest(alice, 'PUT', '/api/user', change);
    expect([response.status, await response.json()]).toEqual([422, { message }]);
  });

  it('gives a username to one person, whoever asks at the same time', async () => {
    const asked = await Promise.all([alice, bob].map((one) => rest(one, 'PUT', '/api/user', { username: 'Same' })));
    expect(asked.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    const refused = asked.find(({ status }) => status === 409);
    expect(await refused?.json()).toEqual({ message: 'This username is taken.' });
  });
});

describe('devices', () => {
  it('are listed with their browsers, this one first', async () => {
    await signIn('bob');
    const devices = await bob.api.account.devices.query();
    expect(devices.map(({ isThis, browser, system }) => ({ isThis, browser, system }))).toEqual([
      { isThis: true, browser: null, system: null },
      { isThis: false, browser: 'Firefox', system: 'Linux' },
    ]);
  });

  it('a renewal tells the browser anew, and is no other device', async () => {
    const { cookie } = await signIn('bob');
    const before = await bob.api.account.devices.query();
    await call('auth.refresh', undefined, { cookie, 'user-agent': `${FIREFOX} Edg/140.0` });
    const after = await bob.api.account.devices.query();
    expect(after).toHaveLength(before.length);
    expect(after[1]).toMatchObject({ id: before[1]?.id, browser: 'Edge' });
  });

  it('one of them is signed out, then all others; those of other people are not', async () => {
    const phone = await signIn('bob');
    const tablet = await signIn('bob');
    const [, newest] = await bob.api.account.devices.query();
    await alice.api.account.signOutDevice.mutate({ id: newest?.id ?? '' });
    expect((await rest(tablet, 'GET', '/api/user')).status).toBe(200);
    await bob.api.account.signOutDevice.mutate({ id: newest?.id ?? '' });
    expect((await rest(tablet, 'GET', '/api/user')).status).toBe(401);
    expect((await rest(phone, 'GET', '/api/user')).status).toBe(200);
    await bob.api.account.signOutOthers.mutate();
    expect((await rest(phone, 'GET', '/api/user')).status).toBe(401);
    expect(await bob.api.account.devices.query()).toHaveLength(1);
    expect((await rest(alice, 'GET', '/api/user')).status).toBe(200);
  });
});

describe('the deletion of an account', () => {
  it('needs the password, or the e-mail address of an account without one', async () => {
    const carol = await here.signUp('carol');
    for (const proof of [{}, { password: 'another one' }, { email: 'carol@example.com' }])
      expect((await rest(carol, 'DELETE', '/api/user', proof)).status).toBe(422);
    await here.services.deps.db.query.update(users).set({ passwordHash: null }).where(eq(users.id, carol.userId));
    expect((await rest(carol, 'DELETE', '/api/user', { email: 'bob@example.com' })).status).toBe(422);
    expect((await rest(carol, 'DELETE', '/api/user', { email: 'Carol@example.com' })).status).toBe(200);
    await carol.close();
  });

  it('signs out everywhere, refuses what comes, and is taken back by who signs in', async () => {
    const dave = await here.signUp('dave');
    const answer = await rest(dave, 'DELETE', '/api/user', { password: PASSWORD });
    const { deletionDueAt: dueAt } = (await answer.json()) as { deletionDueAt: string };
    const leaving = { type: 'account_leaving', dueAt };
    const refused = await rest(dave, 'GET', '/api/convos');
    expect([refused.status, await refused.json()]).toEqual([
      403,
      { message: `This account will be deleted on ${dueAt.slice(0, 10)}. To keep it, sign in to the website.` },
    ]);
    const back = await signIn('dave');
    expect(back).toMatchObject({ status: 403, token: '', reason: leaving });
    const { cookie } = back;
    expect((await fetch(`http://${here.host}/images/${dave.userId}/x.png`, { headers: { cookie } })).status).toBe(401);
    const renewed = await call('auth.refresh', undefined, { cookie });
    expect(renewed).toMatchObject({ status: 403, reason: leaving });
    const kept = await call('account.keep', undefined, { cookie: renewed.cookie });
    expect((await rest(kept, 'GET', '/api/user')).status).toBe(200);
    await dave.close();
  });

  it('takes everything of the person and nothing of others when its time has come', async () => {
    const { deps } = here.services;
    const erin = await here.signUp('erin');
    await exchange(here.services, erin.userId, question('Something to delete', { model: 'gpt-4' }));
    const files = await Promise.all(
      [erin, alice].map(({ userId }) => keepTestFile(deps, userId, { text: 'the same' })),
    );
    await rest(erin, 'DELETE', '/api/user', { password: PASSWORD });
    const forgotten: (readonly string[])[] = [];
    const faults: unknown[] = [];
    const sweeping = {
      ...deps,
      retrieval: { forget: (_userId: string, ids: readonly string[]) => void forgotten.push(ids) },
      onFault: (fault: unknown) => void faults.push(fault),
    };
    await sweepAccounts(sweeping);
    expect(await rows(erin.userId)).toBe(1);
    await deps.db.query
      .update(users)
      .set({ deletionDueAt: sql`now() - interval '1 second'` })
      .where(eq(users.id, erin.userId));
    // Too late: a sign-in at this moment keeps nothing.
    const late = await signIn('erin');
    const [kept] = await Promise.all([
      call('account.keep', undefined, { cookie: late.cookie }),
      sweepAccounts(sweeping),
      sweepAccounts(sweeping),
    ]);
    expect(kept.token).toBe('');
    expect(faults).toEqual([]);
    expect(await rows(erin.userId)).toBe(0);
    expect(forgotten.flat()).toEqual([files[0]?.id]);
    await expect(deps.stores.current.read(keyOf(erin.userId, files[0]?.hash ?? ''))).rejects.toThrow();
    await deps.stores.current.read(keyOf(alice.userId, files[1]?.hash ?? ''));
    expect(await leftOf(erin.userId)).toEqual([]);
    expect((await signIn('erin')).status).toBe(422);
    expect((await rest(alice, 'GET', '/api/user')).status).toBe(200);
    await erin.close();
  });
});

async function rows(userId: string): Promise<number> {
  return (await here.services.deps.db.query.select().from(users).where(eq(users.id, userId))).length;
}

/** The tables that still hold something of this person. */
async function leftOf(userId: string): Promise<string[]> {
  const { sql: run } = here.services.deps.db;
  const tables = await run<{ name: string }[]>`
    select table_name as name from information_schema.columns
    where table_schema = 'public' and column_name = 'user_id'`;
  const left: string[] = [];
  for (const { name } of tables)
    if ((await run`select 1 from ${run(name)} where user_id = ${userId} limit 1`).length > 0) left.push(name);
  expect(tables.length).toBeGreaterThan(20);
  return left;
}
