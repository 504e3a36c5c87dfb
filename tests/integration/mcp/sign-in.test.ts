// A person signs in to an MCP server: discovery, registration, consent, tokens that are renewed, over real HTTP as a
// browser does it.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connections } from '@parley/db/tables/tools';
import { users } from '@parley/db/tables/users';
import { startFakeMcpServer, type FakeMcpServer } from '@parley/scripts/fake-tools/mcp-server';
import type { McpServer } from '@parley/schema/tools/mcp-servers';
import { createEncryption } from '@parley/server/keys/encryption';
import { loadConfig } from '@parley/server/load-config';
import { loadSecrets } from '@parley/server/config/parts/secrets';
import { createMcp, type Mcp } from '@parley/server/mcp/mcp';
import { createEgress } from '@parley/server/platform/egress';
import { eq } from 'drizzle-orm';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { freePort } from '../../support/free-port.ts';
import { PASSWORD, signUp, type Client as RestClient } from '../../support/rest/client.ts';
import { startTestServer, type TestServer } from '../../support/server.ts';
import { callTool, choosing, toolOf } from '../../support/tools/tool-run.ts';

type Client = RestClient & { cookie: string; userId: string };

const CREDS_KEY = 'f'.repeat(64);

let fake: FakeMcpServer;
let server: TestServer;
let alice: Client;
let bob: Client;
let id: string;
/** Another process on the same database. */
let mcp: Mcp;
let folder: string;

beforeAll(async () => {
  fake = await startFakeMcpServer({ auth: { type: 'oauth' } });
  const domain = `http://localhost:${await freePort()}`;
  const env = {
    DOMAIN_SERVER: domain,
    PORT: new URL(domain).port,
    EGRESS_ALLOWED_HOSTS: fake.host,
    MCP_USER_SERVERS: 'on',
    CREDS_KEY,
  };
  server = await startTestServer({ env });
  folder = mkdtempSync(join(tmpdir(), 'parley-mcp-'));
  const config = await loadConfig({ env: { ...env, DATA_DIR: folder }, cwd: folder });
  const secrets = await loadSecrets(folder, config.env);
  mcp = createMcp({
    config,
    db: server.db,
    log: pino({ level: 'silent' }),
    egress: createEgress(config.server.egressAllowedHosts),
    encryption: createEncryption(secrets.credsKey, []),
    stores: { current: never(), all: [], of: never },
    timings: { toolListMs: 60_000, toolServerMs: 60_000 },
  });
  alice = await arrive('alice');
  bob = await arrive('bob');
});
afterAll(async () => {
  await mcp.close();
  await server.close();
  await fake.close();
  rmSync(folder, { recursive: true, force: true });
});

beforeEach(async () => {
  const added = await call<McpServer>(alice, 'mcp.add', { name: 'Mail', url: fake.url, auth: 'oauth' });
  id = added.id;
  fake.authorizations.tokenSeconds = 3600;
  fake.authorizations.isDown = false;
  return async () => {
    await call(alice, 'mcp.remove', { id });
  };
});

/** No file is kept here. */
function never(): never {
  return undefined as never;
}

/** A new account that is signed in in a browser, too. */
async function arrive(name: string): Promise<Client> {
  const client = await signUp(server.url, name);
  const response = await fetch(`${server.url}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: `${name}@example.com`, password: PASSWORD }),
  });
  const [user] = await server.db.query.select().from(users).where(eq(users.name, name));
  return { ...client, cookie: response.headers.getSetCookie()[0]?.split(';')[0] ?? '', userId: user?.id ?? '' };
}

/** A mutation over HTTP. */
async function call<T>(client: Client, name: string, input: unknown): Promise<T> {
  const response = await fetch(`${server.url}/trpc/${name}`, {
    method: 'POST',
    headers: { ...client.headers, 'content-type': 'application/json', 'user-agent': 'Mozilla/5.0' },
    body: JSON.stringify(input),
  });
  const answer = (await response.json()) as { result?: { data: T } };
  if (!answer.result) throw new Error(`${name}: ${response.status} ${JSON.stringify(answer)}`);
  return answer.result.data;
}

/** One page; cookies as a browser has them after a click in the app. */
async function visit(url: string, cookie: string) {
  const response = await fetch(url, { redirect: 'manual', headers: { cookie } });
  const set = response.headers.getSetCookie().map((one) => one.split(';')[0] ?? '');
  return {
    status: response.status,
    location: response.headers.get('location') ?? '',
    cookie: set.join('; '),
    text: await response.text(),
  };
}

async function begin(client = alice) {
  const { url } = await call<{ url: string }>(client, 'mcp.signIn', { id });
  return visit(url, client.cookie);
}

async function signIn() {
  const start = await begin();
  const agreed = await visit(start.location, '');
  // A browser sends no strict cookie when another site leads back.
  return visit(agreed.location, start.cookie);
}

const echo = async () => {
  const chosen = choosing(alice.userId, [`mcp:${id}`]);
  return callTool(await toolOf(mcp.source, chosen, 'mcp_Mail_echo'), { text: 'hi' }, chosen);
};
const refreshes = () =>
  fake.authorizations.tokenForms.filter(({ grant_type: grant }) => grant === 'refresh_token').length;

describe('signing in to an MCP server', () => {
  it('finds its authorization server, registers there, and keeps the tokens encrypted', async () => {
    const before = await call<McpServer>(alice, 'mcp.refresh', { id });
    expect(before).toMatchObject({ isSignedIn: false, reason: { type: 'unauthorized' }, tools: [] });
    const start = await begin();
    expect(start.status).toBe(302);
    const query = new URL(start.location).searchParams;
    expect(start.location.startsWith(`http://${fake.host}/authorize?`)).toBe(true);
    expect(query.get('resource')).toBe(fake.url);
    expect(query.get('code_challenge_method')).toBe('S256');
    expect(fake.authorizations.registrations.at(-1)).toMatchObject({
      redirect_uris: [expect.stringContaining('/api/connections/callback')],
      token_endpoint_auth_method: 'none',
    });
    const agreed = await visit(start.location, '');
    const back = await visit(agreed.location, start.cookie);
    expect([back.status, back.text]).toEqual([
      200,
      expect.stringContaining('You are signed in to Mail. Close this page and go on in your chat.'),
    ]);
    const after = await call<McpServer>(alice, 'mcp.refresh', { id });
    expect(after).toMatchObject({ isSignedIn: true, reason: null });
    expect(await echo()).toMatchObject({ type: 'done', text: 'hi' });
    const rows = await server.db.query.select().from(connections);
    expect(rows.map(({ service }) => service)).toEqual([`mcp:${id}`]);
    const tokens = [...fake.authorizations.accessTokens, ...fake.authorizations.refreshTokens];
    expect(tokens.filter((token) => JSON.stringify([rows, after]).includes(token))).toEqual([]);
  });

  it('is not needed again while tokens can be renewed: before their end, and when the server refuses them', async () => {
    fake.authorizations.tokenSeconds = 1;
    await signIn();
    const before = refreshes();
    expect(await echo()).toMatchObject({ type: 'done' });
    expect(refreshes()).toBeGreaterThan(before);
    fake.authorizations.tokenSeconds = 3600;
    expect(await echo()).toMatchObject({ type: 'done' });
    fake.authorizations.accessTokens.clear();
    const refused = refreshes();
    expect(await echo()).toMatchObject({ type: 'done' });
    expect(refreshes()).toBe(refused + 1);
  });

  it('renews once for calls that come together in two processes', async () => {
    await signIn();
    expect(await echo()).toMatchObject({ type: 'done' });
    await call(alice, 'mcp.refresh', { id });
    fake.authorizations.accessTokens.clear();
    const before = refreshes();
    const other = call<McpServer>(alice, 'mcp.refresh', { id });
    const echoes = await Promise.all(Array.from({ length: 8 }, echo));
    expect(echoes.map(({ type }) => type)).toEqual(Array.from({ length: 8 }, () => 'done'));
    expect(await other).toMatchObject({ reason: null });
    expect(refreshes()).toBe(before + 1);
  });

  it('is asked for by a call when tokens are revoked, and survives an outage of the authorization server', async () => {
    await signIn();
    expect(await echo()).toMatchObject({ type: 'done' });
    fake.authorizations.accessTokens.clear();
    fake.authorizations.isDown = true;
    expect(await echo()).toMatchObject({ type: 'failed' });
    fake.authorizations.isDown = false;
    expect(await echo()).toMatchObject({ type: 'done' });

    fake.authorizations.accessTokens.clear();
    fake.authorizations.refreshTokens.clear();
    const url = expect.stringContaining(`/api/connections/start?service=mcp%3A${id}`) as string;
    expect(await echo()).toEqual({ type: 'needs', what: 'sign_in', url });
    expect(await server.db.query.select().from(connections)).toEqual([]);
  });

  it('is over when a person signs out', async () => {
    await signIn();
    expect(await call<McpServer>(alice, 'mcp.signOut', { id })).toMatchObject({ isSignedIn: false });
    expect(await server.db.query.select().from(connections)).toEqual([]);
  });

  it('ends without the cookie of its journey, with a wrong state, or a second time', async () => {
    const start = await begin();
    const agreed = await visit(start.location, '');
    expect((await visit(agreed.location, '')).status).toBe(403);
    expect((await visit(agreed.location, alice.cookie)).status).toBe(403);
    const wrong = new URL(agreed.location);
    wrong.searchParams.set('state', 'mcp.guessed');
    expect((await visit(wrong.href, start.cookie)).status).toBe(403);
    const denied = new URL(agreed.location);
    denied.searchParams.set('error', 'access_denied');
    expect((await visit(denied.href, start.cookie)).status).toBe(403);
    expect((await visit(agreed.location, start.cookie)).status).toBe(200);
    expect((await visit(agreed.location, start.cookie)).status).toBe(403);
  });

  it('begins only for its user', async () => {
    const url = `${server.url}/api/connections/start?service=mcp:${id}`;
    expect((await visit(url, '')).status).toBe(401);
    expect((await visit(url, bob.cookie)).status).toBe(404);
    await expect(call(bob, 'mcp.signIn', { id })).rejects.toThrow('404');
  });
});
