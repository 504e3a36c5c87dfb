// Tests of this room: tests/unit/providers, tests/integration/providers.

// Bounds how much of a provider's response is held in memory: a user may have chosen its address.
import { pipeline, type Readable, type Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { parseJson } from '@parley/schema/json';
import { REDIRECTS } from '../platform/deadline.ts';
import { Refusal, refuse } from '../platform/errors.ts';
import { createSlices } from '../platform/event-loop.ts';
import { hasEndMark, withoutIdleEvents } from './compatible/idle-events.ts';
import { withSentence } from './compatible/read-failure.ts';
import { setTimeout as sleep } from 'node:timers/promises';

/** Up to this number, answers are read as soon as something arrives. */
const UNPACED_ANSWERS_MAX = 10;

/** For each answer above that number. */
const MS_PER_ANSWER = 0.5;

/** Below what readers gather with that many, see `http/backpressure.ts`. */
const PAUSE_MAX_MS = 100;

/** Answers of this process that wait for their provider. */
let waiting = 0;

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
export async function readShortText({ body }: Body): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for await (const chunk of body ?? []) {
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
 * `provider_malformed`; an error body is cut at the limit. Events without data, such as keep-alives, are dropped.
 * `onBytes` is called for all that arrives, `onEndMark` for the `[DONE]` at the end of a stream. Of an answer the clients
 * use status, headers and body only, so it is no whole `Response`, whose streams would cost as much as they do.
 */
export function boundedFetch(
  fetch: (url: string, init: RequestInit) => Promise<Answer> = request,
  onBytes?: () => void,
  onEndMark?: () => void,
): typeof globalThis.fetch {
  return async (input, init = {}) => {
    const { ok, status, headers, body } = await fetch(String(input), init);
    if (ok && body) {
      const isStream = !onEndMark || !/\bjson\b/.test(headers.get('content-type') ?? '');
      const events = inWholeEvents(isStream ? body : asEvents(body, onBytes), onBytes, onEndMark);
      // The clients use nothing else of it.
      return { ok, status, headers, body: events } as unknown as Response;
    }
    const said = body && withSentence(await readShortText({ body }));
    return new Response(said, { status, headers: withoutLength(headers) });
  };
}

type Answer = Pick<Response, 'ok' | 'status' | 'headers'> & Body;
interface Body {
  body: AsyncIterable<Uint8Array> | null;
}

/**
 * Sends the request of an official client over the connections of `fetch`, whose own streams and copies would take a
 * fifth of the server's CPU for a short exchange. Redirects are left to `fetch`.
 * @throws the connection's errors
 */
async function request(url: string, init: RequestInit): Promise<Answer> {
  // Loaded on first use, as the clients are.
  const undici = await import('../platform/undici.ts');
  const { statusCode: status, ...answer } = await undici.request(url, {
    method: init.method as 'POST',
    headers: init.headers as Iterable<[string, string]>,
    body: init.body as string,
    signal: init.signal ?? null,
  });
  if (REDIRECTS.includes(status)) {
    await answer.body.dump();
    return fetch(url, init);
  }
  const headers = new Headers(Object.entries(answer.headers).map(([name, value]) => [name, String(value)]));
  const body = decompressed(answer.body, headers.get('content-encoding') ?? '');
  return { ok: status >= 200 && status < 300, status, headers, body };
}

const DECODERS: Record<string, () => Transform> = {
  gzip: createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

/** Nothing asks for compression, but there are proxies that do it anyway. */
function decompressed(body: Readable, encoding: string): AsyncIterable<Uint8Array> {
  const decoder = DECODERS[encoding]?.();
  // An error of either is one of what is read.
  return decoder ? pipeline(body, decoder, () => {}) : body;
}

/** The body has a new length and is no longer compressed. */
export function withoutLength(headers: Headers): Headers {
  const remaining = new Headers(headers);
  remaining.delete('content-length');
  remaining.delete('content-encoding');
  return remaining;
}

/** A server that does not stream sends its answer, or what went wrong, whole. */
async function* asEvents(body: AsyncIterable<Uint8Array>, onBytes?: () => void): AsyncGenerator<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body) {
    onBytes?.();
    // Only its type is wrong.
    const isEvents = length === 0 && !/^\s*[[{]/.test(Buffer.from(chunk.subarray(0, PIECE_MIN)).toString('latin1'));
    if (isEvents || length < 0) {
      length = -1;
      yield chunk;
      continue;
    }
    chunks.push(chunk);
    assertEventLength((length += chunk.length));
  }
  if (length <= 0) return;
  const text = Buffer.concat(chunks).toString();
  const parsed = parseJson(text);
  yield Buffer.from(parsed === undefined ? text : `data: ${JSON.stringify(parsed)}\n\ndata: [DONE]\n\n`);
}

async function* inWholeEvents(
  body: AsyncIterable<Uint8Array>,
  onBytes?: () => void,
  onEndMark?: () => void,
): AsyncGenerator<Uint8Array> {
  const chunks = body[Symbol.asyncIterator]();
  const joiner = createEventJoiner();
  // The pieces of a long event come without a pause between them.
  const readWhole = pacedReads(async () => {
    for (;;) {
      const { done = false, value } = await chunks.next();
      onBytes?.();
      const joined = joiner.push(done ? undefined : value);
      const whole = withoutIdleEvents(joined);
      if (onEndMark && hasEndMark(joined)) onEndMark();
      if (done || whole.length > 0) return { done, whole };
      if (joiner.held() > EVENT_MAX) refuse({ type: 'provider_malformed' });
    }
  });
  try {
    for (let isDone = false; !isDone;) {
      const { done, whole } = await readWhole();
      isDone = done;
      if (whole.length <= PIECE_MIN) {
        if (whole.length > 0) yield whole;
        continue;
      }
      const slices = createSlices(PIECES_AT_ONCE);
      for (const piece of piecesOf(whole)) {
        yield piece;
        await slices.spend();
      }
    }
  } catch (error) {
    if (error instanceof Refusal || Object(error).name === 'AbortError') throw error;
    // Without the connection's code, which is none of the provider's.
    throw new TypeError('The answer broke off', { cause: error });
  } finally {
    await chunks.return?.().catch(() => {});
  }
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

// How often the answers of providers are read. Each piece costs its way through the layers above, whatever its length:
// with many answers at once, what arrived in a short while is read as one.

/** Milliseconds between two reads of one answer when `answers` wait for their providers. */
export function pauseBetweenReads(replies: number): number {
  return Math.min(Math.max(0, replies - UNPACED_ANSWERS_MAX) * MS_PER_ANSWER, PAUSE_MAX_MS);
}

/** Wraps the function that reads what comes next of one answer. The first comes at once. */
export function pacedReads<T>(read: () => Promise<T>): () => Promise<T> {
  let readAt = -Infinity;
  return async () => {
    waiting++;
    try {
      const isCrowd = waiting > UNPACED_ANSWERS_MAX;
      const pause = isCrowd ? readAt + pauseBetweenReads(waiting) - performance.now() : 0;
      if (pause >= 1) await sleep(pause);
      return await read();
    } finally {
      waiting--;
      readAt = performance.now();
    }
  };
}
