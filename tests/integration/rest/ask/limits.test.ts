// Limits, bans and an empty purse as an existing client meets them: frames in a stream that began with 200.
import { randomUUID } from 'node:crypto';
import { networkBans } from '@parley/db/tables/limits';
import { sessions, users } from '@parley/db/tables/users';
import { addCredits } from '@parley/server/billing/balances';
import { startFakeProvider } from '@parley/scripts/fake-provider';
import { and, eq, gt, sql } from 'drizzle-orm';
import { afterEach, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { startTestServer, type TestServer } from '../../../support/server.ts';
import {
  begin,
  createdOf,
  errorOf,
  finalOf,
  PASSWORD,
  question,
  send,
  signUp,
  type Client,
} from '../../../support/rest/client.ts';

const A_DAY = '1440';

const servers: TestServer[] = [];

afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

describe('simultaneous messages', () => {
  it('beyond the limit are refused, and an abort is not', async () => {
    const { alice } = await enter({ LIMIT_CONCURRENT_MESSAGES: 'true' });
    const first = await begin(alice, question('Wait', { model: 'fake:never-ending' }));
    for (const count of [0, 1]) {
      const body = question('And me?');
      const frames = await alice.ask(body);
      expect(frames).toHaveLength(2);
      expect(createdOf(frames)).toMatchObject({ messageId: body.messageId, text: 'And me?' });
      expect(errorOf(frames)).toMatchObject({ error: true, final: true, parentMessageId: body.messageId });
      expect(told(frames)).toEqual({
        type: 'concurrent',
        limit: 1,
        pendingRequests: 1,
        prev_count: count,
        violation_count: count + 1,
        date: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      });
    }
    expect((await alice.stop(first.created.conversationId)).status).toBe(200);
    await first.rest();
    expect(finalOf(await alice.ask(question('Now me'))).responseMessage.text).toBe('Now me');
  });
});

describe('messages in a window', () => {
  it('of one user are limited, and a repeated message counts once', async () => {
    const env = { LIMIT_MESSAGE_USER: 'true', MESSAGE_USER_MAX: '2', MESSAGE_USER_WINDOW: A_DAY };
    const { alice, server } = await enter(env);
    const body = question('The first');
    await alice.ask(body);
    await alice.ask(question('The second'));
    expect(told(await alice.ask(question('The third')))).toEqual({
      type: 'message_limit',
      max: 2,
      limiter: 'user',
      windowInMinutes: 1440,
      prev_count: 0,
      violation_count: 1,
      date: expect.any(String),
    });
    expect(finalOf(await alice.ask(body)).responseMessage.text).toBe('The first');
    const bob = await signUp(server.url, 'bob');
    expect(finalOf(await bob.ask(question('Hello'))).responseMessage.text).toBe('Hello');
  });

  it('of one address are limited, across users and paths', async () => {
    const env = { LIMIT_MESSAGE_IP: 'true', MESSAGE_IP_MAX: '2', MESSAGE_IP_WINDOW: A_DAY, TRUST_PROXY: '1' };
    const { alice, server } = await enter(env);
    const bob = await signUp(server.url, 'bob');
    const from = (client: Client, ip: string) => askFrom(server, client, question('Hello'), ip);
    expect((await from(alice, '93.184.216.1')).at(-1)).toMatchObject({ data: { final: true } });
    const overSocket = await askOverSocket(server, bob, '93.184.216.1');
    expect(overSocket).toMatchObject({ result: { data: { reply: { unfinished: true } } } });
    expect(await from(bob, '93.184.216.1')).toMatchObject([
      { event: 'message', data: { created: true } },
      { event: 'error', data: { text: expect.stringContaining('"limiter":"ip"') } },
    ]);
    expect(await askOverSocket(server, bob, '93.184.216.1')).toMatchObject({
      error: { data: { httpStatus: 429, reason: { type: 'message_limit', limiter: 'ip', max: 2 } } },
    });
    expect((await from(bob, '93.184.216.2')).at(-1)).toMatchObject({ data: { final: true } });
  });
});

describe('a model that is not offered', () => {
  it('is refused with a sentence and adds to the violation score', async () => {
    const { alice, server } = await enter({ BAN_VIOLATIONS: 'true', BAN_INTERVAL: '10', TRUST_PROXY: '1' });
    const bad = () => askFrom(server, alice, question('Hello', { model: 'gpt-9' }), '93.184.216.9');
    const refused = [{ event: 'error', data: { text: 'The model gpt-9 is not available for openAI.' } }];
    expect(await bad()).toEqual(refused);
    expect(await bad()).toEqual(refused);
    const body = question('Hello again');
    expect(await askFrom(server, alice, body, '93.184.216.9')).toMatchObject([
      { event: 'message', data: { created: true, message: { messageId: body.messageId, text: 'Hello again' } } },
      { event: 'error', data: { text: '{"type":"ban"}', error: true, final: true } },
    ]);
    const other = await alice.get('/api/convos');
    expect([other.status, await other.json()]).toEqual([403, { message: expect.stringContaining('banned') }]);
    const good = and(eq(sessions.userId, alice.id), gt(sessions.expiresAt, sql`now()`));
    expect(await server.db.query.$count(sessions, good)).toBe(0);
    await isKeptOut(server);
    await server.db.query.update(users).set({ bannedUntil: null }).where(eq(users.id, alice.id));
    await server.db.query.delete(networkBans);
    expect((await login(server, '93.184.216.9')).status).toBe(200);
  });

  it('leads to no ban unless bans are on', async () => {
    const { alice } = await enter({ BAN_INTERVAL: '5' });
    for (let n = 0; n < 3; n++) expect(await alice.ask(question('Hello', { model: 'gpt-9' }))).toHaveLength(1);
    expect(finalOf(await alice.ask(question('Still here'))).responseMessage.text).toBe('Still here');
  });
});

describe('a program that is no browser', () => {
  it('is refused when configured so, and banned by its score', async () => {
    const { alice, server } = await enter({ NON_BROWSER_VIOLATION_SCORE: '20', BAN_VIOLATIONS: 'true' });
    const asBrowser = await askFrom(server, alice, question('Hello'), '', 'Mozilla/5.0 (X11; Linux x86_64)');
    expect(asBrowser.at(-1)).toMatchObject({ data: { final: true, responseMessage: { text: 'Hello' } } });
    const refused = [{ event: 'error', data: { message: 'Illegal request' } }];
    expect(await askFrom(server, alice, question('Hello'), '', 'curl/8.5.0')).toEqual(refused);
    expect((await alice.get('/api/user')).status).toBe(403);
  });

  it('is accepted otherwise', async () => {
    const { alice, server } = await enter({ BAN_VIOLATIONS: 'true' });
    const frames = await askFrom(server, alice, question('Hello'), '', 'curl/8.5.0');
    expect(frames.at(-1)).toMatchObject({ data: { final: true } });
  });
});

describe('a balance', () => {
  it('is a number as plain text, and empty without credits', async () => {
    const { alice, server } = await enter({ CHECK_BALANCE: 'true' });
    const read = async () => {
      const answer = await alice.get('/api/balance');
      return [answer.status, answer.headers.get('content-type'), await answer.text()];
    };
    expect(await read()).toEqual([200, expect.stringMatching(/^text\/plain/), '']);
    await addCredits(server.db, alice.id, 1234);
    expect(await read()).toEqual([200, expect.stringMatching(/^text\/plain/), '1234']);
    expect(await alice.json('/api/config')).toMatchObject({ checkBalance: true });
  });

  it("refuses the message with its numbers when it doesn't cover the prompt", async () => {
    const { alice, server } = await enter({ CHECK_BALANCE: 'true' });
    await addCredits(server.db, alice.id, 29);
    const frames = await alice.ask(question('Hello', { model: 'fake:echo' }));
    expect(frames).toHaveLength(2);
    expect(told(frames)).toEqual({
      type: 'token_balance',
      balance: 29,
      tokenCost: 30,
      promptTokens: 5,
      prev_count: 0,
      violation_count: 0,
      date: expect.any(String),
    });
    await addCredits(server.db, alice.id, 1);
    const { text, promptTokens = 0, tokenCount = 0 } = finalOf(await alice.ask(question('Hello'))).responseMessage;
    expect(text).toBe('Hello');
    expect(await (await alice.get('/api/balance')).text()).toBe(String(30 - 6 * (promptTokens + tokenCount)));
  });

  it('ends an answer during which it runs out, and keeps its text', async () => {
    const { alice, server } = await enter({ CHECK_BALANCE: 'true' });
    await addCredits(server.db, alice.id, 30_000);
    const { responseMessage } = finalOf(await alice.ask(question('[[long:8000]]', { model: 'gpt-4' })));
    expect(responseMessage).toMatchObject({ finish_reason: 'incomplete', error: false });
    expect(responseMessage.text.length).toBeGreaterThan(1500);
    expect(responseMessage.text.length).toBeLessThan(3000);
    expect(await (await alice.get('/api/balance')).text()).toBe('0');
  });

  it('can be read even when balances are not checked', async () => {
    const { alice } = await enter({});
    const answer = await alice.get('/api/balance');
    expect([answer.status, await answer.text()]).toEqual([200, '']);
    expect((await send(servers[0]?.url ?? '', 'GET', '/api/balance')).status).toBe(401);
  });
});

it('a question flagged by moderation gets the refusal as its answer', async () => {
  const moderator = await startFakeProvider();
  const { alice } = await enter({
    OPENAI_MODERATION: 'true',
    OPENAI_MODERATION_API_KEY: 'mod-1',
    OPENAI_MODERATION_REVERSE_PROXY: `${moderator.url}/v1/moderations`,
  });
  const frames = await alice.ask(question('A [[flagged]] question'));
  expect(createdOf(frames).text).toBe('A [[flagged]] question');
  expect(told(frames)).toEqual({ type: 'moderation' });
  await moderator.close();
});

async function enter(env: Record<string, string>) {
  const server = await startTestServer({ env: { TITLE_CONVO: 'false', REGISTER_MAX: '1000', ...env } });
  servers.push(server);
  return { server, alice: await signUp(server.url, 'alice') };
}

/** The JSON that the error frame holds as its text. */
function told(frames: Parameters<typeof errorOf>[0]): unknown {
  return JSON.parse(errorOf(frames).text);
}

/** Asks from an address and with a program of one's own, and reads to the end. */
async function askFrom({ url }: TestServer, client: Client, body: object, ip: string, userAgent = 'Mozilla/5.0') {
  const headers = { ...client.headers, 'user-agent': userAgent, ...(ip && { 'x-forwarded-for': ip }) };
  const response = await send(url, 'POST', '/api/ask/openAI', body, headers);
  expect(response.status).toBe(200);
  const blocks = (await response.text()).split('\n\n').filter((block) => block.startsWith('event: '));
  return blocks.map((block) => {
    const [, event = '', data = ''] = /^event: (\w+)\ndata: (.*)$/.exec(block) ?? [];
    return { event, data: JSON.parse(data) as unknown };
  });
}

/** One mutation over a websocket, and its answer. */
function askOverSocket({ url }: TestServer, { headers }: Client, ip: string): Promise<unknown> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/trpc?connectionParams=1`, {
    headers: { 'x-forwarded-for': ip },
  });
  const token = headers.authorization.replace('Bearer ', '');
  const input = {
    generationId: randomUUID(),
    conversationId: randomUUID(),
    replyId: randomUUID(),
    endpoint: 'openAI',
    model: 'fake:echo',
    settings: {},
    target: { kind: 'send', messageId: randomUUID(), parentMessageId: null, text: 'Over a socket' },
  };
  socket.on('open', () => {
    socket.send(JSON.stringify({ method: 'connectionParams', data: { token } }));
    socket.send(JSON.stringify({ id: 1, method: 'mutation', params: { path: 'messages.ask', input } }));
  });
  return new Promise((resolve, reject) => {
    socket.on('error', reject);
    socket.on('message', (data) => {
      const message = JSON.parse(String(data)) as { id?: number };
      if (message.id !== 1) return;
      socket.close();
      resolve(message);
    });
  });
}

function login({ url }: TestServer, ip: string): Promise<Response> {
  const account = { email: 'alice@example.com', password: PASSWORD };
  return send(url, 'POST', '/api/auth/login', account, { 'x-forwarded-for': ip });
}

/** Neither the account comes in from anywhere, nor anybody from its network. */
async function isKeptOut(server: TestServer): Promise<void> {
  for (const ip of ['93.184.216.9', '93.184.216.10']) {
    const answer = await login(server, ip);
    expect([answer.status, await answer.json()]).toEqual([403, { message: expect.stringContaining('banned') }]);
  }
  const form = { name: 'mallory', email: 'mallory@example.com', password: PASSWORD, confirm_password: PASSWORD };
  const register = (ip: string) => send(server.url, 'POST', '/api/auth/register', form, { 'x-forwarded-for': ip });
  expect((await register('93.184.216.9')).status).toBe(403);
  expect((await register('93.184.216.10')).status).toBe(200);
}
