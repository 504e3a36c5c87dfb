import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../../../support/server.ts';
import { createParser } from '../../../support/rest/frame-parser.ts';
import { createdOf, finalOf, question, send, signUp, type Client } from '../../../support/rest/client.ts';

let server: TestServer;
let alice: Client;

beforeAll(async () => {
  server = await startTestServer();
  alice = await signUp(server.url, 'alice');
});
afterAll(() => server.close());

const post = (path: string, body: string | Uint8Array<ArrayBuffer>, type = 'application/json') =>
  fetch(server.url + path, { method: 'POST', body, headers: { ...alice.headers, 'content-type': type } });

describe('a body', () => {
  it.each(['{', 'x', '[]', '"text"', '5', 'null', '['.repeat(100_000)])(
    'that is no JSON object is refused: %.10s',
    async (body) => {
      const response = await post('/api/tokenizer', body);
      expect(response.status).toBe(400);
      expect(await response.json()).toEqual({ message: expect.any(String) });
    },
  );

  it('is refused at more than 3 MB', async () => {
    const response = await post('/api/tokenizer', JSON.stringify({ arg: 'a'.repeat(3 * 1024 * 1024) }));
    expect(response.status).toBe(413);
    expect(await response.json()).toEqual({ message: expect.any(String) });
  });

  it('is refused at more than 3 MB when its length is not declared', async () => {
    const pieces = new ReadableStream<Uint8Array>({
      start(controller) {
        for (let piece = 0; piece < 40; piece++) controller.enqueue(new Uint8Array(100_000).fill(0x20));
        controller.close();
      },
    });
    const headers = { 'content-type': 'application/json', ...alice.headers };
    const init = { method: 'POST', body: pieces, duplex: 'half', headers };
    const response = await fetch(`${server.url}/api/tokenizer`, init);
    expect(response.status).toBe(413);
    expect(await response.json()).toEqual({ message: expect.any(String) });
  });

  it('is read without a declared length', async () => {
    const pieces = new Blob([JSON.stringify({ arg: 'hello world' })]).stream();
    const headers = { 'content-type': 'application/json', ...alice.headers };
    const init = { method: 'POST', body: pieces, duplex: 'half', headers };
    expect(await (await fetch(`${server.url}/api/tokenizer`, init)).json()).toEqual({ count: 2 });
  });

  it.each([{ arg: 'hello world' }, { arg: { text: 'hello world' } }, { text: 'hello world' }])(
    'may give a text to count as %j',
    async (body) => {
      const response = await post('/api/tokenizer', JSON.stringify(body));
      expect(await response.json()).toEqual({ count: 2 });
    },
  );

  it('is accepted at nearly 3 MB', async () => {
    const response = await post('/api/tokenizer', JSON.stringify({ arg: '€'.repeat(1_000_000) }));
    expect(response.status).toBe(200);
  });

  it('loses keys that look like database operators or paths', async () => {
    const arg = { text: 'hello', $where: '1', 'a.b': 2 };
    expect((await post('/api/tokenizer', JSON.stringify({ arg, $gt: '' }))).status).toBe(200);
    expect(
      (await post('/api/convos/update', JSON.stringify({ arg: { $title: 'x', conversationId: 'y' } }))).status,
    ).toBe(422);
  });

  it('of a form may contain objects and booleans', async () => {
    const form = 'application/x-www-form-urlencoded';
    const counted = await post('/api/tokenizer', 'arg%5Btext%5D=hello+world', form);
    expect(await counted.json()).toEqual({ count: 2 });
    const asked = new URLSearchParams({
      text: 'By a form',
      endpoint: 'openAI',
      model: 'fake:echo',
      isContinued: 'false',
    });
    const frames = createParser()(await (await post('/api/ask/openAI', asked.toString(), form)).text());
    expect(finalOf(frames).responseMessage.text).toBe('By a form');
  });

  it.each([
    ['application/json; charset=utf-8', Buffer.from('{"arg":"€"}')],
    ['Application/JSON;charset="UTF-8"', Buffer.from('{"arg":"€"}')],
    ['application/json; charset=utf8', Buffer.from('\ufeff{"arg":"€"}')],
    ['application/json; charset=utf-16le', Buffer.from('{"arg":"€"}', 'utf16le')],
    ['application/json; charset=windows-1252', Buffer.from('{"arg":"\x80"}', 'latin1')],
  ])('of the type %s is read in its charset', async (type, bytes) => {
    const response = await post('/api/tokenizer', new Uint8Array(bytes), type);
    expect([response.status, await response.json()]).toEqual([200, { count: 1 }]);
  });

  it('is refused with an unknown charset', async () => {
    expect((await post('/api/tokenizer', '{"arg":"a"}', 'application/json; charset=klingon')).status).toBe(415);
  });

  it.each([
    ['/api/tokenizer', { arg: 5 }, 'arg: arg must be a string'],
    ['/api/tokenizer', {}, 'arg: arg must be a string'],
    ['/api/convos/update', { arg: { conversationId: 'x', title: 'y' } }, 'conversationId: The id is not a UUID'],
    ['/api/presets', { title: 5 }, 'title: title must be a string'],
    ['/api/keys', { value: 'x' }, 'name: name is required'],
  ])('at %s, %j, is refused in plain words', async (path, body, message) => {
    const method = path === '/api/keys' ? 'PUT' : 'POST';
    const response = await send(server.url, method, path, body, alice.headers);
    expect([response.status, await response.json()]).toEqual([422, { message }]);
  });

  it('is refused with another type', async () => {
    expect((await post('/api/tokenizer', JSON.stringify({ arg: 'hello' }), 'text/plain')).status).toBe(415);
  });

  it('cannot reach prototypes', async () => {
    const body = JSON.stringify(question('Hi')).replace('{', '{"__proto__":{"temperature":1.5},');
    const response = await post('/api/ask/openAI', body);
    expect(await response.text()).not.toContain('temperature');
  });

  it('is saved without NUL and lone surrogates', async () => {
    const frames = await alice.ask(question('a\u0000b\ud83dc 😀'));
    expect(createdOf(frames).text).toBe('ab\ufffdc 😀');
    expect(finalOf(frames).responseMessage.text).toBe('ab\ufffdc 😀');
  });
});
