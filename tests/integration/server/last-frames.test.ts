// A server that is told to stop while answers run, files are downloaded and connections are idle: every reader gets the
// end of what it reads.
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { Agent, get, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { build } from '@parley/scripts/build';
import { startFakeProvider, type FakeProvider } from '@parley/scripts/fake-provider';
import { scenarioText } from '@parley/scripts/fake-provider/scenarios';
import { startServer, type ServerProcess } from '@parley/scripts/server-process';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import WebSocket from 'ws';
import { createFolder } from '../../support/folders.ts';
import { finalOf, question, readFrames, signUp, untilText, type Client } from '../../support/rest/client.ts';
import { processEnvironment } from '../../support/server.ts';
import { upload } from '../../support/uploads.ts';

/** An answer of four seconds. */
const WORDS = '40@100';
const ASKED = `Tell me a story [[tokens:${WORDS}]]`;
const TOLD = scenarioText('tokens', WORDS, ASKED);
/** Longer than this test may take: what waits for it to end fails. */
const LONG_GRACE = '600';
/** More than two systems and their buffers take in of a connection that nobody reads. */
const FILE_BYTES = 19 * 1024 * 1024;

/** A step of the shutdown that was given up. The reading of an uploaded file may be: it is taken up at the next start. */
const LEFT = /does not wait any longer for: (?!extraction)/;

let provider: FakeProvider;

beforeAll(async () => {
  await build();
  provider = await startFakeProvider();
});
afterAll(() => provider.close());

it('sends every kind of reader the end of its answer', async () => {
  const { server, alice } = await open({ SHUTDOWN_GRACE_SECONDS: LONG_GRACE });
  const rest = await Promise.all([1, 2, 3].map(() => readOverRest(alice)));
  const streams = await Promise.all([readOfProgram(server, alice), readEvents(server, alice)]);
  const socket = await openSocket(server, alice);
  await socket.untilText();
  const idle = await openIdle(server);
  const ended = server.end('SIGTERM');
  for (const reader of rest) expect(finalOf(await reader.frames).responseMessage.text).toBe(TOLD);
  const [ofProgram, events] = await Promise.all(streams.map((reader) => reader.all));
  expect(ofProgram).toContain('data: [DONE]');
  expect(events).toContain('"type":"final"');
  const { messages, code } = await socket.closed;
  const final = messages.findIndex((message) => message.includes('"type":"final"'));
  expect(final).toBeGreaterThan(0);
  expect(messages.findIndex((message) => message.includes('"reconnect"'))).toBeGreaterThan(final);
  expect(code).toBe(1012);
  expect(await ended).toBe(0);
  expect(server.said()).not.toMatch(LEFT);
  await idle.closed;
});

it('sends the end of an answer that goes on after the load balancers were told', async () => {
  const { server, alice } = await open({ DRAIN_SECONDS: '1', SHUTDOWN_GRACE_SECONDS: LONG_GRACE });
  const reader = await readOverRest(alice);
  expect(await server.end('SIGTERM')).toBe(0);
  expect(finalOf(await reader.frames).responseMessage.text).toBe(TOLD);
});

it('does not wait for idle connections and the change feed', async () => {
  const { server, alice } = await open({ SHUTDOWN_GRACE_SECONDS: LONG_GRACE });
  const idle = await Promise.all([openIdle(server), openIdle(server)]);
  const feed = await openFeed(server, alice);
  const socket = await openSocket(server, alice, null);
  expect(await server.end('SIGTERM')).toBe(0);
  expect((await socket.closed).code).toBe(1012);
  await Promise.all([...idle.map(({ closed }) => closed), feed.closed]);
});

it('sends the whole of a file and of an export to a client that reads slowly', async () => {
  const { server, alice } = await open({ SHUTDOWN_GRACE_SECONDS: LONG_GRACE });
  const path = await uploadFile(server, alice);
  const file = await openPaused(server, alice, path);
  const exported = await openPaused(server, alice, '/api/export');
  const ended = server.end('SIGTERM');
  await untilDraining(server);
  expect(await lengthOf(file)).toBe(FILE_BYTES);
  expect(await lengthOf(exported)).toBeGreaterThan(FILE_BYTES / 2);
  expect(await ended).toBe(0);
});

it('does not wait beyond the grace for a client that does not read', async () => {
  const { server, alice } = await open({ SHUTDOWN_GRACE_SECONDS: '2' });
  const path = await uploadFile(server, alice);
  const unread = await openPaused(server, alice, path);
  unread.on('error', () => undefined);
  const cut = new Promise((resolve) => unread.once('close', resolve));
  const endless = await readOverRest(alice, { model: 'fake:never-ending' });
  endless.frames.catch(() => undefined);
  // The process ends with 1 where its own bound cuts it.
  expect(await server.end('SIGTERM')).toBe(0);
  expect(server.said()).not.toMatch(LEFT);
  unread.resume();
  await cut;
});

it('answers a question that is asked while it stops', async () => {
  const { server, alice } = await open({ SHUTDOWN_GRACE_SECONDS: LONG_GRACE });
  const socket = await openSocket(server, alice);
  await socket.untilText();
  const ended = server.end('SIGTERM');
  await untilDraining(server);
  socket.ask('And another one [[tokens:10@100]]');
  const { messages } = await socket.closed;
  expect(messages.filter((message) => message.includes('"type":"final"'))).toHaveLength(2);
  expect(await ended).toBe(0);
});

async function open(more: Record<string, string>) {
  const models = { OPENAI_MODELS: 'fake:never-ending,gpt-4' };
  const server = await startServer(createFolder(), await processEnvironment(provider, { ...models, ...more }));
  onTestFinished(async () => void (await server.end('SIGKILL')));
  return { server, alice: await signUp(server.url, 'alice') };
}

/** A reader of an answer whose first words it has. */
async function readOverRest(client: Client, over: object = {}) {
  const frames = readFrames(await client.post('/api/ask/openAI', question(ASKED, { model: 'gpt-4', ...over })));
  const { value: created } = await frames.next();
  await untilText(frames);
  const rest = async () => {
    const read = created ? [created] : [];
    for await (const frame of frames) read.push(frame);
    return read;
  };
  return { frames: rest() };
}

async function readOfProgram(server: ServerProcess, alice: Client) {
  const created = await call(server, alice, 'apiKeys.create', { name: 'A script', scopes: ['chat'] });
  const { key } = created as { key: string };
  const response = await fetch(`${server.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
    body: JSON.stringify({ model: 'gpt-4', messages: [{ role: 'user', content: ASKED }], stream: true }),
  });
  return untilBytes(response, '"content":"');
}

/** tRPC's own subscription over HTTP. */
async function readEvents({ url }: ServerProcess, { headers }: Client) {
  const { generationId } = await askOverHttp(url, headers);
  const input = encodeURIComponent(JSON.stringify({ generationId }));
  const response = await fetch(`${url}/trpc/messages.attach?input=${input}`, {
    headers: { ...headers, accept: 'text/event-stream' },
  });
  return untilBytes(response, '"type":"text"');
}

async function openFeed({ url }: ServerProcess, { headers }: Client): Promise<{ closed: Promise<unknown> }> {
  const response = await fetch(`${url}/trpc/convos.changes`, { headers: { ...headers, accept: 'text/event-stream' } });
  expect(response.status).toBe(200);
  return { closed: response.text().catch(() => null) };
}

/** Resolves when `begun` has been read; `all` is the whole text. */
async function untilBytes(response: Response, begun: string) {
  if (!response.body) throw new Error('There is no body');
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  const read = async (isEnough: () => boolean) => {
    while (!isEnough()) {
      const { done, value } = await reader.read();
      if (done) break;
      text += value;
    }
    return text;
  };
  await read(() => text.includes(begun));
  return { all: read(() => false) };
}

function askInput(text: string) {
  const ids = { generationId: randomUUID(), conversationId: randomUUID(), replyId: randomUUID() };
  const target = { kind: 'send', messageId: randomUUID(), parentMessageId: null, text };
  return { ...ids, endpoint: 'openAI', model: 'gpt-4', settings: {}, target };
}

async function askOverHttp(url: string, headers: Client['headers']) {
  const input = askInput(ASKED);
  const asked = await fetch(`${url}/trpc/messages.ask`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(input),
  });
  expect(asked.status).toBe(200);
  return input;
}

async function call({ url }: ServerProcess, { headers }: Client, path: string, input: object): Promise<unknown> {
  const response = await fetch(`${url}/trpc/${path}`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(input),
  });
  const { result } = (await response.json()) as { result: { data: unknown } };
  return result.data;
}

/** A page's websocket, which asks and reads what it asked; with null it only follows the changes. */
async function openSocket({ url }: ServerProcess, { headers }: Client, first: string | null = ASKED) {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/trpc?connectionParams=1`);
  onTestFinished(() => socket.terminate());
  await once(socket, 'open');
  const messages: string[] = [];
  let isHeard = () => {};
  const heard = new Promise<void>((resolve) => (isHeard = resolve));
  socket.on('message', (data: Buffer) => {
    messages.push(data.toString());
    if (data.toString().includes('"type":"text"')) isHeard();
  });
  const send = (message: object) => socket.send(JSON.stringify(message));
  send({ method: 'connectionParams', data: { token: headers.authorization.slice('Bearer '.length) } });
  let id = 0;
  const ask = (text: string) => {
    const input = askInput(text);
    send({ id: (id += 1), method: 'mutation', params: { path: 'messages.ask', input } });
    const { generationId } = input;
    send({ id: (id += 1), method: 'subscription', params: { path: 'messages.attach', input: { generationId } } });
  };
  send({ id: (id += 1), method: 'subscription', params: { path: 'convos.changes' } });
  if (first) ask(first);
  else await expect.poll(() => messages.some((message) => message.includes('"started"'))).toBe(true);
  const closed = once(socket, 'close').then(([code]) => ({ messages, code: code as number }));
  return { ask, untilText: () => heard, closed };
}

/** A connection that is kept after its answer. */
async function openIdle({ url }: ServerProcess): Promise<{ closed: Promise<unknown> }> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  onTestFinished(() => void socket.destroy());
  socket.write('GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n');
  await once(socket, 'data');
  return { closed: once(socket, 'close') };
}

async function uploadFile({ url }: ServerProcess, alice: Client): Promise<string> {
  // What no archive makes smaller than three quarters.
  const bytes = randomBytes((FILE_BYTES / 4) * 3).toString('base64');
  const { file_id: id } = await upload(url, alice, { bytes, name: 'story.txt', type: 'text/plain' });
  return `/api/files/download/${alice.id}/${id}`;
}

/** A response of which nothing is read until somebody does. */
async function openPaused({ url }: ServerProcess, { headers }: Client, path: string): Promise<IncomingMessage> {
  const agent = new Agent({ keepAlive: true });
  onTestFinished(() => agent.destroy());
  const [response] = (await once(get(url + path, { agent, headers }), 'response')) as [IncomingMessage];
  expect(response.statusCode).toBe(200);
  return response.pause();
}

async function lengthOf(response: IncomingMessage): Promise<number> {
  let bytes = 0;
  for await (const chunk of response) bytes += (chunk as Buffer).length;
  expect(response.complete).toBe(true);
  return bytes;
}

/** It takes no connections any more. */
async function untilDraining({ url }: ServerProcess): Promise<void> {
  const isTaken = () =>
    fetch(`${url}/health`, { headers: { connection: 'close' } }).then(
      () => true,
      () => false,
    );
  await expect.poll(isTaken).toBe(false);
}
