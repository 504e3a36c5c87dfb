// A person signs in to the API of an action: authorization code with PKCE, over real HTTP, as a browser does it.
import { randomUUID } from 'node:crypto';
import { actions, assistants } from '@parley/db/tables/assistants';
import { connections } from '@parley/db/tables/tools';
import { users } from '@parley/db/tables/users';
import { startFakeApi, type FakeApi } from '@parley/scripts/fake-tools/api';
import type { Action, TriedOperation } from '@parley/schema/assistants/actions';
import { createActions, type Actions } from '@parley/server/actions/actions';
import { loadConfig } from '@parley/server/load-config';
import { loadSecrets } from '@parley/server/config/parts/secrets';
import { createEncryption } from '@parley/server/keys/encryption';
import { createEgress } from '@parley/server/platform/egress';
import { eq, sql } from 'drizzle-orm';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFolder } from '../../support/folders.ts';
import { freePort } from '../../support/free-port.ts';
import { PASSWORD, signUp, type Client as RestClient } from '../../support/rest/client.ts';
import { startTestServer, type TestServer } from '../../support/server.ts';
import { oauthOf, petsInput } from './pets.ts';

type Client = RestClient & { cookie: string };

let api: FakeApi;
let server: TestServer;
let alice: Client;
let action: Action;
/** Another process on the same database. */
let neighbour: Actions;

const CREDS_KEY = 'e'.repeat(64);

beforeAll(async () => {
  api = await startFakeApi();
  const port = await freePort();
  const domain = `http://localhost:${port}`;
  const env = { PORT: `${port}`, DOMAIN_SERVER: domain, EGRESS_ALLOWED_HOSTS: api.host, CREDS_KEY };
  server = await startTestServer({ env });
  const folder = createFolder();
  const config = await loadConfig({ env: { ...env, DATA_DIR: folder }, cwd: folder });
  const { credsKey } = await loadSecrets(folder, config.env);
  neighbour = createActions({
    config,
    db: server.db,
    log: pino({ level: 'silent' }),
    egress: createEgress(config.server.egressAllowedHosts),
    encryption: createEncryption(credsKey, []),
  });
  alice = await arrive('alice');
  action = await saveFor('alice', alice);
});
afterAll(async () => {
  await server.close();
  await api.close();
});

/** A new account that is signed in in a browser, too. */
async function arrive(name: string): Promise<Client> {
  const client = await signUp(server.url, name);
  const response = await fetch(`${server.url}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: `${name}@example.com`, password: PASSWORD }),
  });
  return { ...client, cookie: response.headers.getSetCookie()[0]?.split(';')[0] ?? '' };
}

async function saveFor(name: string, client: Client): Promise<Action> {
  const [user] = await server.db.query.select().from(users).where(eq(users.name, name));
  const assistantId = `asst_${name}`;
  await server.db.query.insert(assistants).values({ userId: user?.id ?? '', id: assistantId, model: 'gpt-4' });
  const auth = oauthOf(api, { grant: 'authorization_code' });
  return call<Action>(client, 'actions.save', { assistantId, ...petsInput(api, auth) });
}

async function waitingLocks(): Promise<number> {
  const rows = await server.db.query.execute(
    sql`select from pg_locks where locktype = 'advisory' and not granted and database =
      (select oid from pg_database where datname = current_database())`,
  );
  return rows.length;
}

/** A mutation over HTTP. */
async function call<T>(client: Client, name: string, input: unknown): Promise<T> {
  const response = await fetch(`${server.url}/trpc/${name}`, {
    method: 'POST',
    headers: { ...client.headers, 'content-type': 'application/json', 'user-agent': 'Mozilla/5.0' },
    body: JSON.stringify(input),
  });
  const answer = (await response.json()) as { result?: { data: T }; error?: { message: string } };
  if (!answer.result) throw new Error(`${name}: ${response.status} ${JSON.stringify(answer)}`);
  return answer.result.data;
}

const tryOut = () =>
  call<TriedOperation>(alice, 'actions.tryOut', { actionId: action.id, operation: 'oauthSecured', args: {} });

/** One page after the other; cookies as a browser has them after a click in the app. */
async function visit(
  url: string,
  cookie: string,
): Promise<{ status: number; location: string; cookie: string; text: string }> {
  const response = await fetch(url, { redirect: 'manual', headers: { cookie } });
  const set = response.headers.getSetCookie().map((one) => one.split(';')[0] ?? '');
  return {
    status: response.status,
    location: response.headers.get('location') ?? '',
    cookie: set.join('; '),
    text: await response.text(),
  };
}

describe('signing in to an action', () => {
  it('is asked for, done once, and then kept by its refresh token', async () => {
    const signedInAt = () =>
      alice.json(`/trpc/actions.signedInAt?input=${encodeURIComponent(JSON.stringify({ actionId: action.id }))}`);
    expect(await signedInAt()).toEqual({ result: { data: null } });
    const before = await tryOut();
    expect(before).toMatchObject({ request: null, reply: null, problem: null });
    const start = await visit(before.signInUrl ?? '', alice.cookie);
    expect(start.status).toBe(302);
    expect(start.location).toContain(`${api.url}/oauth/authorize?response_type=code`);
    const agreed = await visit(start.location, '');
    expect(agreed.location).toContain('/api/connections/callback?code=');
    // A browser sends no strict cookie when another site leads back.
    const back = await visit(agreed.location, start.cookie);
    expect([back.status, back.text]).toEqual([
      200,
      expect.stringContaining(`You are signed in to ${api.host}. Close this page and go on in your chat.`),
    ]);
    expect(await signedInAt()).toEqual({ result: { data: expect.stringMatching(/^\d{4}-.*Z$/) } });
    expect((await tryOut()).reply).toMatchObject({ status: 200, text: '{"secured":"oauth"}' });

    const forms = api.tokenForms.length;
    api.revokeTokens();
    expect((await tryOut()).reply?.status).toBe(200);
    expect(api.tokenForms.slice(forms).map((form) => form.grant_type)).toEqual(['refresh_token']);

    api.revokeTokens();
    api.revokeRefreshTokens();
    expect((await tryOut()).signInUrl).toBe(before.signInUrl);
    expect(await server.db.query.select().from(connections)).toEqual([]);
  });

  it('is not lost when two processes renew a token at once, which is good for one use', async () => {
    const start = await visit((await tryOut()).signInUrl ?? '', alice.cookie);
    await visit((await visit(start.location, '')).location, start.cookie);
    expect((await tryOut()).reply).toMatchObject({ status: 200 });
    const [row] = await server.db.query.select().from(actions).where(eq(actions.id, action.id));
    const operation = row?.settings.operations.find(({ name }) => name === 'oauthSecured');
    if (!row || !operation) throw new Error('The action is gone');
    const there = () => {
      const { signal } = new AbortController();
      return neighbour.run({
        userId: row.userId,
        action: row,
        operation,
        args: {},
        idempotencyKey: randomUUID(),
        signal,
      });
    };
    const forms = api.tokenForms.length;
    api.revokeTokens();
    let release = (): void => undefined;
    api.tokensHeld = new Promise((resolve) => (release = resolve));
    const calls = Promise.all([
      Promise.all(Array.from({ length: 4 }, tryOut)),
      Promise.all(Array.from({ length: 4 }, there)),
    ]);
    // Both processes are about to renew it: one asks for a token, the other does too, or waits.
    await expect.poll(async () => api.tokenForms.length - forms + (await waitingLocks())).toBeGreaterThan(1);
    release();
    const [here, elsewhere] = await calls;
    expect(here.map(({ reply }) => reply?.status)).toEqual([200, 200, 200, 200]);
    expect(elsewhere).toMatchObject(Array.from({ length: 4 }, () => ({ type: 'answered', reply: { status: 200 } })));
    expect(api.tokenForms.slice(forms).map((form) => form.grant_type)).toEqual(['refresh_token']);
    expect(await server.db.query.select().from(connections)).toHaveLength(1);
    await server.db.query.delete(connections);
  });

  it('ends without the cookie of its journey, with a wrong state, or a second time', async () => {
    const start = async () => visit((await tryOut()).signInUrl ?? '', alice.cookie);
    const first = await start();
    const agreed = await visit(first.location, '');
    expect((await visit(agreed.location, '')).status).toBe(403);
    expect((await visit(agreed.location, alice.cookie)).status).toBe(403);
    const wrong = new URL(agreed.location);
    wrong.searchParams.set('state', 'guessed');
    expect((await visit(wrong.href, first.cookie)).status).toBe(403);
    const other = await visit((await start()).location, '');
    expect((await visit(other.location, first.cookie)).status).toBe(403);
    const denied = new URL(agreed.location);
    denied.searchParams.set('error', 'access_denied');
    expect((await visit(denied.href, first.cookie)).status).toBe(403);

    expect((await visit(agreed.location, first.cookie)).status).toBe(200);
    // The code is used up.
    expect((await visit(agreed.location, first.cookie)).status).toBe(502);
  });

  it('begins only for its user, and for actions that one signs in to', async () => {
    const { signInUrl } = await tryOut();
    const url = signInUrl ?? `${server.url}/api/connections/start?service=action:${action.id}`;
    expect((await visit(url, '')).status).toBe(401);
    const bob = await arrive('bob');
    expect((await visit(url, bob.cookie)).status).toBe(404);
    expect((await visit(`${server.url}/api/connections/start?service=mcp:x`, alice.cookie)).status).toBe(404);
    const { id } = await call<Action>(alice, 'actions.save', {
      assistantId: action.assistantId,
      ...petsInput(api, oauthOf(api)),
    });
    const other = `${server.url}/api/connections/start?service=action:${id}`;
    expect((await visit(other, alice.cookie)).status).toBe(404);
  });
});
