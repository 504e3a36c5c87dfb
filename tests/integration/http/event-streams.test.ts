// Readers of one answer over tRPC's event streams (HTTP): what waits to be sent to each of them stays small.
import { request, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Entry } from '@parley/schema/generation/events';
import { fold } from '@parley/schema/generation/fold';
import { messageText } from '@parley/schema/messages/messages';
import { throttled } from '@parley/server/http/backpressure';
import { WholeTextEncoderStream } from '@parley/server/http/trpc-http';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { emptyReply } from '../../contracts/generation-events.ts';
import { question } from '../../support/exchange.ts';
import { openHttpClients, type Browser, type HttpClients } from '../../support/http-clients.ts';

vi.setConfig({ testTimeout: 60_000 });

const LENGTH = 1_500_000;

let clients: HttpClients;
let alice: Browser;
/** The most bytes that have waited in one response, and the largest that was written at once before the end. */
let largestWaiting = 0;

beforeAll(async () => {
  clients = await openHttpClients();
  alice = await clients.signUp('alice');
  clients.server.prependListener('request', (_request: IncomingMessage, response: ServerResponse) => watch(response));
});
afterAll(async () => {
  await alice.close();
  await clients.close();
});

describe('readers that join a long answer', () => {
  it('get it in pieces, paused or not, and have all of it in the end', async () => {
    const input = question(`[[long:${LENGTH}]] At length`, { model: 'gpt-4' });
    await alice.api.messages.ask.mutate(input);
    const first = await open(input.generationId);
    await expect.poll(() => first.received(), { interval: 5 }).toBeGreaterThan(LENGTH / 2);
    const paused = await Promise.all(Array.from({ length: 6 }, () => open(input.generationId)));
    for (const reader of paused) reader.pause();
    await first.ended;
    expect(largestWaiting).toBeGreaterThan(0);
    expect(largestWaiting).toBeLessThan(400_000);
    for (const reader of paused) reader.resume();
    for (const reader of [first, ...paused]) {
      await reader.ended;
      expect(messageText(reader.folded())).toHaveLength(LENGTH);
      expect(reader.textBeforeEnd()).toBeGreaterThan(LENGTH / 6);
    }
  });
});

describe('event streams of a user', () => {
  it('one person has at most two hundred event streams, even if others have some, and one that ends makes room', async () => {
    const bob = await clients.signUp('bob');
    const followed = await Promise.all(Array.from({ length: 200 }, () => follow(bob)));
    for (const one of followed) expect(one.started).not.toContain('concurrent');
    expect((await follow(bob)).started).toContain('"reason":{"type":"concurrent","limit":200}');
    const others = await follow(alice);
    expect(others.started).not.toContain('concurrent');
    followed[0]?.end();
    await expect.poll(async () => (await follow(bob)).started).not.toContain('concurrent');
    for (const one of [...followed, others]) one.end();
    await bob.close();
  });
});

describe('an event', () => {
  it('is encoded as a whole', () => {
    expect(TextEncoderStream).toBe(WholeTextEncoderStream);
  });
});

describe('a long text', () => {
  const text = Array.from({ length: 30_000 }, (_, n) => `word${n}`).join(' ');
  const long: Entry = { seq: 9, event: { type: 'text', part: 0, offset: 0, text } };

  it('arrives in pieces that fold to the same text, and an interrupted reader gets the entry again', async () => {
    const pieces: Entry[] = [];
    for await (const piece of throttled(given(long), null, new AbortController().signal, 7)) pieces.push(piece);
    expect(pieces.length).toBeGreaterThan(3);
    expect(pieces.map(({ seq }) => seq)).toEqual([...pieces.slice(1).map(() => 7), 9]);
    const folded = [...pieces.slice(0, 2), ...pieces].reduce((reply, { event }) => fold(reply, event), emptyReply());
    expect(messageText(folded)).toBe(text);
  });
});

/** An event stream of changes, and its beginning: a cursor from the future is refused at once. */
async function follow({ token }: Browser) {
  const headers = { accept: 'text/event-stream', authorization: `Bearer ${token}`, 'x-app': '1' };
  const stop = new AbortController();
  const url = `http://${clients.host}/trpc/convos.changes?input=${encodeURIComponent('{"lastEventId":"999999"}')}`;
  const { body } = await fetch(url, { headers, signal: stop.signal });
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
  let started = '';
  while (!/"type":"(reset|concurrent)"/.test(started)) {
    const { value, done } = (await reader?.read()) ?? { done: true };
    if (done) break;
    started += value;
  }
  return { started, end: () => stop.abort() };
}

async function* given(...entries: Entry[]): AsyncGenerator<Entry> {
  yield* entries;
}

function watch(response: ServerResponse): void {
  const write = response.write.bind(response) as (...args: unknown[]) => boolean;
  response.write = (...args: unknown[]) => {
    const [chunk] = args;
    const bytes = chunk instanceof Uint8Array ? chunk : Buffer.from(String(chunk));
    // The last event holds the whole message, and comes to who reads.
    if (!Buffer.from(bytes.subarray(0, 200)).includes('"type":"final"'))
      largestWaiting = Math.max(largestWaiting, response.writableLength + bytes.byteLength);
    return write(...args);
  };
}

async function open(generationId: string) {
  const given = encodeURIComponent(JSON.stringify({ generationId }));
  const headers = { accept: 'text/event-stream', authorization: `Bearer ${alice.token}`, 'x-app': '1' };
  const stream = await new Promise<IncomingMessage>((resolve, reject) => {
    request(`http://${clients.host}/trpc/messages.attach?input=${given}`, { headers }, resolve)
      .on('error', reject)
      .end();
  });
  expect(stream.statusCode).toBe(200);
  let folded = emptyReply();
  let rest = '';
  let received = 0;
  let before = 0;
  stream.setEncoding('utf8');
  stream.on('data', (chunk: string) => {
    received += chunk.length;
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) if (line.startsWith('data: {"type"')) hear(line.slice('data: '.length));
  });
  const ended = new Promise<void>((resolve, reject) => stream.once('end', resolve).once('error', reject));
  return {
    pause: () => stream.pause(),
    resume: () => stream.resume(),
    received: () => received,
    folded: () => folded,
    textBeforeEnd: () => before,
    ended,
  };

  function hear(data: string): void {
    const event = JSON.parse(data) as Entry['event'];
    if (event.type === 'final') before = messageText(folded).length;
    folded = fold(folded, event);
  }
}
