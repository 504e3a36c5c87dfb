// Backpressure for generation streams: batches, splits and delays entries to match the client's speed.
import { setImmediate as breathe, setTimeout as sleep } from 'node:timers/promises';
import { isTextEvent, type Entry, type TextEvent } from '@parley/schema/generation/events';
import { messageText } from '@parley/schema/messages/messages';
import type { Socket } from './open-calls.ts';

/** How long text is batched between two frames: too short to notice, and a fifth of the frames. */
const GATHER_MS = 50;
/**
 * This many more subscribers make the delay one millisecond longer, up to the maximum: frames dominate the cost of many
 * subscribers.
 */
const READERS_PER_MS = 0.5;
const GATHER_MAX_MS = 120;
/** Above this many unsent bytes a socket gets no new entries; what it misses is merged. */
const UNSENT_MAX = 512_000;
/** Text of fewer characters is sent without waiting for a turn. */
const SMALL_CHARS = 4_000;
const DRAIN_CHECK_MS = 20;
/** Maximum characters of text in one frame, which keeps send buffers small. A whole message cannot be split. */
const PIECE_CHARS_MAX = 64_000;
/** How long one subscriber may send a whole message before the next may start. */
const TURN_MS = 100;

/**
 * Yields entries as fast as the client reads them, over a websocket or (without `socket`) an HTTP response, which pulls
 * the next entry when the previous one is sent. Sends the first text at once, batches later text and splits long text.
 * A slow client costs no memory, because nothing is read for it while its socket is full. `afterSeq` is the last entry
 * that the client has: a partial piece carries the number of the entry before, so a client that is cut off after it
 * reads the whole entry again.
 */
export async function* throttled(
  entries: AsyncIterable<Entry>,
  socket: Socket | null,
  signal: AbortSignal,
  afterSeq = 0,
): AsyncGenerator<Entry, void> {
  readers += 1;
  let before = afterSeq;
  let turn: Turn | null = null;
  try {
    for await (const entry of entries) {
      const { event, seq } = entry;
      const isLongText = isTextEvent(event) && event.text.length > PIECE_CHARS_MAX;
      const isWhole = event.type === 'created' || event.type === 'final';
      const isLarge = isWhole && messageText(event.reply).length > PIECE_CHARS_MAX;
      for (const piece of isLongText ? piecesOf(event, seq, before) : [entry]) {
        if (socket) await waitForDrain(piece, socket, signal);
        if (isLarge) turn = await takeTurn();
        yield piece;
        turn?.end();
        // A fast client must not block the event loop for others.
        if (piece !== entry) await breathe();
      }
      before = seq;
      if (isTextEvent(event)) await sleep(Math.min(Math.max(GATHER_MS, readers / READERS_PER_MS), GATHER_MAX_MS));
    }
  } finally {
    turn?.end();
    readers -= 1;
  }
}

/** Splits text into pieces of at most `PIECE_CHARS_MAX` characters. */
function* piecesOf(event: TextEvent, seq: number, before: number): Generator<Entry> {
  for (let from = 0; from < event.text.length; from += PIECE_CHARS_MAX) {
    const isLast = from + PIECE_CHARS_MAX >= event.text.length;
    const text = event.text.slice(from, from + PIECE_CHARS_MAX);
    yield { seq: isLast ? seq : before, event: { ...event, offset: event.offset + from, text } };
  }
}

interface Turn {
  end(): void;
}

/** Waits for all earlier whole messages: many at once would block the event loop and fill the memory. */
let lastTurn = Promise.resolve();

async function takeTurn(): Promise<Turn> {
  const before = lastTurn;
  let end = () => {};
  lastTurn = new Promise((resolve) => (end = resolve));
  await before;
  // A slow client must not block the others.
  const timer = setTimeout(end, TURN_MS);
  return {
    end() {
      clearTimeout(timer);
      setImmediate(end);
    },
  };
}

let readers = 0;

/** The last waiter of each socket. */
const turns = new WeakMap<Socket, Promise<void>>();

/**
 * Resolves when the socket has drained. Streams that share a socket go one after the other, each when the bytes of the
 * one before have been counted.
 */
async function waitForDrain({ event }: Entry, socket: Socket, signal: AbortSignal): Promise<void> {
  const before = turns.get(socket);
  const isSmall = isTextEvent(event) && event.text.length < SMALL_CHARS;
  if (!before && isSmall && socket.bufferedAmount <= UNSENT_MAX) return;
  const turn = (before ?? Promise.resolve()).then(async () => {
    while (socket.bufferedAmount > UNSENT_MAX && !signal.aborted) await sleep(DRAIN_CHECK_MS);
  });
  const over = turn.then(() => breathe()).finally(() => turns.get(socket) === over && turns.delete(socket));
  turns.set(socket, over);
  await turn;
}
