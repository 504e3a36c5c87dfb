// REQUIRE_SECOND_FACTOR: anyone who has none can only add it. Then the same session is whole.
import { factors, users } from '@parley/db/tables/users';
import { routes } from '@parley/server/rest/routes';
import { appRouter } from '@parley/server/router';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { authenticatorCode } from '../../../support/accounts/authenticator-app.ts';
import { closeCodeOf, openHttpClients, type Browser, type HttpClients } from '../../../support/http-clients.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const MISSING = { data: { httpStatus: 403, reason: { type: 'factor_missing' } } };
/** What a person without the factor may do. What is public is not counted. */
const ALLOWED = [
  'auth.me',
  'auth.factors.status',
  'auth.factors.beginApp',
  'auth.factors.confirmApp',
  'auth.passkeys.begin',
  'auth.passkeys.add',
  'auth.stepUp.prove',
];
const PROCEDURES = Object.entries<{ _def: { type: string } }>(appRouter._def.procedures as never);

let clients: HttpClients;
/** The first account, which is an administrator. */
let admin: Browser;
let user: Browser;

beforeAll(async () => {
  // A step of the clock must not end between a code and its proof.
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
  clients = await openHttpClients({ env: { REQUIRE_SECOND_FACTOR: 'admins' } });
  admin = await clients.signUp('alice');
  user = await clients.signUp('bob');
});
afterAll(async () => {
  vi.useRealTimers();
  await admin.close();
  await user.close();
  await clients.close();
});

function bearer(token: string | null): Record<string, string> {
  return token === null ? {} : { authorization: `Bearer ${token}` };
}

/** Why a procedure refuses a call without an input. */
async function reasonOf(name: string, type: string, token: string | null): Promise<string | undefined> {
  const method = type === 'mutation' ? 'POST' : 'GET';
  const headers = { 'content-type': 'application/json', ...bearer(token) };
  const response = await fetch(`http://${clients.host}/trpc/${name}`, { method, headers });
  const text = await response.text();
  // A stream of events tells the refusal as one.
  return /"reason":\{"type":"(\w+)"/.exec(text)?.[1];
}

async function rest(method: string, path: string, token = admin.token): Promise<Response> {
  return fetch(`http://${clients.host}${path.replaceAll(/:\w+/g, 'x')}`, { method, headers: bearer(token) });
}

/** A sign-in with the password alone. */
async function signIn(name: string): Promise<{ token: string; mustAddFactor?: boolean }> {
  const body = JSON.stringify({ email: `${name}@example.com`, password: 'correct horse battery' });
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(`http://${clients.host}/api/auth/login`, { method: 'POST', headers, body });
  return response.json() as never;
}

async function addApp(): Promise<void> {
  const { id, secret } = await admin.api.auth.factors.beginApp.mutate();
  expect(await admin.api.auth.factors.confirmApp.mutate({ id, code: authenticatorCode(secret) })).toHaveLength(10);
}

test('a person without the factor is refused everything but the way to it, by every protocol', async () => {
  expect(await signIn('alice')).toMatchObject({ mustAddFactor: true });
  expect(await signIn('bob')).not.toHaveProperty('mustAddFactor');
  expect(await user.api.convos.list.query({})).toMatchObject({ convos: [] });
  expect(await admin.api.auth.me.query()).toMatchObject({ email: 'alice@example.com' });
  expect(await admin.api.auth.factors.status.query()).toMatchObject({ app: null, passkeys: [] });

  const open = PROCEDURES.map(async ([name, { _def }]) => {
    if ((await reasonOf(name, _def.type, null)) !== 'unauthorized') return [];
    return (await reasonOf(name, _def.type, admin.token)) === 'factor_missing' ? [] : [name];
  });
  expect((await Promise.all(open)).flat().toSorted()).toEqual(ALLOWED.toSorted());

  const openPaths = routes.map(async ({ method, path, isPublic }) => {
    if (isPublic || path === '/api/auth/logout') return [];
    return (await rest(method, path)).status === 403 ? [] : [`${method} ${path}`];
  });
  expect((await Promise.all(openPaths)).flat()).toEqual([
    'GET /api/user',
    'GET /api/auth/2fa/enable',
    'POST /api/auth/2fa/verify',
    'POST /api/auth/2fa/confirm',
  ]);
  for (const [method, path] of [
    ['POST', '/api/import'],
    ['GET', '/api/export'],
    ['POST', '/api/files'],
  ] as const)
    expect([path, (await rest(method, path)).status]).toEqual([path, 403]);
  expect(await (await rest('GET', '/api/convos')).text()).toContain('second factor');

  const socket = clients.openSocket();
  socket.once('open', () => socket.send(JSON.stringify({ method: 'connectionParams', data: { token: admin.token } })));
  expect(await closeCodeOf(socket)).toBe(4401);
});

test('with the factor the same session is whole at once, and keeps one as long as it has to', async () => {
  await addApp();
  expect(await admin.api.convos.list.query({})).toMatchObject({ convos: [] });
  expect((await rest('GET', '/api/convos')).status).toBe(200);
  const { app } = await admin.api.auth.factors.status.query();
  await expect(admin.api.auth.factors.remove.mutate({ id: app?.id ?? '' })).rejects.toMatchObject({
    data: { httpStatus: 409, reason: { type: 'last_factor' } },
  });

  const { key } = await admin.api.apiKeys.create.mutate({ name: 'A script', scopes: ['models'] });
  const models = () => fetch(`http://${clients.host}/v1/models`, { headers: bearer(key) });
  expect((await models()).status).toBe(200);

  // Another administrator takes it away: sessions and keys follow within seconds.
  await clients.services.deps.db.query.delete(factors).where(eq(factors.userId, admin.userId));
  await expect.poll(async () => (await models()).status, { timeout: 60_000 }).toBe(403);
  expect(await (await models()).json()).toMatchObject({ error: { code: 'second_factor_missing' } });
  await expect.poll(() => reasonOf('convos.list', 'query', admin.token), { timeout: 60_000 }).toBe('factor_missing');
  await expect(admin.api.convos.list.query({})).rejects.toMatchObject(MISSING);
  await addApp();
  expect((await models()).status).toBe(200);
});

test('a person who becomes an administrator is asked as well', async () => {
  await clients.services.deps.db.query.update(users).set({ role: 'ADMIN' }).where(eq(users.id, user.userId));
  await expect.poll(() => reasonOf('convos.list', 'query', user.token), { timeout: 60_000 }).toBe('factor_missing');
});
