// Bounds how much of a provider's response is held in memory: a user may have chosen its address.
import { Refusal, refuse } from '../platform/errors.ts';
import { createSlices } from '../platform/event-loop.ts';
import { pacedReads } from './read-pace.ts';

/**
 * The longest line, event or record of a stream, in bytes: some providers repeat the whole answer in every event, and
 * an answer has at most 4 MB unless configured otherwise.
 */
export const EVENT_MAX = 4 * 1024 * 1024;
/**
 * Several events are passed on in pieces of about this length, in bytes: the official clients copy the rest of a piece
 * for each of its events.
 */
const PIECE_MIN = 4 * 1024;
/** Such pieces in one turn of the event loop: some milliseconds of a client's work. */
const PIECES_AT_ONCE = 8;
/** The longest response read as a whole (an error, a title, a token), in bytes. */
const WHOLE_MAX = 256 * 1024;

/**
 * Reads a short response body; cuts it at the limit and closes the connection.
 * @throws the connection's errors
 */
export async function readShortText(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk.subarray(0, WHOLE_MAX - bytes), { stream: true });
    bytes += chunk.length;
    if (bytes >= WHOLE_MAX) break;
  }
  return text + decoder.decode();
}

/** As `readShortText`, parsed. Throws a SyntaxError for invalid or cut JSON. */
export async function readShortJson(response: Response): Promise<unknown> {
  return JSON.parse(await readShortText(response));
}

/**
 * A `fetch` for event streams that passes the body on in whole events: the official clients rescan their buffer at
 * every chunk, which is quadratic in an event's length. An event that is too long ends the answer with
 * `provider_malformed`; an error body is cut at the limit. `onBytes` is called for whatever arrives.
 */
export function boundedFetch(
  fetch: typeof globalThis.fetch = globalThis.fetch,
  onBytes?: () => void,
): typeof globalThis.fetch {
  return async (input, init) => {
    const response = await fetch(input, init);
    if (!response.body) return response;
    const { status, statusText, headers } = response;
    const body = response.ok ? inWholeEvents(response.body, onBytes) : await readShortText(response);
    return new Response(body, { status, statusText, headers: withoutLength(headers) });
  };
}

/** The body has a new length and is no longer compressed. */
export function withoutLength(headers: Headers): Headers {
  const remaining = new Headers(headers);
  remaining.delete('content-length');
  remaining.delete('content-encoding');
  return remaining;
}

function inWholeEvents(body: ReadableStream<Uint8Array>, onBytes?: () => void): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  const joiner = createEventJoiner();
  // The pieces of a long event come without a pause between them.
  const readWhole = pacedReads(async () => {
    for (;;) {
      const { done, value } = await reader.read();
      onBytes?.();
      const whole = joiner.push(value);
      if (done || whole.length > 0) return { done, whole };
      if (joiner.held() <= EVENT_MAX) continue;
      await reader.cancel().catch(() => {});
      throw new Refusal({ type: 'provider_malformed' });
    }
  });
  let slices: ReturnType<typeof createSlices> | null = null;
  let isDone = false;
  let pieces: Uint8Array[] = [];
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        if (pieces.length > 0) await (slices ??= createSlices(PIECES_AT_ONCE)).spend();
        else {
          const { done, whole } = await readWhole();
          isDone = done;
          pieces = whole.length > PIECE_MIN ? piecesOf(whole) : whole.length > 0 ? [whole] : [];
        }
        const piece = pieces.shift();
        if (piece) controller.enqueue(piece);
        if (isDone && pieces.length === 0) controller.close();
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}

/** Cuts events behind whole ones. */
function piecesOf(events: Uint8Array): Uint8Array[] {
  const bytes = Buffer.from(events.buffer, events.byteOffset, events.byteLength);
  const pieces: Uint8Array[] = [];
  for (let from = 0; from < bytes.length;) {
    const ends = BLANK_LINES.map((blank) => ({ at: bytes.indexOf(blank, from + PIECE_MIN), length: blank.length }));
    const found = ends.filter(({ at }) => at >= 0).map(({ at, length }) => at + length);
    const end = Math.min(bytes.length, ...found);
    pieces.push(bytes.subarray(from, end));
    from = end;
  }
  return pieces;
}

/** Passes bytes on up to the end of the last whole event, and at the end, where there is no chunk, the rest. */
function createEventJoiner() {
  let chunks: Uint8Array[] = [];
  let held = 0;
  /** The last bytes held back: an event's end may be split across two chunks. */
  let tail = Buffer.alloc(0);
  return { push, held: () => held };

  function push(chunk?: Uint8Array): Uint8Array {
    if (!chunk) return Buffer.concat(chunks);
    const seen = Buffer.concat([tail, chunk]);
    // Where the last blank line ends.
    const ends = BLANK_LINES.map((blank) => [seen.lastIndexOf(blank), blank.length] as const);
    const end = Math.max(...ends.map(([at, length]) => (at < 0 ? 0 : at + length))) - tail.length;
    if (end <= 0) {
      hold(chunk);
      return EMPTY;
    }
    const whole = chunks.length === 0 ? chunk.subarray(0, end) : Buffer.concat([...chunks, chunk.subarray(0, end)]);
    chunks = [];
    held = 0;
    tail = Buffer.alloc(0);
    if (end < chunk.length) hold(chunk.subarray(end));
    return whole;
  }

  function hold(chunk: Uint8Array): void {
    chunks.push(chunk);
    held += chunk.length;
    tail = Buffer.concat([tail, chunk.subarray(-3)]).subarray(-3);
  }
}

const EMPTY = new Uint8Array();
const BLANK_LINES = ['\n\n', '\n\r\n', '\r\r'].map((ends) => Buffer.from(ends));

/** Refuses a line or event that is too long. */
export function assertEventLength(length: number): void {
  if (length > EVENT_MAX) refuse({ type: 'provider_malformed' });
}
