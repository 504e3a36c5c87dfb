// What of a request is read, and how much one request may ask for: over real HTTP.
import { randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PASSWORD, send, signUp, type Client } from '../../support/rest/client.ts';
import { startTestServer, type TestServer } from '../../support/server.ts';

let server: TestServer;
let alice: Client;

beforeAll(async () => {
  server = await startTestServer();
  alice = await signUp(server.url, 'alice');
});
afterAll(() => server.close());

const KB = 1024;
const MB = 1024 * KB;

/** Sends the head of a request and its body so many times, and returns the answer. */
function sendRaw(head: string[], body: Buffer, times = 1): Promise<{ answer: string; sent: number }> {
  const { hostname, port } = new URL(server.url);
  return new Promise((resolve) => {
    let answer = '';
    let sent = 0;
    const socket = connect(Number(port), hostname);
    socket.on('data', (data) => (answer += data.toString('latin1')));
    socket.on('error', () => {});
    socket.on('close', () => resolve({ answer, sent }));
    socket.write([...head, `Host: ${hostname}:${port}`, 'Content-Type: application/json', '', ''].join('\r\n'));
    const more = () => {
      for (; sent < times && !socket.destroyed && socket.writable; sent++) {
        const isRoom = socket.write(body);
        if (!isRoom) {
          sent++;
          socket.once('drain', more);
          return;
        }
      }
    };
    more();
  });
}

const chunkOf = (bytes: number) =>
  Buffer.concat([Buffer.from(`${bytes.toString(16)}\r\n`), Buffer.alloc(bytes, 0x20), Buffer.from('\r\n')]);

const refusal = {
  error: {
    message: 'invalid_input',
    code: expect.any(Number),
    data: {
      code: 'PAYLOAD_TOO_LARGE',
      httpStatus: 413,
      reason: { type: 'invalid_input', text: expect.stringContaining('larger than') },
    },
  },
};

const callTrpc = (path: string, body: string, client = alice) =>
  fetch(`${server.url}/trpc/${path}`, {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json', 'x-app': '1', ...client.headers },
  });

describe('a call with a body that is too large', () => {
  it.each([
    ['a sign-in', 'auth.login', 65 * KB],
    ['a sign-in within a batch', 'auth.login,auth.login?batch=1', 65 * KB],
    ['a key', 'keys.save', MB + 1],
    ['a question', 'messages.ask', 8 * MB + 1],
    ['an OpenAPI document', 'actions.parse', 21 * MB + 1],
    ['what nobody knows', 'nobody.knows', MB + 1],
  ])('is refused: %s', async (_what, path, size) => {
    const response = await callTrpc(path, JSON.stringify('x'.repeat(size)));
    expect(response.status).toBe(413);
    expect(await response.json()).toEqual(refusal);
  });

  it('is refused before it arrives when its length is declared', async () => {
    const { answer, sent } = await sendRaw(
      ['POST /trpc/auth.login HTTP/1.1', 'Content-Length: 300000000'],
      Buffer.alloc(0),
      0,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
    expect(sent).toBe(0);
  });

  it('is refused once it has arrived when it is not far over: a client that sends first reads no reset', async () => {
    for (const path of ['/trpc/auth.login', '/api/auth/login']) {
      const head = [`POST ${path} HTTP/1.1`, `Content-Length: ${12 * MB}`];
      const { answer, sent } = await sendRaw(head, Buffer.alloc(MB, 0x20), 12);
      expect(answer).toMatch(/^HTTP\/1\.1 413 /);
      expect(sent).toBe(12);
    }
  });

  it('is refused once it has arrived when its length is not declared', async () => {
    const head = ['POST /trpc/auth.login HTTP/1.1', 'Transfer-Encoding: chunked'];
    const body = Buffer.concat([...Array.from({ length: 12 }, () => chunkOf(MB)), Buffer.from('0\r\n\r\n')]);
    const { answer } = await sendRaw(head, body);
    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
  });

  it.each([
    ['without a credential', []],
    ['with a forged one', ['Authorization: Bearer x']],
  ])('is cut off while it arrives when it does not end, %s', async (_whose, credential) => {
    const head = ['POST /trpc/messages.ask HTTP/1.1', ...credential, 'Transfer-Encoding: chunked'];
    // What is still on its way may reset the connection before the answer is read.
    const { sent } = await sendRaw(head, chunkOf(MB), 300);
    expect(sent).toBeLessThan(100);
  });

  it('is refused by the REST paths for visitors, too', async () => {
    const response = await send(server.url, 'POST', '/api/auth/login', {
      email: 'x'.repeat(65 * KB),
      password: PASSWORD,
    });
    expect(response.status).toBe(413);
    expect(await response.json()).toEqual({ message: 'The request is larger than 64 kB.' });
  });

  it('is refused without a credential wherever it goes', async () => {
    const visitor = { ...alice, headers: { authorization: '' } };
    for (const path of ['messages.ask', 'messages.budget', 'actions.parse', 'keys.save', 'nobody.knows']) {
      const response = await callTrpc(path, JSON.stringify('x'.repeat(65 * KB)), visitor);
      expect(response.status).toBe(413);
    }
    const rest = await send(server.url, 'POST', '/api/ask/openAI', { text: 'x'.repeat(65 * KB) });
    expect(rest.status).toBe(413);
  });

  it('is informed of an expired session once it has arrived', async () => {
    for (const headers of [{ authorization: 'Bearer expired' }, { cookie: 'refreshToken=expired' }]) {
      const body = JSON.stringify({ text: 'x'.repeat(MB) });
      const trpc = await fetch(`${server.url}/trpc/messages.ask`, {
        method: 'POST',
        body,
        headers: { 'content-type': 'application/json', ...headers },
      });
      expect(trpc.status).toBe(401);
      expect((await send(server.url, 'POST', '/api/ask/openAI', { text: body }, headers)).status).toBe(401);
    }
  });

  it('is not looked at with a forged credential', async () => {
    const headers = { 'content-type': 'application/json', authorization: 'Bearer x' };
    const body = '['.repeat(65 * KB);
    const rest = await fetch(`${server.url}/api/ask/openAI`, { method: 'POST', body, headers });
    const shared = await fetch(`${server.url}/trpc/shares.read`, { method: 'POST', body, headers });
    expect([rest.status, shared.status]).toEqual([401, 401]);
    expect(await shared.json()).toMatchObject({ error: { data: { reason: { type: 'unauthorized' } } } });
  });

  it('does not include a question of the greatest length', async () => {
    const response = await callTrpc('messages.ask', JSON.stringify({ text: '\u6f22'.repeat(2_000_000) }));
    expect(response.status).toBe(422);
  });
});

describe('a batch', () => {
  const many = Array.from({ length: 21 }, () => 'endpoints.startup');

  it.each([
    ['divided by commas', many.join(',')],
    ['divided by encoded commas', many.join('%2C')],
  ])('with more calls than a browser makes is refused, %s', async (_how, path) => {
    const read = await fetch(`${server.url}/trpc/${path}?batch=1&input={}`);
    const written = await fetch(`${server.url}/trpc/${path}?batch=1`, {
      method: 'POST',
      body: '{}',
      headers: { 'content-type': 'application/json' },
    });
    for (const response of [read, written]) {
      expect(response.status).toBe(400);
      expect(await response.json()).toMatchObject({ error: { data: { code: 'BAD_REQUEST', httpStatus: 400 } } });
    }
  });

  it('is answered with as many calls as a browser makes', async () => {
    const response = await fetch(`${server.url}/trpc/${many.slice(1).join('%2C')}?batch=1&input={}`);
    expect(response.status).toBe(200);
    expect(await response.json()).toHaveLength(20);
  });

  it('is refused with a malformed address', async () => {
    expect((await fetch(`${server.url}/trpc/%E0%A4%A?batch=1`)).status).toBe(400);
  });
});

describe('rate limits of costly calls', () => {
  it('refuse more searches than a person makes, for a while', async () => {
    const bob = await signUp(server.url, 'bob');
    for (let n = 0; n < 120; n++) expect((await bob.get('/api/search?q=')).status).toBe(200);
    const response = await bob.get('/api/search?q=');
    expect(response.status).toBe(429);
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await response.json()).toEqual({ message: expect.stringContaining('Too many') });
    expect((await alice.get('/api/search?q=')).status).toBe(200);
  });

  it('hold for the budget of long questions, and not for that of short ones', async () => {
    const dave = await signUp(server.url, 'dave');
    const budgetOf = async (text: string) => {
      const about = { conversationId: randomUUID(), parentMessageId: null, endpoint: 'openAI', model: 'gpt-4' };
      const response = await callTrpc('messages.budget', JSON.stringify({ ...about, settings: {}, text }), dave);
      await response.text();
      return response;
    };
    const long = 'word '.repeat(5_000);
    for (let n = 0; n < 60; n++) expect((await budgetOf(long)).status).toBe(200);
    const refused = await budgetOf(long);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await budgetOf('word')).status).toBe(200);
  });

  it('hold for counting tokens, too', async () => {
    const carol = await signUp(server.url, 'carol');
    for (let n = 0; n < 120; n++) expect((await carol.post('/api/tokenizer', { arg: '' })).status).toBe(200);
    const response = await carol.post('/api/tokenizer', { arg: '' });
    expect(response.status).toBe(429);
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
  });

  it('count a long text by its characters', async () => {
    const response = await alice.post('/api/tokenizer', { arg: 'word '.repeat(400_000) });
    expect(await response.json()).toEqual({ count: 500_000 });
  });
});
