// The readers of a bench, in a process of their own: each has one socket and reads one answer at a time.
import { randomUUID } from 'node:crypto';
import { createTRPCClient, createWSClient, wsLink } from '@trpc/client';
import type { FinalEvent, GenerationEvent } from '@parley/schema/events';
import { textOf } from '@parley/schema/messages';
import { setTimeout as sleep } from 'node:timers/promises';
import WebSocket from 'ws';
import { createDevice, registerAccount, type Account } from '../person.ts';
import type { BareRouter } from './bare-relay.ts';
import { serveHelper } from './helper.ts';

export type Kind = 'bare' | 'parley';

export interface Reading {
  mark: string;
  /** Milliseconds since the epoch. */
  firstTextAt: number;
  endedAt: number;
  /** UTF-16 units of the whole answer. */
  length: number;
}

export interface Result {
  /** From the first ask to the last end, in milliseconds. */
  took: number;
  readings: Reading[];
  /** On the websockets, towards the readers, frame headers included. */
  bytes: number;
}

interface Reader {
  read(question: string): Promise<Omit<Reading, 'mark'>>;
  socket(): WebSocket | null;
  close(): Promise<unknown>;
}

/** For what comes after an answer, a title say. */
const AFTERWARDS_MS = 500;

const accounts = new Map<string, Account[]>();
const rooms: Record<Kind, Reader[]> = { bare: [], parley: [] };

const calls = {
  /** Registers whoever is missing for `count` readers at a Parley: that is no part of what a stream costs. */
  async register(url: string, count: number): Promise<void> {
    const known = accounts.get(url) ?? [];
    accounts.set(url, known);
    while (known.length < count) known.push(await registerAccount(url, `reader${known.length}`));
  },
  /** Opens `count` readers at a server. */
  async open(kind: Kind, url: string, count: number): Promise<void> {
    if (kind === 'parley') await calls.register(url, count);
    const create = kind === 'bare' ? createBareReader : createParleyReader;
    for (let n = 0; n < count; n++) rooms[kind].push(await create(url, n));
  },
  async close(kind: Kind): Promise<void> {
    await Promise.all(rooms[kind].splice(0).map((reader) => reader.close()));
  },
  /** All readers ask at once and read to the end. `scenario` is the provider's, in its own notation. */
  async run(kind: Kind, scenario: string): Promise<Result> {
    let bytes = 0;
    const count = (data: WebSocket.RawData) => void (bytes += framed((data as Buffer).length));
    const readers = rooms[kind];
    for (const reader of readers) reader.socket()?.on('message', count);
    const began = now();
    const readings = await Promise.all(readers.map((reader) => readMarked(reader, scenario)));
    const took = Math.max(...readings.map(({ endedAt }) => endedAt)) - began;
    await sleep(AFTERWARDS_MS);
    for (const reader of readers) reader.socket()?.off('message', count);
    return { took, readings, bytes };
  },
};
export type LoadCalls = typeof calls;
serveHelper(calls);

async function readMarked(reader: Reader, scenario: string): Promise<Reading> {
  const mark = randomUUID();
  return { mark, ...(await reader.read(`[[${scenario}]] ${mark}`)) };
}

async function createBareReader(url: string): Promise<Reader> {
  const client = createWSClient({
    url: url.replace(/^http/, 'ws'),
    WebSocket: WebSocket as unknown as typeof globalThis.WebSocket,
  });
  const api = createTRPCClient<BareRouter>({ links: [wsLink<BareRouter>({ client })] });
  while (client.connection?.state !== 'open') await sleep(1);
  return {
    socket: () => openSocket(client.connection?.ws),
    close: () => client.close(),
    read: (question) =>
      new Promise((resolve, reject) => {
        let firstTextAt = 0;
        let text = '';
        api.relay.subscribe(question, {
          onData(delta) {
            firstTextAt ||= now();
            text += delta;
          },
          onError: reject,
          onComplete: () => resolve({ firstTextAt, endedAt: now(), length: text.length }),
        });
      }),
  };
}

/** A person in a new conversation, with the sidebar's feed open beside the answer, as the browser has it. */
async function createParleyReader(url: string, n: number): Promise<Reader> {
  const account = accounts.get(url)?.[n];
  if (!account) throw new Error('A reader without an account');
  const device = createDevice(url, account);
  await new Promise<void>(
    (resolve) => void device.api.convos.changes.subscribe(undefined, { onStarted: () => resolve() }),
  );
  return {
    socket: device.socket,
    close: device.close,
    async read(question) {
      const generationId = randomUUID();
      let firstTextAt = 0;
      const final = new Promise<FinalEvent>((resolve, reject) => {
        const onData = ({ data }: { data: GenerationEvent }) => {
          if (data.type === 'text') firstTextAt ||= now();
          if (data.type === 'final') resolve(data);
        };
        device.api.messages.attach.subscribe({ generationId }, { onData, onError: reject });
      });
      await device.api.messages.ask.mutate({
        generationId,
        conversationId: randomUUID(),
        replyId: randomUUID(),
        endpoint: 'openAI',
        model: 'gpt-4',
        target: { kind: 'send', messageId: randomUUID(), parentMessageId: null, text: question },
      });
      return { length: textOf((await final).reply).length, firstTextAt, endedAt: now() };
    },
  };
}

function openSocket(ws: unknown): WebSocket | null {
  return ws instanceof WebSocket ? ws : null;
}

/** A server's frame: two bytes of header, four from 126 bytes on, ten from 65,536 on. */
function framed(payload: number): number {
  return payload + (payload < 126 ? 2 : payload < 65_536 ? 4 : 10);
}

function now(): number {
  return performance.timeOrigin + performance.now();
}
