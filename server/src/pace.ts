import { setTimeout as sleep } from 'node:timers/promises';
import type { Entry } from '@parley/schema/events';
import type { Socket } from './trpc.ts';

/** Text is gathered for about this long between two frames: less than the eye notices, and a third of the frames. */
const GATHER_MS = 40;
/** Above so many unsent bytes the socket gets nothing new; what it misses meanwhile reaches it merged. */
const UNSENT_MAX = 256_000;
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
  for await (const entry of entries) {
    yield entry;
    if (entry.event.type === 'text' || entry.event.type === 'reasoning') await sleep(GATHER_MS);
    while (socket && socket.bufferedAmount > UNSENT_MAX && !signal.aborted) await sleep(DRAIN_CHECK_MS);
  }
}
