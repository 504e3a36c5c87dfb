import { setTimeout as sleep } from 'node:timers/promises';
import type { Entry } from '@parley/schema/events';
import type { Socket } from './trpc.ts';

/** Text is gathered for about this long between two frames: less than the eye notices, and a fifth of the frames. */
const GATHER_MS = 50;
/** Above so many unsent bytes the socket gets nothing new; what it misses meanwhile reaches it merged. */
const UNSENT_MAX = 512_000;
/** What gathered for a paused reader goes out in pieces of so many characters, so that many streams share one socket. */
const PIECE_MAX = 16_000;
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
  let before = 0;
  for await (const entry of entries) {
    for (const piece of socket ? piecesOf(entry, before) : [entry]) {
      await drained(socket, signal);
      yield piece;
    }
    before = entry.seq;
    if (isText(entry)) await sleep(GATHER_MS);
  }
}

/**
 * A long text in pieces. All but the last keep the number of the entry before: whoever resumes after one of them gets
 * the whole text again, and trims what it has.
 */
function* piecesOf(entry: Entry, before: number): Generator<Entry> {
  const { event } = entry;
  let rest = event;
  while ((rest.type === 'text' || rest.type === 'reasoning') && rest.text.length > PIECE_MAX) {
    yield { seq: before, event: { ...rest, text: rest.text.slice(0, PIECE_MAX) } };
    rest = { ...rest, offset: rest.offset + PIECE_MAX, text: rest.text.slice(PIECE_MAX) };
  }
  yield { seq: entry.seq, event: rest };
}

async function drained(socket: Socket | null, signal: AbortSignal): Promise<void> {
  while (socket && socket.bufferedAmount > UNSENT_MAX && !signal.aborted) await sleep(DRAIN_CHECK_MS);
}

function isText({ event }: Entry): boolean {
  return event.type === 'text' || event.type === 'reasoning';
}
