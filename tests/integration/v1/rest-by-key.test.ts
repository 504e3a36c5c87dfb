// `/api` by a key in place of a session: what a key is for, and nothing else.
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mountDomains } from '@parley/server/mount-domains';
import type { HttpEnv } from '@parley/server/platform/requests/http-env';
import { askRows, unknownAskRows } from '@parley/server/rest/ask-rows';
import { filePaths } from '@parley/server/rest/openapi/file-paths';
import { routes } from '@parley/server/rest/routes';
import { appRouter } from '@parley/server/router';
import { violations } from '@parley/db/tables/limits';
import { Hono } from 'hono';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openHttpClients, type HttpClients } from '../../support/http-clients.ts';
import { errorOf, finalOf, NO_PARENT, question, readFrames, send as sendTo } from '../../support/rest/client.ts';
import type { Person } from '../../support/services.ts';

type KeyInput = Parameters<Person['api']['apiKeys']['create']>[0];

let clients: HttpClients;
let alice: Person;
let bob: Person;

beforeAll(async () => {
  clients = await openHttpClients({
    env: {
      LIMIT_MESSAGE_USER: 'true',
      MESSAGE_USER_MAX: '12',
      NON_BROWSER_VIOLATION_SCORE: '20',
      TITLE_CONVO: 'false',
    },
  });
  alice = await clients.services.as('alice');
  bob = await clients.services.as('bob');
});
afterAll(() => clients.close());

async function keyOf(scopes: KeyInput['scopes'], person = alice, over: Partial<KeyInput> = {}) {
  return person.api.apiKeys.create({ name: 'A script', scopes, ...over });
}

const send = (method: string, path: string, headers: Record<string, string>, body?: unknown) =>
  sendTo(`http://${clients.host}`, method, path, body, headers);
const bearer = (key: string) => ({ authorization: `Bearer ${key}` });
const ask = async (key: string, over: object = {}) => {
  const frames = [];
  const response = await send('POST', '/api/ask/openAI', bearer(key), question('Hello', over));
  for await (const frame of readFrames(response)) frames.push(frame);
  return frames;
};

const rows = [...routes, ...askRows([{ type: 'openAI', isLenient: false }])];
/** What a key must be for, or null. */
const scopeOf = new Map(rows.map(({ method, path, keyScope = null }) => [`${method} ${path}`, keyScope]));

it('each path of /api that is served is in its document, and no other', () => {
  const hono = new Hono<HttpEnv>();
  const { deps } = clients.services;
  mountDomains(hono, deps);
  const nameOf = ({ method, path }: { method: string; path: string }) => `${method} ${path}`;
  const served = hono.routes.filter(({ path }) => /^\/(api|images)\//.test(path)).map(nameOf);
  const asks = askRows(deps.endpoints.restPaths());
  const documented = [...routes, ...asks, ...unknownAskRows, ...filePaths].map(nameOf);
  expect(documented.filter((path) => !served.includes(path))).toEqual([]);
  // The document itself, and what a browser is led to.
  expect(served.filter((path) => !documented.includes(path))).toEqual([
    'GET /api/openapi.json',
    'GET /api/connections/start',
    'GET /api/connections/callback',
  ]);
});

describe('a key for /api', () => {
  it('opens these paths and no other', () => {
    const opened = [...scopeOf].filter(([, scope]) => scope !== null).map(([path, scope]) => `${scope} ${path}`);
    expect(opened).toEqual([
      'rest GET /api/endpoints',
      'rest GET /api/models',
      'rest POST /api/tokenizer',
      'rest GET /api/presets',
      'rest POST /api/presets',
      'rest POST /api/presets/delete',
      'files GET /api/files',
      'files DELETE /api/files',
      'files GET /api/files/config',
      'rest POST /api/assistants/v1/chat',
      'rest POST /api/assistants/v1/chat/modify',
      'rest POST /api/assistants/v1/chat/abort',
      'rest POST /api/assistants/v2/chat',
      'rest POST /api/assistants/v2/chat/modify',
      'rest POST /api/assistants/v2/chat/abort',
      'rest POST /api/assistants/chat',
      'rest POST /api/assistants/chat/modify',
      'rest POST /api/assistants/chat/abort',
      'rest GET /api/search',
      'rest GET /api/search/enable',
      'rest GET /api/convos',
      'rest GET /api/convos/:conversationId',
      'rest POST /api/convos/gen_title',
      'rest POST /api/convos/update',
      'rest POST /api/convos/clear',
      'rest DELETE /api/convos',
      'rest DELETE /api/convos/all',
      'rest POST /api/convos/fork',
      'rest POST /api/convos/duplicate',
      'rest GET /api/messages/:conversationId',
      'rest POST /api/messages/:conversationId',
      'rest GET /api/messages/:conversationId/:messageId',
      'rest PUT /api/messages/:conversationId/:messageId',
      'rest DELETE /api/messages/:conversationId/:messageId',
      'rest POST /api/ask/openAI',
      'rest POST /api/ask/openAI/abort',
      'rest POST /api/edit/openAI',
      'rest POST /api/edit/openAI/abort',
    ]);
  });

  it('that is for something else, or is wrong, is refused on each of them, and on all others whatever it is for', async () => {
    const all = await keyOf(['chat', 'embeddings', 'models', 'rest', 'files']);
    const none = await keyOf(['chat', 'embeddings', 'models']);
    const wrong = all.key.slice(0, -1) + (all.key.endsWith('0') ? '1' : '0');
    for (const { method, path, isPublic, keyScope } of rows) {
      if (isPublic) continue;
      const filled = path.replaceAll(/:\w+/g, randomUUID());
      const body = method === 'GET' ? undefined : {};
      const said = async (key: string) => {
        const response = await send(method, filled, bearer(key), body);
        return [path, response.status, await response.text()];
      };
      const words = keyScope ? `it lacks the scope \\"${keyScope}\\".` : 'No key opens this path';
      expect(await said(none.key)).toEqual([path, 403, expect.stringContaining(words)]);
      if (!keyScope) expect(await said(all.key)).toEqual([path, 403, expect.stringContaining(words)]);
      expect((await said(wrong))[1], path).toBe(401);
    }
    for (const path of ['/trpc/auth.me', '/trpc/convos.list', '/api/export', `/images/${alice.id}/x`]) {
      const response = await send('GET', path, bearer(all.key));
      expect([path, response.status]).toEqual([path, 401]);
    }
    for (const path of ['/api/import', '/api/files/images/avatar', '/api/assistants/avatar/asst_x']) {
      const response = await send('POST', path, bearer(all.key), {});
      expect([path, [401, 403].includes(response.status)]).toEqual([path, true]);
    }
  });

  it('is nobody at every procedure, by either header and by a socket', async () => {
    const { key } = await keyOf(['chat', 'embeddings', 'models', 'rest', 'files']);
    const procedures = Object.entries<unknown>(appRouter._def.procedures)
      .map(([name, procedure]) => ({ name, type: typeOf(procedure) }))
      .filter(({ type }) => type !== 'subscription');
    const statusOf = async (name: string, type: unknown, headers: Record<string, string>) => {
      const method = type === 'mutation' ? 'POST' : 'GET';
      const init = { method, headers: { ...headers, 'content-type': 'application/json' } };
      const response = await fetch(`http://${clients.host}/trpc/${name}`, init);
      await response.body?.cancel();
      return response.status;
    };
    let closed = 0;
    for (const { name, type } of procedures) {
      const visitor = await statusOf(name, type, {});
      expect([name, await statusOf(name, type, bearer(key))]).toEqual([name, visitor]);
      expect([name, await statusOf(name, type, { 'x-api-key': key })]).toEqual([name, visitor]);
      if (visitor === 401) closed++;
    }
    expect(closed).toBeGreaterThan(procedures.length - 40);
    const socket = clients.openSocket();
    await once(socket, 'open');
    const end = once(socket, 'close');
    socket.send(JSON.stringify({ method: 'connectionParams', data: { token: key } }));
    expect((await end)[0]).toBe(4401);
  });

  it('is taken from its two headers alone', async () => {
    const { key } = await keyOf(['rest']);
    expect((await send('GET', '/api/convos', { 'x-api-key': key })).status).toBe(200);
    const long = { text: 'word '.repeat(100_000) };
    expect((await send('POST', '/api/tokenizer', { 'x-api-key': key }, long)).status).toBe(200);
    for (const path of ['/api/tokenizer', '/v1/chat/completions'])
      expect((await send('POST', path, { 'x-api-key': `${key}0` }, long)).status).toBe(401);
    expect((await send('GET', '/api/convos', { cookie: `refreshToken=${key}; token=${key}` })).status).toBe(401);
    expect((await send('GET', `/api/convos?key=${key}&api_key=${key}&access_token=${key}`, {})).status).toBe(401);
  });

  it('asks, reads and searches as its person, and never as another', async () => {
    const { key } = await keyOf(['rest']);
    const { conversation, responseMessage } = finalOf(await ask(key));
    const { conversationId } = conversation;
    expect((await alice.api.convos.list({})).convos.map((convo) => convo.conversationId)).toContain(conversationId);
    const his = await keyOf(['rest', 'files'], bob);
    for (const [method, path] of [
      ['GET', `/api/convos/${conversationId}`],
      ['GET', `/api/messages/${conversationId}`],
      ['GET', `/api/messages/${conversationId}/${responseMessage.messageId}`],
      ['PUT', `/api/messages/${conversationId}/${responseMessage.messageId}`],
      ['POST', `/api/messages/${conversationId}`],
    ] as const) {
      const body = method === 'GET' ? undefined : { text: 'Mine' };
      expect((await send(method, path, bearer(his.key), body)).status, path).toBe(404);
    }
    expect(await (await send('GET', '/api/convos', bearer(his.key))).json()).toMatchObject({ conversations: [] });
    await send('POST', '/api/convos/clear', bearer(his.key), {});
    const read = await send('GET', `/api/messages/${conversationId}`, bearer(key));
    expect(await read.json()).toMatchObject([
      { parentMessageId: NO_PARENT, text: 'Hello' },
      { isCreatedByUser: false },
    ]);
    await expect
      .poll(async () => (await send('GET', '/api/search?q=hello', bearer(key))).json())
      .toMatchObject({ conversations: [{ conversationId }] });
  });

  it('sends, lists and reads files where it is for them', async () => {
    const { key } = await keyOf(['files']);
    const form = new FormData();
    form.append('file_id', randomUUID());
    form.append('endpoint', 'openAI');
    form.append('file', new File(['A note'], 'note.txt', { type: 'text/plain' }));
    const to = `http://${clients.host}/api/files`;
    const lacking = await keyOf(['rest']);
    const refused = await fetch(to, { method: 'POST', headers: bearer(lacking.key), body: form });
    expect([refused.status, await refused.json()]).toEqual([403, { message: expect.stringContaining('"files"') }]);
    const sent = await fetch(to, { method: 'POST', headers: bearer(key), body: form });
    expect(sent.status).toBe(200);
    const { file_id: id } = (await sent.json()) as { file_id: string };
    expect(await (await send('GET', '/api/files', bearer(key))).json()).toMatchObject([{ file_id: id }]);
    const download = `/api/files/download/${alice.id}/${id}`;
    expect(await (await send('GET', download, bearer(key))).text()).toBe('A note');
    expect((await send('GET', download, bearer(lacking.key))).status).toBe(403);
    expect((await send('GET', download, bearer((await keyOf(['files'], bob)).key))).status).toBe(403);
  });

  it('asks only its endpoints when it names some', async () => {
    const { key } = await keyOf(['rest'], alice, { endpoints: ['openAI'] });
    finalOf(await ask(key));
    const another = await keyOf(['rest'], alice, { endpoints: ['anthropic'] });
    expect((await send('GET', '/api/convos', bearer(another.key))).status).toBe(200);
    const { text } = errorOf(await ask(another.key)) as { text: string };
    expect(text).toBe('The model fake:echo is not available for openAI.');
  });

  it('that has a limit of its own asks within it, and by /v1 what is left of it', async () => {
    const monthlyCredits = 5000;
    const { id, key } = await keyOf(['rest', 'chat'], bob, { monthlyCredits });
    const asked = await send('POST', '/api/ask/openAI', bearer(key), question('Go on', { model: 'fake:silent' }));
    const frames = readFrames(asked);
    await frames.next();
    const body = { model: 'openAI/fake:echo', messages: [{ role: 'user', content: 'Hello' }] };
    const call = () => send('POST', '/v1/chat/completions', bearer(key), body);
    expect([(await call()).status, errorOf(await ask(key))]).toMatchObject([
      429,
      { text: expect.stringContaining('Other answers that are being written have reserved') },
    ]);
    await frames.return(undefined);
    const [running] = (await bob.api.convos.list({})).convos.filter((convo) => convo.running !== null);
    await bob.api.messages.abort({ generationId: running?.running ?? '' });
    expect((await call()).status).toBe(200);
    finalOf(await ask(key));
    const listed = (await bob.api.apiKeys.list()).find((one) => one.id === id);
    expect(listed?.spentCredits).toBeGreaterThan(0);
    expect(listed?.spentCredits).toBeLessThanOrEqual(monthlyCredits);
  });

  it('opens nothing more once it is revoked, and its streams end', async () => {
    const { id, key } = await keyOf(['rest']);
    const response = await send(
      'POST',
      '/api/ask/openAI',
      bearer(key),
      question('Go on', { model: 'fake:never-ending' }),
    );
    const frames = readFrames(response);
    await frames.next();
    const rest = (async () => {
      for await (const _ of frames);
    })();
    await alice.api.apiKeys.revoke({ id });
    await expect(rest).rejects.toThrow();
    expect((await send('GET', '/api/convos', bearer(key))).status).toBe(401);
    const [running] = (await alice.api.convos.list({})).convos.filter((convo) => convo.running !== null);
    await alice.api.messages.abort({ generationId: running?.running ?? '' });
  });

  it('meets the limit when it asks too much, which counts no violation of its person', async () => {
    const carol = await clients.services.as('carol');
    const { key } = await keyOf(['rest'], carol);
    const answers = [];
    for (let asked = 0; asked < 13; asked++) answers.push(await ask(key));
    expect(errorOf(answers.at(-1) ?? []).text).toContain('message_limit');
    expect(await clients.services.deps.db.query.select().from(violations)).toEqual([]);
  });
});

/** Whether a procedure is a query, a mutation or a subscription. */
function typeOf(procedure: unknown): unknown {
  const definition: unknown = Reflect.get(Object(procedure), '_def');
  return Reflect.get(Object(definition), 'type');
}
