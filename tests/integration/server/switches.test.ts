// What the operator switches off is off by every way in: procedures, the paths of `/api`, and `/v1`. Each way is tried in
// two processes on the same data, of which only the second one has the switch the other way: the switch alone decides.
import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { mcpServers } from '@parley/db/tables/tools';
import { NAMES } from '@parley/server/config/env/env';
import { errorReason } from '@parley/server/http/trpc';
import { mountDomains } from '@parley/server/mount-domains';
import type { HttpEnv } from '@parley/server/platform/requests/http-env';
import { filePaths } from '@parley/server/rest/openapi/file-paths';
import { routes } from '@parley/server/rest/routes';
import { appRouter, createCaller, type Api } from '@parley/server/router';
import { API_ROWS } from '@parley/server/v1/api-rows';
import { Hono } from 'hono';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exchange, question } from '../../support/exchange.ts';
import { openHttpClients, serveHttp, type HttpClients } from '../../support/http-clients.ts';
import { PASSWORD, question as restQuestion, signUp, type Client } from '../../support/rest/client.ts';
import { addFile } from '../../support/retrieval/stored-files.ts';
import { signedInAs, type Person, type TestServices } from '../../support/services.ts';
import { formOf, postForm } from '../../support/uploads.ts';

/** A process as a way in sees it. */
interface Side {
  alice: Api;
  bob: Api;
  /** Has no password, of which she would be asked for a proof before she makes a key. */
  carol: Api;
  stranger: Api;
  /** A request by the headers of anyone who asks. */
  call(method: string, path: string, headers: HeadersInit, body?: unknown): Promise<Response>;
}

/** Status, reason, or what the answer says in short; before the switch, and after it. */
type Way = readonly [attempt: (side: Side) => Promise<unknown>, on: unknown, off: unknown];

const ANSWERED = 'answered';
const SPEC = JSON.stringify({
  servers: [{ url: 'http://127.0.0.1:9' }],
  paths: { '/': { get: { operationId: 'look' } } },
});

let clients: HttpClients;
let services: TestServices;
let open: Side;
let alice: Client;
let bob: Client;
let carol: Person;
let hers: Awaited<ReturnType<typeof createHers>>;

beforeAll(async () => {
  clients = await openHttpClients({
    env: {
      OPENAI_MODELS: 'fake:echo',
      TITLE_CONVO: 'false',
      EGRESS_ALLOWED_HOSTS: '127.0.0.1',
      MCP_USER_SERVERS: 'on',
      ALLOW_SOCIAL_LOGIN: 'true',
      GITHUB_CLIENT_ID: 'id',
      GITHUB_CLIENT_SECRET: 'secret',
    },
  });
  ({ services } = clients);
  alice = await signUp(`http://${clients.host}`, 'alice');
  bob = await signUp(`http://${clients.host}`, 'bob');
  carol = await services.as('carol');
  open = sideOf(services.deps, clients.host);
  hers = await createHers();
});
afterAll(() => clients.close());

const SHARED_LINKS: Record<string, Way> = {
  'shares.create': [({ alice: api }) => api.shares.create({ ...hers.convo, leafId: null }), ANSWERED, 'forbidden'],
  'shares.update': [({ alice: api }) => api.shares.update({ id: hers.shareId }), ANSWERED, 'forbidden'],
  'shares.read': [({ stranger }) => stranger.shares.read({ id: hers.shareId }), ANSWERED, 'not_found'],
  'shares.copy': [({ bob: api }) => api.shares.copy({ id: hers.shareId }), ANSWERED, 'not_found'],
  'GET /api/share/:shareId': [(side) => side.call('GET', `/api/share/${hers.shareId}`, {}), 200, 404],
  'GET /api/share/:id/images/:name': [(side) => side.call('GET', `/api/share/${hers.shareId}/images/1`, {}), 200, 404],
  'GET /api/share/:id/files/:name': [(side) => side.call('GET', `/api/share/${hers.shareId}/files/1`, {}), 200, 404],
  'POST /api/share': [(side) => side.call('POST', '/api/share', alice.headers, hers.convo), 200, 403],
  'PATCH /api/share': [(side) => side.call('PATCH', '/api/share', alice.headers, { shareId: hers.shareId }), 200, 403],
  'POST /api/share/:conversationId': [
    (side) => side.call('POST', `/api/share/${hers.convo.conversationId}`, alice.headers, {}),
    200,
    403,
  ],
  'PATCH /api/share/:shareId': [
    (side) => side.call('PATCH', `/api/share/${hers.shareId}`, alice.headers, {}),
    200,
    403,
  ],
  // What is there can be seen and ended.
  'shares.list': [({ alice: api }) => api.shares.list().then((list) => list.length > 0), true, true],
  'shares.revoke': [({ bob: api }) => api.shares.revoke({ id: hers.shareId }), ANSWERED, ANSWERED],
  'shares.revokeAll': [({ bob: api }) => api.shares.revokeAll(), ANSWERED, ANSWERED],
  'GET /api/share': [(side) => side.call('GET', '/api/share', alice.headers), 200, 200],
  'GET /api/share/link/:conversationId': [
    (side) => side.call('GET', `/api/share/link/${hers.convo.conversationId}`, alice.headers),
    200,
    200,
  ],
  'DELETE /api/share/:shareId': [(side) => side.call('DELETE', `/api/share/${hers.shareId}`, bob.headers), 200, 200],
};

const PUBLIC_LINKS: Record<string, Way> = {
  'shares.read': [({ stranger }) => stranger.shares.read({ id: hers.shareId }), ANSWERED, 'unauthorized'],
  'GET /api/share/:shareId': [(side) => side.call('GET', `/api/share/${hers.shareId}`, {}), 200, 401],
  'GET /api/share/:id/images/:name': [(side) => side.call('GET', `/api/share/${hers.shareId}/images/1`, {}), 200, 401],
  'GET /api/share/:id/files/:name': [(side) => side.call('GET', `/api/share/${hers.shareId}/files/1`, {}), 200, 401],
  'of somebody who is signed in': [(side) => side.call('GET', `/api/share/${hers.shareId}`, bob.headers), 200, 200],
};

const guide = () => `assistant/${hers.guide.assistantId}`;
/** The ways in which somebody asks an assistant that is shared with them. */
const ASSISTANTS: Record<string, Way> = {
  'messages.ask': [({ bob: api }) => api.messages.ask(askingGuide()), ANSWERED, 'not_found'],
  'POST /api/assistants/chat': [
    async (side) => {
      const named = { endpoint: 'assistants', assistant_id: hers.guide.assistantId, model: null };
      const response = await side.call('POST', '/api/assistants/chat', bob.headers, restQuestion('Hello', named));
      return (await response.text()).includes('not found') ? 'not found' : response.status;
    },
    200,
    'not found',
  ],
  'GET /v1/models': [
    async (side) => (await (await side.call('GET', '/v1/models', hers.key)).text()).includes(guide()),
    true,
    false,
  ],
  'GET /v1/models/{model}': [(side) => side.call('GET', `/v1/models/${guide()}`, hers.key), 200, 404],
  'POST /v1/chat/completions': [
    (side) => {
      const messages = [{ role: 'user', content: 'Hello' }];
      return side.call('POST', '/v1/chat/completions', hers.key, { model: guide(), messages });
    },
    200,
    404,
  ],
};

const SHARED_ASSISTANTS: Record<string, Way> = {
  'assistants.create': [
    ({ alice: api }) => api.assistants.create({ name: 'Another', model: 'fake:echo', isShared: true }),
    ANSWERED,
    'forbidden',
  ],
  'assistants.update': [
    ({ alice: api }) => api.assistants.update({ ...hers.guide, isShared: true }),
    ANSWERED,
    'forbidden',
  ],
  'assistants.shared': [({ bob: api }) => api.assistants.shared().then((list) => list.length > 0), true, false],
  ...ASSISTANTS,
  'GET /images/assistants/:id/:name': [(side) => side.call('GET', hers.picture, bob.headers), 200, 404],
};

const actionOf = (name: 'actions' | 'assistants', { alice: api }: Side) => {
  const input = { assistantId: hers.assistantId, rawSpec: SPEC, auth: { type: 'none' as const } };
  return name === 'actions' ? api.actions.save(input) : api.assistants.saveAction(input);
};
const trying = ({ alice: api }: Side) => api.actions.tryOut({ actionId: hers.actionId, operation: 'look' });
const signingIn = (side: Side) =>
  side.call('GET', `/api/connections/start?service=action:${hers.oauthActionId}`, { cookie: hers.cookie });

const ACTIONS: Record<string, Way> = {
  'actions.save': [(side) => actionOf('actions', side), ANSWERED, 'invalid_input'],
  'assistants.saveAction': [(side) => actionOf('assistants', side), ANSWERED, 'invalid_input'],
  'actions.tryOut': [trying, ANSWERED, 'invalid_input'],
  'POST /api/assistants/actions/:assistant_id': [
    (side) =>
      side.call('POST', `/api/assistants/actions/${hers.assistantId}`, alice.headers, {
        functions: [{}],
        metadata: { domain: '127.0.0.1', raw_spec: SPEC },
      }),
    200,
    400,
  ],
  'GET /api/connections/start': [signingIn, 302, 422],
  'GET /api/connections/callback': [
    async (side) => {
      const begun = await signingIn(open);
      const state = new URL(begun.headers.get('location') ?? '').searchParams.get('state');
      const cookie = begun.headers.getSetCookie()[0]?.split(';')[0] ?? '';
      return side.call('GET', `/api/connections/callback?code=x&state=${state}`, { cookie });
    },
    // The service does not answer.
    502,
    422,
  ],
  // A document is read, and what is there can be seen and deleted.
  'actions.parse': [({ alice: api }) => api.actions.parse({ rawSpec: SPEC }), ANSWERED, ANSWERED],
  'actions.get': [({ alice: api }) => api.actions.get({ actionId: hers.actionId }), ANSWERED, ANSWERED],
  'actions.signedInAt': [({ alice: api }) => api.actions.signedInAt({ actionId: hers.actionId }), ANSWERED, ANSWERED],
  'actions.list': [({ alice: api }) => api.actions.list().then((list) => list.length > 0), true, true],
  'actions.remove': [({ alice: api }) => api.actions.remove(noAction()), 'not_found', 'not_found'],
  'assistants.actions': [({ alice: api }) => api.assistants.actions().then((list) => list.length > 0), true, true],
  'assistants.removeAction': [({ alice: api }) => api.assistants.removeAction(noAction()), 'not_found', 'not_found'],
  'GET /api/assistants/actions': [(side) => side.call('GET', '/api/assistants/actions', alice.headers), 200, 200],
  'DELETE /api/assistants/actions/:assistant_id/:action_id/:model': [
    (side) => side.call('DELETE', `/api/assistants/actions/${hers.assistantId}/${randomUUID()}/x`, alice.headers),
    404,
    404,
  ],
};

const TOOLS: Record<string, Way> = {
  'tools.list': [({ alice: api }) => api.tools.list().then((list) => list.length > 0), true, false],
  'actions.save': [(side) => actionOf('actions', side), ANSWERED, 'invalid_input'],
  'actions.tryOut': [trying, ANSWERED, 'invalid_input'],
  'GET /api/connections/start': [signingIn, 302, 422],
  // What is always allowed can be seen and taken back.
  'tools.grants': [({ alice: api }) => api.tools.grants(), ANSWERED, ANSWERED],
  'tools.revoke': [({ alice: api }) => api.tools.revoke({ tool: 'builtin:none:none' }), ANSWERED, ANSWERED],
};

const OWN_SERVERS: Record<string, Way> = {
  'mcp.list': [({ alice: api }) => api.mcp.list().then((list) => list.length > 0), true, false],
  'mcp.canAdd': [({ alice: api }) => api.mcp.canAdd(), true, false],
  'mcp.add': [
    ({ alice: api }) => api.mcp.add({ name: 'New', url: 'http://127.0.0.1:9/', auth: 'none' }),
    ANSWERED,
    'forbidden',
  ],
  'mcp.update': [({ alice: api }) => api.mcp.update({ ...hers.server, name: 'Renamed' }), ANSWERED, 'not_found'],
  'mcp.refresh': [({ alice: api }) => api.mcp.refresh(hers.server), ANSWERED, 'not_found'],
  'mcp.setTools': [
    ({ alice: api }) => api.mcp.setTools({ ...hers.server, tools: ['echo'], isOn: false }),
    ANSWERED,
    'not_found',
  ],
  'mcp.signIn': [({ alice: api }) => api.mcp.signIn(hers.server), ANSWERED, 'not_found'],
  'mcp.signOut': [({ alice: api }) => api.mcp.signOut(hers.server), ANSWERED, 'not_found'],
  // Nobody can sign in to a service without https.
  'GET /api/connections/start': [
    (side) => side.call('GET', `/api/connections/start?service=mcp:${hers.server.id}`, { cookie: hers.cookie }),
    403,
    404,
  ],
  'mcp.remove': [({ alice: api }) => api.mcp.remove(hers.server), ANSWERED, 'not_found'],
};

const SEARCH: Record<string, Way> = {
  'convos.search': [({ alice: api }) => api.convos.search({ query: 'heron' }), ANSWERED, 'invalid_input'],
  'convos.searchPage': [({ alice: api }) => api.convos.searchPage({ query: 'heron' }), ANSWERED, 'invalid_input'],
  'convos.searchEnabled': [({ alice: api }) => api.convos.searchEnabled(), true, false],
  'GET /api/search': [(side) => side.call('GET', '/api/search?q=heron', alice.headers), 200, 500],
  'GET /api/search by a key': [(side) => side.call('GET', '/api/search?q=heron', hers.key), 200, 500],
  'GET /api/search/enable': [(side) => side.call('GET', '/api/search/enable', alice.headers), 200, 200],
};

/** Whether a request by a key is let in, whatever else is wrong with it. */
const isLetIn = async (side: Side, method: string, path: string) => {
  const filled = path.replaceAll(/:\w+|\{model\}/g, randomUUID());
  const { status } = await side.call(method, filled, hers.key, method === 'GET' ? undefined : {});
  return status !== 401;
};
const byKey = [
  ...API_ROWS.map(({ method, path }) => ({ method, path })),
  ...[...routes, ...filePaths].filter(({ keyScope, isPublic }) => keyScope !== undefined && !isPublic),
];
const KEYS: Record<string, Way> = {
  'apiKeys.create': [({ carol: api }) => api.apiKeys.create({ name: 'New', scopes: ['chat'] }), ANSWERED, 'conflict'],
  'apiKeys.list': [({ carol: api }) => api.apiKeys.list().then((list) => list.length > 0), true, true],
  'apiKeys.revoke': [({ carol: api }) => api.apiKeys.revoke({ id: hers.endedKeyId }), ANSWERED, ANSWERED],
  'GET /v1/models by x-api-key': [
    (side) => side.call('GET', '/v1/models', { 'x-api-key': hers.key.authorization.replace('Bearer ', '') }),
    200,
    401,
  ],
  'endpoints.startup': [
    ({ bob: api }) => api.endpoints.startup().then((told) => told.apiKeysEnabled),
    undefined,
    false,
  ],
  ...Object.fromEntries(
    byKey.map(({ method, path }) => [`${method} ${path}`, [(side) => isLetIn(side, method, path), true, false] as Way]),
  ),
};

/** What is not opened is a part of a message all the same; unit/http/artifact-frames.test.ts has the frames. */
const ARTIFACTS: Record<string, Way> = {
  'endpoints.startup': [({ bob: api }) => api.endpoints.startup().then((told) => told.artifacts), undefined, 'off'],
};

/** Off, these are addresses of the page. */
const SITES: Record<string, Way> = {
  'GET /oauth/github': [(side) => side.call('GET', '/oauth/github', {}), 302, 200],
  'GET /oauth/github/callback': [(side) => side.call('GET', '/oauth/github/callback', {}), 302, 200],
  'GET /api/auth/github': [(side) => side.call('GET', '/api/auth/github', {}), 302, 404],
};

interface Row {
  env: Record<string, string>;
  ways: Record<string, Way>;
  /** All procedures and paths whose names fit are among the ways. */
  family?: RegExp;
}

const ROWS: readonly Row[] = [
  { env: { ALLOW_SHARED_LINKS: 'false' }, ways: SHARED_LINKS, family: /^shares\.|^\w+ \/api\/share\b/ },
  { env: { ALLOW_SHARED_LINKS_PUBLIC: 'false' }, ways: PUBLIC_LINKS },
  { env: { ALLOW_SHARED_ASSISTANTS: 'false' }, ways: SHARED_ASSISTANTS },
  { env: { ASSISTANTS_API_KEY: 'off' }, ways: ASSISTANTS },
  {
    env: { ACTIONS: 'off' },
    ways: ACTIONS,
    family: /^actions\.|^assistants\..*action|\/assistants\/actions\b|\/api\/connections\b/i,
  },
  { env: { TOOLS: 'off' }, ways: TOOLS, family: /^tools\./ },
  { env: { API_KEYS: 'off' }, ways: KEYS, family: /^apiKeys\./ },
  { env: { ALLOW_SOCIAL_LOGIN: 'false' }, ways: SITES, family: /^\w+ \/oauth\/|^\w+ \/api\/auth\/github/ },
  { env: { ARTIFACTS: 'off' }, ways: ARTIFACTS },
  { env: { SEARCH: 'false' }, ways: SEARCH, family: /^convos\.search|^\w+ \/api\/search\b/ },
  // The last one deletes her server.
  { env: { MCP_USER_SERVERS: 'off' }, ways: OWN_SERVERS, family: /^mcp\./ },
];

/** Tests of the other switches. */
const ELSEWHERE: Record<string, string> = {
  ALLOW_REGISTRATION: 'rest/accounts/accounts.test.ts',
  ALLOW_EMAIL_LOGIN: 'rest/accounts/resets.test.ts',
  ALLOW_SOCIAL_REGISTRATION: 'auth/social.test.ts',
  ALLOW_RESET_LINK: 'auth/resets.test.ts',
  ALLOW_PASSWORD_RESET: 'auth/resets.test.ts',
  ALLOW_UNVERIFIED_EMAIL_LOGIN: 'auth/confirm-address.test.ts',
  ALLOW_ACCOUNT_DELETION: 'auth/account.test.ts',
  // Stored: servers of one database have one.
  ALLOW_SHARED_PROJECTS_PUBLIC: 'folders/sharing.test.ts',
  DATABASE_PREPARE: 'db/pooler.test.ts',
  PUSH: 'notices/push.test.ts',
  INTERPRETER: 'interpreter/interpreter.test.ts',
};

it('every switch of the environment has a test', () => {
  const reads = (name: string, value: string) => {
    try {
      return NAMES[name as keyof typeof NAMES](value, name) === value;
    } catch {
      return false;
    }
  };
  const isSwitch = (name: string) => ['on', 'off'].every((value) => reads(name, value)) && !reads(name, 'perhaps');
  const switches = Object.keys(NAMES).filter((name) => name.startsWith('ALLOW_') || isSwitch(name));
  const here = ROWS.flatMap(({ env }) => Object.keys(env)).filter(
    (name) => !['SEARCH', 'ASSISTANTS_API_KEY'].includes(name),
  );
  expect(switches.toSorted()).toEqual([...here, ...Object.keys(ELSEWHERE)].toSorted());
  for (const [name, path] of Object.entries(ELSEWHERE)) {
    const file = join(import.meta.dirname, '..', path);
    expect([name, existsSync(file) && readFileSync(file, 'utf8').includes(name)]).toEqual([name, true]);
  }
});

describe.each(ROWS.map((row) => [Object.entries(row.env).flat().join('='), row] as const))('%s', (_, row) => {
  it('is about every procedure and path of its kind', () => {
    const hono = new Hono<HttpEnv>();
    mountDomains(hono, services.deps);
    const served = hono.routes.map(({ method, path }) => `${method} ${path}`);
    const names = [...Object.keys(appRouter._def.procedures), ...served].filter((name) => row.family?.test(name));
    expect(names.filter((name) => !(name in row.ways))).toEqual([]);
  });

  it('closes each of them', async () => {
    const other = await services.beside(row.env);
    const { app, host } = await serveHttp(other.deps);
    const closed = sideOf(other.deps, host);
    const expected = Object.entries(row.ways);
    const outcomes = async (side: Side) => {
      const found: [string, unknown][] = [];
      for (const [name, [attempt]] of expected) found.push([name, await outcomeOf(attempt(side))]);
      return found;
    };
    try {
      // First, so that nothing is refused because it was done already.
      expect(await outcomes(closed)).toEqual(expected.map(([name, [, , off]]) => [name, off]));
      expect(await outcomes(open)).toEqual(expected.map(([name, [, on]]) => [name, on]));
    } finally {
      await app.close();
      await other.close();
    }
  });
});

async function outcomeOf(attempt: Promise<unknown>): Promise<unknown> {
  try {
    const answer = await attempt;
    if (answer instanceof Response) return answer.status;
    return typeof answer === 'object' ? ANSWERED : answer;
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return errorReason(error)?.type ?? error.message;
  }
}

function sideOf(deps: TestServices['deps'], host: string): Side {
  return {
    alice: signedInAs(deps, alice.id).api,
    bob: signedInAs(deps, bob.id).api,
    carol: signedInAs(deps, carol.id).api,
    stranger: createCaller({ deps, http: null, socket: null, token: null, signedIn: null }),
    async call(method, path, headers, body) {
      const json = body === undefined ? {} : { body: JSON.stringify(body) };
      const given = { 'content-type': 'application/json', ...(headers as Record<string, string>) };
      return fetch(`http://${host}${path}`, { method, headers: given, redirect: 'manual', ...json });
    },
  };
}

async function createHers() {
  const picture = await sharp({ create: { width: 8, height: 8, channels: 3, background: '#357' } })
    .png()
    .toBuffer();
  const fileId = await addFile(services, alice, picture, { name: 'heron.png', mime: 'image/png' });
  const target = { kind: 'send' as const, messageId: randomUUID(), parentMessageId: null, text: 'A heron' };
  const { convo } = await exchange(services, alice.id, question('', { target: { ...target, files: [fileId] } }));
  const { id: shareId } = await open.alice.shares.create({ conversationId: convo.conversationId, leafId: null });
  const guide = await open.alice.assistants.create({ name: 'Guide', model: 'fake:echo', isShared: true });
  const { assistantId } = await open.alice.assistants.create({ name: 'Hers', model: 'fake:echo' });
  const form = formOf({ bytes: picture, name: 'guide.png', type: 'image/png' });
  await postForm(`http://${clients.host}`, alice, `/api/assistants/avatar/${guide.assistantId}`, form);
  const [shown] = await open.bob.assistants.shared();
  const action = await open.alice.actions.save({ assistantId, rawSpec: SPEC, auth: { type: 'none' } });
  const oauth = {
    type: 'oauth' as const,
    clientUrl: 'http://127.0.0.1:9/token',
    authorizationUrl: 'http://127.0.0.1:9/authorize',
    scope: '',
    tokenExchangeMethod: 'default_post' as const,
    grant: 'authorization_code' as const,
  };
  const secrets = { oauthClientId: 'client', oauthClientSecret: 'secret' };
  const oauthAction = await open.alice.actions.save({ assistantId, rawSpec: SPEC, auth: oauth, ...secrets });
  const server = { id: randomUUID() };
  const url = 'http://127.0.0.1:9/';
  await services.deps.db.query
    .insert(mcpServers)
    .values({ ...server, userId: alice.id, name: 'Hers', url, auth: 'oauth' });
  const made = await open.carol.apiKeys.create({
    name: 'Hers',
    scopes: ['chat', 'models', 'embeddings', 'rest', 'files'],
  });
  const ended = await open.carol.apiKeys.create({ name: 'Ended', scopes: ['chat'] });
  const signedIn = await open.call('POST', '/api/auth/login', {}, { email: 'alice@example.com', password: PASSWORD });
  return {
    convo: { conversationId: convo.conversationId },
    shareId,
    guide: { assistantId: guide.assistantId },
    picture: shown?.metadata.avatar ?? '',
    assistantId,
    actionId: action.id,
    oauthActionId: oauthAction.id,
    server,
    key: { authorization: `Bearer ${made.key}` },
    endedKeyId: ended.id,
    cookie: signedIn.headers.getSetCookie()[0]?.split(';')[0] ?? '',
  };
}

function askingGuide() {
  return question('Hello', { endpoint: 'assistants', model: null, settings: { assistant_id: hers.guide.assistantId } });
}

function noAction() {
  return { assistantId: hers.assistantId, actionId: randomUUID() };
}
