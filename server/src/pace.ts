import { setImmediate as breathe, setTimeout as sleep } from 'node:timers/promises';
import type { Entry } from '@parley/schema/events';
import type { Socket } from './trpc.ts';

/** Text is gathered for about this long between two frames: less than the eye notices, and a fifth of the frames. */
const GATHER_MS = 50;
/** So many readers more make it one millisecond longer, up to the most: frames are what a crowd costs. */
const READERS_PER_MS = 0.5;
const GATHER_MAX_MS = 120;
/** Above so many unsent bytes a socket gets nothing new; what it misses meanwhile reaches it merged. */
const UNSENT_MAX = 512_000;
/** Text of fewer characters may go out without waiting for a turn. */
const SMALL = 4_000;
const DRAIN_CHECK_MS = 20;

/**
 * Entries at the pace their reader can take. The first text goes out at once, later text is gathered; a paused reader
 * costs no memory, because nothing is read for it while its socket is full.
 */
export async function* paced(
  entries: AsyncIterable<Entry>,
  socket: Socket | null,
  signal: AbortSignal,
): AsyncGenerator<Entry, void> {
  readers += 1;
  try {
    for await (const entry of entries) {
      if (socket) await roomFor(entry, socket, signal);
      yield entry;
      if (isText(entry)) await sleep(gatherMs());
    }
  } finally {
    readers -= 1;
  }
}

let readers = 0;

function gatherMs(): number {
  return Math.min(Math.max(GATHER_MS, readers / READERS_PER_MS), GATHER_MAX_MS);
}

/** Who waits for room in which socket. */
const turns = new WeakMap<Socket, Promise<void>>();

/**
 * Resolves when the socket has room. Many streams share one, and each may have much to say when it drains: they go one
 * after the other, each when what the one before said has been counted.
 */
async function roomFor(entry: Entry, socket: Socket, signal: AbortSignal): Promise<void> {
  const before = turns.get(socket);
  if (!before && isSmall(entry) && socket.bufferedAmount <= UNSENT_MAX) return;
  const turn = (before ?? Promise.resolve()).then(() => drained(socket, signal));
  const over = turn.then(() => breathe()).finally(() => turns.get(socket) === over && turns.delete(socket));
  turns.set(socket, over);
  await turn;
}

async function drained(socket: Socket, signal: AbortSignal): Promise<void> {
  while (socket.bufferedAmount > UNSENT_MAX && !signal.aborted) await sleep(DRAIN_CHECK_MS);
}

function isSmall({ event }: Entry): boolean {
  return 'offset' in event && event.text.length < SMALL;
}

function isText({ event }: Entry): boolean {
  return event.type === 'text' || event.type === 'reasoning';
}
