import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createBrotliCompress, createDeflate, createGzip } from 'node:zlib';
import { messageText } from '@parley/schema/messages/messages';
import { tidyTitle } from '@parley/server/convos/tidy-title';
import { boundedFetch, EVENT_MAX, readShortText } from '@parley/server/providers/bounded-body';
import { readEventData, readLines } from '@parley/server/providers/sse-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exchange, question } from '../../support/exchange.ts';
import { openTestServices, type Person, type TestServices } from '../../support/services.ts';

const MALFORMED = { reason: { type: 'provider_malformed' } };
const PIECE = 'x'.repeat(256 * 1024);

let services: TestServices;
let alice: Person;

beforeAll(async () => {
  services = await openTestServices({ OPENAI_MODELS: 'gpt-4,gpt-3.5-turbo-instruct' });
  alice = await services.as('alice');
});
afterAll(() => services.close());

describe('a line of a provider', () => {
  it('is whole, however it was split in transit', async () => {
    const { response } = answering(['on', 'e\r', '\ntw', 'o\n\nth', 'ree']);
    expect(await all(readLines(response))).toEqual(['one', 'two', '', 'three']);
  });

  it('is refused when it has no end, and no more of it is read', async () => {
    const { response, given } = answering(endless(PIECE));
    await expect(all(readLines(response))).rejects.toMatchObject(MALFORMED);
    expect(given()).toBeLessThan(EVENT_MAX + 4 * PIECE.length);
  });

  it('is not joined to an unfinished event', async () => {
    const { response, given } = answering(endless(`data: ${PIECE}\n`));
    await expect(all(readEventData(response))).rejects.toMatchObject(MALFORMED);
    expect(given()).toBeLessThan(EVENT_MAX + 4 * PIECE.length);
  });
});

describe('the stream given to an official client', () => {
  it.each(['\n\n', '\r\n\r\n', '\r\r'])('has whole events, whose lines end with %j', async (end) => {
    const text = `data: one${end}data: two${end}`;
    const chunks = await given([...text, 'data: th', `ree${end}data: four`]);
    expect(chunks.join('')).toBe(`${text}data: three${end}data: four`);
    for (const chunk of chunks.slice(0, -1)) expect(chunk.endsWith(end)).toBe(true);
    expect(chunks.length).toBeLessThanOrEqual(6);
  });

  it.each(['data: 1\n\n', 'data: 1\r\n\r\n', 'data: 1\r\r'])(
    'has many short events in short pieces, between which the event loop turns: %j',
    async (event) => {
      let turns = 0;
      let isOver = false;
      const count = () => void (turns++, isOver || setImmediate(count));
      setImmediate(count);
      const text = event.repeat(20_000);
      const chunks = await given([text]);
      isOver = true;
      expect(chunks.join('')).toBe(text);
      for (const chunk of chunks) expect([chunk.length < 5000, chunk.endsWith(event)]).toEqual([true, true]);
      expect(turns).toBeGreaterThanOrEqual(Math.floor(chunks.length / 8));
    },
  );

  it.each([': ping\n\n', 'event: ping\r\ndata:\r\n\r\n'])(
    'the stream has no events without data: %j',
    async (event) => {
      expect(await given([event.repeat(20_000), 'data: one\n\n'])).toEqual(['data: one\n\n']);
    },
  );

  it('passes a whole event on at once', async () => {
    expect(await given(['data: one\n\n', 'data: two\n\n'])).toEqual(['data: one\n\n', 'data: two\n\n']);
  });

  it('fails when an event is too long', async () => {
    const { response, given: bytes } = answering(endless(PIECE));
    const bounded = await boundedFetch(async () => response)('http://provider');
    await expect(all(bounded.body ?? [])).rejects.toMatchObject(MALFORMED);
    expect(bytes()).toBeLessThan(EVENT_MAX + 4 * PIECE.length);
  });

  it('follows a redirect', async () => {
    const chunks = await answerOf((request, response) => {
      if (request.url === '/moved') response.end('data: here\n\n');
      else response.writeHead(307, { location: '/moved' }).end();
    });
    expect(chunks.toString()).toBe('data: here\n\n');
  });

  it.each(['gzip', 'deflate', 'br'] as const)(
    'reads what a proxy has compressed as %s, piece by piece',
    async (name) => {
      const encoders = { gzip: createGzip, deflate: createDeflate, br: createBrotliCompress };
      const chunks = await answerOf((_request, response) => {
        const encoder = encoders[name]();
        encoder.pipe(response.writeHead(200, { 'content-encoding': name }));
        encoder.end('data: one\n\ndata: two\n\n');
      });
      expect(chunks.toString()).toBe('data: one\n\ndata: two\n\n');
    },
  );

  it('gives an error response cut to the bounded length', async () => {
    const { response, given: bytes } = answering(endless(PIECE), 500);
    const bounded = await boundedFetch(async () => response)('http://provider');
    expect(bounded.status).toBe(500);
    expect((await bounded.text()).length).toBeLessThanOrEqual(PIECE.length);
    expect(bytes()).toBeLessThan(4 * PIECE.length);
  });
});

it('a short response without end is cut', async () => {
  const { response, given: bytes } = answering(endless(PIECE));
  expect((await readShortText(response)).length).toBeLessThanOrEqual(PIECE.length);
  expect(bytes()).toBeLessThan(4 * PIECE.length);
});

describe('an answer', () => {
  it('fails as unreadable when a provider sends one event of 5 MB', async () => {
    const { reply } = await exchange(services, alice.id, question('[[big-line:5000]] Long', { model: 'gpt-4' }));
    expect(reply.reason).toEqual({ type: 'provider_malformed' });
  });

  it('is whole when a provider sends one event of 1 MB', async () => {
    const { reply } = await exchange(services, alice.id, question('[[big-line:1000]] Long', { model: 'gpt-4' }));
    expect(reply.reason).toBeNull();
    expect(messageText(reply).length).toBeGreaterThan(900_000);
  });
});

describe('a title', () => {
  it('is looked for in a bounded part of the response', () => {
    expect(tidyTitle(`${' '.repeat(60_000)}Late`)).toBe('');
    expect(tidyTitle(`Title: "A${' '.repeat(60_000)}B"`)).toBe('A');
    expect(tidyTitle('**"Lighthouses at Night."**')).toBe('Lighthouses at Night');
  });
});

/** An answer that comes in these pieces, and how many bytes of it were taken. */
function answering(pieces: Iterable<string>, status = 200) {
  const iterator = pieces[Symbol.iterator]();
  let bytes = 0;
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        const { done, value } = iterator.next();
        if (done) return controller.close();
        bytes += value.length;
        controller.enqueue(new TextEncoder().encode(value));
      },
    },
    { highWaterMark: 0 },
  );
  return { response: new Response(body, { status }), given: () => bytes };
}

/** Enough for the whole memory of a process that does not stop. */
function* endless(piece: string): Generator<string> {
  for (let n = 0; n < 400; n++) yield piece;
}

async function given(pieces: readonly string[]): Promise<string[]> {
  const { response } = answering(pieces);
  const bounded = await boundedFetch(async () => response)('http://provider');
  const chunks = await all<Uint8Array>(bounded.body ?? []);
  return chunks.map((chunk) => new TextDecoder().decode(chunk));
}

async function all<T>(items: AsyncIterable<T> | Iterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}

/** What an official client reads of the answer of this server. */
async function answerOf(answer: RequestListener): Promise<Buffer> {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const { body } = await boundedFetch()(`http://127.0.0.1:${port}/`, { method: 'POST', body: '{}' });
  const chunks = await all<Uint8Array>(body ?? []);
  server.close();
  return Buffer.concat(chunks);
}
