import { request, type IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventStream } from '@parley/server/rest/sse';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../../../support/server.ts';
import { begin, createdOf, finalOf, question, signUp, textsOf, type Client } from '../../../support/rest/client.ts';
import { createParser } from '../../../support/rest/frame-parser.ts';

let server: TestServer;
let alice: Client;

beforeAll(async () => {
  server = await startTestServer();
  alice = await signUp(server.url, 'alice');
});
afterAll(() => server.close());

describe('a reader that leaves', () => {
  it('does not stop the answer', async () => {
    const body = question('I am off [[tokens:60@10]]', { model: 'gpt-4' });
    const stream = await ask(body);
    const [created] = createParser()(String((await stream[Symbol.asyncIterator]().next()).value));
    if (!created || !('created' in created.data)) throw new Error('The stream did not begin with created');
    stream.destroy();
    const { conversationId } = created.data.message;
    const newest = async () => (await alice.messages(conversationId)).at(-1);
    await expect.poll(async () => (await newest())?.finish_reason).toBe('stop');
    expect((await newest())?.text.split(' ').length).toBeGreaterThan(10);
  });

  it('can reconnect with the same body and read on', async () => {
    const body = question('Once more [[tokens:60@10]]', { model: 'gpt-4' });
    const first = await ask(body);
    await first[Symbol.asyncIterator]().next();
    first.destroy();
    const { rest } = await begin(alice, body);
    const frames = await rest();
    expect(finalOf(frames).responseMessage).toMatchObject({ finish_reason: 'stop', error: false });
    expect(textsOf(frames).at(-1)?.text).toBe(finalOf(frames).responseMessage.text);
  });
});

describe('a slow reader', () => {
  it('gets the newest text when it resumes, not every older one', async () => {
    const body = question('At length [[long:800000]]', { model: 'gpt-4' });
    const stream = await ask(body);
    const parse = createParser();
    const frames = parse(String((await stream[Symbol.asyncIterator]().next()).value));
    const newest = async () => (await alice.messages(createdOf(frames).conversationId)).at(-1);
    await expect.poll(async () => (await newest())?.finish_reason, { interval: 500 }).toBe('stop');
    for await (const chunk of stream) frames.push(...parse(String(chunk)));
    expect(finalOf(frames).responseMessage.text).toHaveLength(800_000);
    // One that keeps up is sent about a hundred texts, 40 MB in all; what the sockets hold is a part of that.
    expect(textsOf(frames).reduce((sum, { text }) => sum + text.length, 0)).toBeLessThan(15_000_000);
  });
});

describe('a silent stream', () => {
  it('gets blank lines as keep-alive', async () => {
    let end = () => {};
    const silence = new Promise<void>((resolve) => (end = resolve));
    const decoder = new TextDecoder();
    let text = '';
    for await (const chunk of eventStream(framesAfter(silence), 20).body ?? []) {
      text += decoder.decode(chunk, { stream: true });
      if (text === '\n\n') end();
    }
    expect(text).toMatch(/^\n{2,}event: message\ndata: \{\}\n\n$/);
  });

  it('stays open when its provider is silent', async () => {
    const running = await begin(alice, question('Hello?', { model: 'fake:silent' }));
    await sleep(300);
    expect((await alice.stop(running.created.conversationId)).status).toBe(200);
    expect(finalOf(await running.rest()).responseMessage.text).toBe('');
  });
});

async function* framesAfter(silence: Promise<void>): AsyncGenerator<string, void> {
  await silence;
  yield 'event: message\ndata: {}\n\n';
}

/** With a socket of its own, which is read only when the test reads. */
function ask(body: object): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json', ...alice.headers };
    const asked = request(`${server.url}/api/ask/openAI`, { method: 'POST', headers, agent: false }, (response) => {
      response.setEncoding('utf8');
      resolve(response);
    });
    asked.on('error', reject);
    asked.end(JSON.stringify(body));
  });
}
