// JSON that may be long, such as all messages of a conversation. Written in one turn of the event loop, it would hold
// up everybody else for a second; and a response that nobody reads would keep its text in places that are not counted.
import { randomUUID } from 'node:crypto';
import { pipeline } from 'node:stream';
import { createGzip } from 'node:zlib';
import type { MiddlewareHandler } from 'hono';
import { createSlices } from '../platform/event-loop.ts';
import { toWebStream } from './web-stream.ts';

/** Characters of JSON that are written in one slice: a few milliseconds of work. */
const CHARACTERS_AT_ONCE = 500_000;
/** What a short text costs. */
const TEXT_COST_CHARS = 100;
/** The same for an item that is presented first. */
const ITEM_COST = CHARACTERS_AT_ONCE / 200;

const unsent = new WeakMap<Response, () => number>();

/** The bytes of a response that are still to be sent and that its connection does not count. */
export function unsentBytes(response: Response): () => number {
  return unsent.get(response) ?? (() => 0);
}

/** Responds with a list whose items are presented and written in slices, which yield to other requests. */
export async function respondList<T>(items: readonly T[], present: (item: T) => unknown): Promise<Response> {
  const list = await writeInSlices(itemsOf(items, present), ITEM_COST);
  return respondPieces(list, 200, new Headers({ 'content-type': 'application/json' }));
}

/** The same for an object with a long list in it. */
export async function respondObject<T>(
  fields: Record<string, unknown>,
  name: string,
  items: readonly T[],
  present: (item: T) => unknown,
  status = 200,
): Promise<Response> {
  const list = await writeInSlices(itemsOf(items, present), ITEM_COST);
  const before = JSON.stringify({ ...fields, [name]: null }).slice(0, -'null}'.length);
  const headers = new Headers({ 'content-type': 'application/json' });
  return respondPieces([Buffer.from(before), ...list, Buffer.from('}')], status, headers);
}

/** The long results of the calls in one request. tRPC itself knows only JSON that is written at once. */
export interface LongResponses {
  /** Writes the JSON of a result in slices and returns its mark. */
  keep(result: unknown): Promise<unknown>;
  /** The response with the results in place of their marks. */
  fill(response: Response): Promise<Response>;
}

export function createLongResponses(): LongResponses {
  const results = new Map<string, Uint8Array[]>();
  return {
    async keep(result) {
      if (result === undefined) return undefined;
      const mark = `long-${randomUUID()}`;
      results.set(mark, await writeInSlices(textsOf(result), TEXT_COST_CHARS));
      return mark;
    },
    async fill(response) {
      if (results.size === 0) return response;
      const text = await response.text();
      // At odd places are what the pattern's group caught.
      const pieces = text
        .split(MARKS)
        .flatMap((part, at) =>
          at % 2 === 0 ? [Buffer.from(part)] : (results.get(part) ?? [Buffer.from(`"${part}"`)]),
        );
      return respondPieces(pieces, response.status, response.headers);
    },
  };
}

const MARKS = /"(long-[\da-f-]{36})"/;

/** The JSON of a list, or of an object and the lists in it, an item at a time. */
function* textsOf(value: unknown): Generator<string> {
  if (Array.isArray(value)) return yield* itemsOf(value, (item) => item);
  if (typeof value !== 'object' || value === null || 'toJSON' in value) return yield JSON.stringify(value);
  let before = '{';
  for (const [name, field] of Object.entries(value)) {
    const text = Array.isArray(field) ? '' : JSON.stringify(field);
    if (text === undefined) continue;
    yield `${before}${JSON.stringify(name)}:${text}`;
    if (Array.isArray(field)) yield* itemsOf(field, (item) => item);
    before = ',';
  }
  yield before === '{' ? '{}' : '}';
}

function* itemsOf<T>(items: readonly T[], present: (item: T) => unknown): Generator<string> {
  let before = '[';
  for (const item of items) {
    yield before + (JSON.stringify(present(item)) ?? 'null');
    before = ',';
  }
  yield before === '[' ? '[]' : ']';
}

/** `cost` is what each text costs at least, in characters. */
async function writeInSlices(texts: Iterable<string>, cost: number): Promise<Uint8Array[]> {
  const slices = createSlices(CHARACTERS_AT_ONCE);
  const pieces: Uint8Array[] = [];
  let piece = '';
  for (const text of texts) {
    piece += text;
    const turn = slices.spend(text.length + cost);
    if (!turn) continue;
    pieces.push(Buffer.from(piece));
    piece = '';
    await turn;
  }
  return [...pieces, Buffer.from(piece)];
}

/** Shorter ones, and those of unknown length, are sent as they are. */
const COMPRESSED_MIN = 1024;
const GZIP = /\bgzip\b(?! *; *q=0(?:\.0*)?(?: *,|$))/i;

/**
 * Compresses long responses for clients that accept it. Not by `CompressionStream`, which in Node reads all there is,
 * however slowly its own output is read.
 */
export const compressed: MiddlewareHandler = async (c, next) => {
  await next();
  const { res } = c;
  c.header('Vary', 'Accept-Encoding', { append: true });
  const isLong = Number(res.headers.get('content-length')) >= COMPRESSED_MIN;
  if (!isLong || !res.body || !GZIP.test(c.req.header('accept-encoding') ?? '')) return;
  const gzip = createGzip();
  // Anyone who reads the output gets the error.
  pipeline(res.body, gzip, () => {});
  c.res = new Response(toWebStream(gzip), res);
  c.res.headers.delete('content-length');
  c.res.headers.set('content-encoding', 'gzip');
};

/** Bytes that are sent at once: what waits in a compressor is not counted. */
const BYTES_AT_ONCE = 128 * 1024;

/** Sends each part of a piece when the one before is on its way. */
function respondPieces(pieces: Uint8Array[], status: number, headers: Headers): Response {
  let left = pieces.reduce((bytes, piece) => bytes + piece.length, 0);
  headers.set('content-length', String(left));
  const waiting = pieces.filter(({ length }) => length > 0).reverse();
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        const piece = waiting.pop();
        if (!piece) return controller.close();
        if (piece.length > BYTES_AT_ONCE) waiting.push(piece.subarray(BYTES_AT_ONCE));
        const part = piece.subarray(0, BYTES_AT_ONCE);
        left -= part.length;
        controller.enqueue(part);
      },
      cancel: () => void (left = 0),
    },
    { highWaterMark: 0 },
  );
  const response = new Response(body, { status, headers });
  unsent.set(response, () => left);
  return response;
}
