// Reads the documents of a database export: one JSON object after another, with line breaks or as a list. Holds one
// document in memory. A broken document ends with its line, so that those below it are read.
import { closeSync, createReadStream, openSync, readSync } from 'node:fs';
import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { isObject } from '@parley/schema/json';

export type Document = Record<string, unknown>;

export interface ByteRange {
  offset: number;
  length: number;
}

export interface Found extends ByteRange {
  /** Null for a document that is not valid JSON. */
  document: Document | null;
}

const LINE_FEED = 0x0a;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN = 0x7b;
const CLOSE = 0x7d;
const ENDINGS = ['json', 'jsonl', 'ndjson'];

/** The file of a collection, such as `messages.json`; null when the folder has none. */
export async function findCollectionFile(folder: string, collection: string): Promise<string | null> {
  for (const ending of ENDINGS) {
    const path = join(folder, `${collection}.${ending}`);
    const exists = await access(path).then(
      () => true,
      () => false,
    );
    if (exists) return path;
  }
  return null;
}

/** All documents of a file, in order. */
export async function* readDocuments(path: string): AsyncGenerator<Found, void> {
  let waiting: Buffer = Buffer.alloc(0);
  /** Where `waiting` begins in the file. */
  let base = 0;
  const scanner = createScanner();
  for await (const chunk of createReadStream(path, { highWaterMark: 1024 * 1024 })) {
    if (!Buffer.isBuffer(chunk)) continue;
    const from = waiting.length;
    waiting = from === 0 ? chunk : Buffer.concat([waiting, chunk]);
    for (const { start, end } of scanner.scan(waiting, from)) {
      yield { offset: base + start, length: end - start, document: parseDocument(waiting.subarray(start, end)) };
    }
    const stored = scanner.unreadFrom(waiting.length);
    waiting = waiting.subarray(stored);
    base += stored;
  }
  if (waiting.length > 0) yield { offset: base, length: waiting.length, document: null };
}

interface Scanner {
  /** The documents that end between `from` and the end of the bytes. */
  scan(bytes: Buffer, from: number): Generator<{ start: number; end: number }, void>;
  /** Call after `scan`: what stands before this position is not needed again. */
  unreadFrom(length: number): number;
}

/**
 * Finds objects by their braces outside of strings. Two things are never in a document and end a broken one: a line
 * break in a string, and in files with a document on each line a line that begins with the first field of an object.
 */
function createScanner(): Scanner {
  let depth = 0;
  let start = -1;
  let isString = false;
  let isEscaped = false;
  /** Whether the document that is being read, and any that was read whole, has several lines. */
  let hasLines = false;
  let isPretty = false;
  return { scan, unreadFrom: keepFrom };

  function* scan(bytes: Buffer, from: number): Generator<{ start: number; end: number }, void> {
    for (let at = from; at < bytes.length; at += 1) {
      const byte = bytes[at];
      if (byte === LINE_FEED && isString) {
        yield { start, end: at };
        forget();
      } else if (isString) {
        if (isEscaped) isEscaped = false;
        else if (byte === BACKSLASH) isEscaped = true;
        else if (byte === QUOTE) isString = false;
      } else if (byte === QUOTE) {
        if (depth > 1 && !isPretty && bytes[at - 1] === OPEN && bytes[at - 2] === LINE_FEED) {
          yield { start, end: at - 2 };
          begin(at - 1);
        }
        isString = depth > 0;
      } else if (byte === LINE_FEED) hasLines = true;
      else if (byte === OPEN) {
        if (depth === 0) begin(at);
        else depth += 1;
      } else if (byte === CLOSE && depth > 0) {
        depth -= 1;
        if (depth > 0) continue;
        isPretty ||= hasLines;
        yield { start, end: at + 1 };
        forget();
      }
    }
  }

  function begin(at: number): void {
    forget();
    start = at;
    depth = 1;
    hasLines = false;
  }

  function forget(): void {
    start = -1;
    depth = 0;
    isString = false;
    isEscaped = false;
  }

  function keepFrom(length: number): number {
    const stored = start < 0 ? length : start;
    if (start >= 0) start = 0;
    return stored;
  }
}

/** Reads documents again at places that were noted. */
export function openDocuments(path: string): { read(place: ByteRange): Document | null; close(): void } {
  const file = openSync(path, 'r');
  return {
    read({ offset, length }) {
      const bytes = Buffer.allocUnsafe(length);
      readSync(file, bytes, 0, length, offset);
      return parseDocument(bytes);
    },
    close: () => closeSync(file),
  };
}

function parseDocument(bytes: Buffer): Document | null {
  try {
    const value = plain(JSON.parse(bytes.toString('utf8')));
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

/** Replaces the typed values of extended JSON, such as `{"$oid": …}`, by texts and numbers. */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (!isObject(value)) return value;
  const names = Object.keys(value);
  const [key = ''] = names;
  if (names.length === 1 && key.startsWith('$')) return typed(key, value[key]);
  for (const name of names) {
    const item = value[name];
    if (typeof item === 'object' && item !== null) value[name] = plain(item);
  }
  return value;
}

function typed(key: string, inner: unknown): unknown {
  switch (key) {
    case '$oid':
    case '$uuid':
    case '$symbol':
      return inner;
    case '$date': {
      const time = plain(inner);
      const date = new Date(typeof time === 'number' ? time : String(time));
      return Number.isFinite(date.getTime()) ? date.toISOString() : null;
    }
    case '$numberInt':
    case '$numberLong':
    case '$numberDouble':
    case '$numberDecimal':
      return Number(inner);
    default:
      return null;
  }
}
