// The clients of a bench, in their own process: each has one socket and reads one answer at a time.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FinalEvent, GenerationEvent } from '@parley/schema/generation/events';
import { messageText } from '@parley/schema/messages/messages';
import type WebSocket from 'ws';
import { registerAccount, type Account } from '../api-client.ts';
import { serveHelper } from './child-process.ts';
import { openLightSocket } from './light-socket.ts';

export type Kind = 'bare' | 'parley';

export interface Reading {
  mark: string;
  /** When the question was sent. Milliseconds since the epoch, as the next two. */
  sentAt: number;
  firstTextAt: number;
  endedAt: number;
  /** UTF-16 units of the whole answer. */
  length: number;
}

export interface Result {
  /** From the first ask to the last end, in milliseconds. */
  took: number;
  readings: Reading[];
  /** Bytes of the streams on the websockets to the clients, with frame headers. */
  bytes: number;
  /** The 99th percentile of how late a delivery was against its answer's pace since the first word, in ms. */
  lagP99: number;
}

interface Reader {
  read(question: string): Promise<Omit<Reading, 'mark'>>;
  socket: WebSocket;
  close(): Promise<unknown>;
}

const ACCEPTED = /^\{"id":\d+,"result":\{"type":"data","data":\{"generationId"/;
/** In bytes: where it is seen. */
const ACCEPTED_WITHIN = 100;
/** Time for what follows an answer, such as a title. */
const AFTERWARDS_MS = 500;

const accounts = new Map<string, Account[]>();
const openReaders: Record<Kind, Reader[]> = { bare: [], parley: [] };

const calls = {
  /** Registers missing users for `count` clients at a Parley: this is not measured. */
  async register(url: string, count: number): Promise<void> {
    const known = accounts.get(url) ?? [];
    accounts.set(url, known);
    while (known.length < count) known.push(await registerAccount(url, `reader${known.length}`));
  },
  /** Opens `count` readers at a server. */
  async open(kind: Kind, url: string, count: number): Promise<void> {
    if (kind === 'parley') await calls.register(url, count);
    const create = kind === 'bare' ? createBareReader : createParleyReader;
    for (let n = 0; n < count; n++) openReaders[kind].push(await create(url, n));
  },
  async close(kind: Kind): Promise<void> {
    await Promise.all(openReaders[kind].splice(0).map((reader) => reader.close()));
  },
  /** All clients ask at once and read to the end. `scenario` is in the fake provider's notation. */
  async run(kind: Kind, scenario: string): Promise<Result> {
    pace = Number(/@(\d+)$/.exec(scenario)?.[1] ?? 0);
    let bytes = 0;
    const count = (data: WebSocket.RawData) => void (bytes += bytesOf(data as Buffer));
    const readers = openReaders[kind];
    for (const reader of readers) reader.socket.on('message', count);
    lags.fill(0);
    const began = now();
    const readings = await Promise.all(readers.map((reader) => readMarked(reader, scenario)));
    const took = Math.max(...readings.map(({ endedAt }) => endedAt)) - began;
    await sleep(AFTERWARDS_MS);
    for (const reader of readers) reader.socket.off('message', count);
    return { took, readings, bytes, lagP99: percentileOf(lags, 0.99) };
  },
};
export type LoadCalls = typeof calls;
serveHelper(calls);

async function readMarked(reader: Reader, scenario: string): Promise<Reading> {
  const mark = randomUUID();
  return { mark, ...(await reader.read(`[[${scenario}]] ${mark}`)) };
}

async function createBareReader(url: string): Promise<Reader> {
  const { socket, subscribe, close } = await openLightSocket(url.replace(/^http/, 'ws'));
  return {
    socket,
    close,
    read: (question) =>
      new Promise((resolve, reject) => {
        const sentAt = now();
        const watch = watchText();
        subscribe('relay', question, {
          onData: (text) => watch.hear(String(text)),
          onError: reject,
          onEnd: () => resolve({ sentAt, ...watch.seen(), endedAt: now() }),
        });
      }),
  };
}

/** A user in a new conversation with the change feed open beside the answer, as in the browser. */
async function createParleyReader(url: string, n: number): Promise<Reader> {
  const token = await accounts.get(url)?.[n]?.token();
  if (token === undefined) throw new Error('A reader without an account');
  const { socket, subscribe, mutate, close } = await openLightSocket(`${url.replace(/^http/, 'ws')}/trpc`, token);
  await new Promise<void>((onStarted) => subscribe('convos.changes', undefined, { onStarted }));
  return {
    socket,
    close,
    async read(question) {
      const generationId = randomUUID();
      const sentAt = now();
      const watch = watchText();
      let isAsked = false;
      let attach = () => {};
      const final = new Promise<FinalEvent>((resolve, reject) => {
        const onData = (data: unknown) => {
          const event = (data as { data: GenerationEvent }).data;
          if (event.type === 'text') watch.hear(event.text);
          if (event.type === 'final') resolve(event);
        };
        // As in the browser: a server that is too busy to read the ask in time is asked again once it has answered.
        let isRefused = false;
        const onError = (error: unknown) => {
          if (isAsked) reject(error);
          isRefused = true;
        };
        attach = () => {
          if (!isAsked || isRefused) subscribe('messages.attach', { generationId }, { onData, onError });
        };
        attach();
      });
      await mutate('messages.ask', {
        generationId,
        conversationId: randomUUID(),
        replyId: randomUUID(),
        endpoint: 'openAI',
        model: 'gpt-4',
        target: { kind: 'send', messageId: randomUUID(), parentMessageId: null, text: question },
      });
      isAsked = true;
      attach();
      const { length } = messageText((await final).reply);
      return { sentAt, ...watch.seen(), length, endedAt: now() };
    },
  };
}

/** Milliseconds between two tokens of an answer; 0 without a pace. */
let pace = 0;
/** How many deliveries were late by each number of milliseconds; the last slot counts all later ones. */
const lags = new Uint32Array(10_001);

/** Tracks the text of one answer of the fake provider, whose tokens each begin with a space. */
function watchText() {
  let firstTextAt = 0;
  let length = 0;
  let tokens = 0;
  return { hear, seen: () => ({ firstTextAt, length }) };

  function hear(text: string): void {
    const at = now();
    length += text.length;
    tokens += text.split(' ').length - 1;
    if (firstTextAt === 0) {
      // Tokens that came with the first one were due after it.
      firstTextAt = at;
      return;
    }
    const lag = Math.round(at - (firstTextAt + (tokens - 1) * pace));
    const position = Math.min(Math.max(lag, 0), lags.length - 1);
    lags[position] = (lags[position] ?? 0) + 1;
  }
}

function percentileOf(counts: Uint32Array, share: number): number {
  let left = counts.reduce((sum, count) => sum + count, 0) * share;
  return counts.findIndex((count) => (left -= count) <= 0);
}

/** Of a message, with its frame's header; 0 for the answer to an ask, which repeats what its stream begins with. */
function bytesOf(data: Buffer): number {
  return ACCEPTED.test(data.subarray(0, ACCEPTED_WITHIN).toString()) ? 0 : framed(data.length);
}

/** A server's frame: two bytes of header, four from 126 bytes on, ten from 65,536 on. */
function framed(payload: number): number {
  return payload + (payload < 126 ? 2 : payload < 65_536 ? 4 : 10);
}

function now(): number {
  return performance.timeOrigin + performance.now();
}
