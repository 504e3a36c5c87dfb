// Parses a long JSON text without holding the event loop: `JSON.parse` takes more than a second for 64 MB.
import { createSlices, type Slices } from '../platform/event-loop.ts';

/** Bytes per slice: a few milliseconds of work. */
const BYTES_AT_ONCE = 128 * 1024;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** A list or an object that is not closed yet. */
type Open = { close: number; add(value: unknown): void; key: string | null; value: unknown };

/**
 * The value of a JSON text in UTF-8. `JSON.parse` reads its strings, numbers and words, one by one. Never recurses.
 * @throws SyntaxError
 */
export async function parseJson(bytes: Buffer, slices: Slices = createSlices(BYTES_AT_ONCE)): Promise<unknown> {
  const open: Open[] = [];
  let at = skipSpaces(bytes, 0);
  for (;;) {
    const start = at;
    const first = bytes[at];
    const container = first === OPEN_LIST ? openList() : first === OPEN_OBJECT ? openObject() : null;
    let value: unknown;
    if (container) {
      at = skipSpaces(bytes, at + 1);
      if (bytes[at] !== container.close) {
        open.push(container);
        if (container.close === CLOSE_OBJECT) at = readKey(container);
        continue;
      }
      at += 1;
      value = container.value;
    } else {
      at = endOfScalar(bytes, at);
      value = parseScalar(bytes, start, at);
    }
    at = skipSpaces(bytes, at);
    await slices.spend(at - start);
    // The value may be the last one of several containers.
    for (;;) {
      const inside = open.at(-1);
      if (!inside) return at === bytes.length ? value : fail();
      inside.add(value);
      if (bytes[at] === COMMA) {
        at = skipSpaces(bytes, at + 1);
        if (inside.close === CLOSE_OBJECT) at = readKey(inside);
        break;
      }
      if (bytes[at] !== inside.close) fail();
      open.pop();
      value = inside.value;
      at = skipSpaces(bytes, at + 1);
    }
  }

  /** Where the value of the key begins. */
  function readKey(object: Open): number {
    if (bytes[at] !== QUOTE) fail();
    const end = endOfScalar(bytes, at);
    object.key = String(parseScalar(bytes, at, end));
    const colon = skipSpaces(bytes, end);
    return bytes[colon] === COLON ? skipSpaces(bytes, colon + 1) : fail();
  }
}

function openList(): Open {
  const value: unknown[] = [];
  return { close: CLOSE_LIST, add: (item) => void value.push(item), key: null, value };
}

function openObject(): Open {
  const value: Record<string, unknown> = {};
  const object: Open = {
    close: CLOSE_OBJECT,
    add(item) {
      const key = object.key ?? fail();
      // An assignment would set the prototype.
      if (key === '__proto__')
        Object.defineProperty(value, key, { value: item, enumerable: true, configurable: true, writable: true });
      else value[key] = item;
    },
    key: null,

    value,
  };
  return object;
}

function skipSpaces(bytes: Buffer, from: number): number {
  let at = from;
  while (bytes[at] === 0x20 || bytes[at] === 0x0a || bytes[at] === 0x0d || bytes[at] === 0x09) at += 1;
  return at;
}

function endOfScalar(bytes: Buffer, from: number): number {
  if (bytes[from] === QUOTE) return endOfString(bytes, from);
  let at = from;
  // Numbers, `true`, `false` and `null`.
  while (isOfWord(bytes[at] ?? 0)) at += 1;
  return at;
}

function endOfString(bytes: Buffer, from: number): number {
  for (let at = bytes.indexOf(QUOTE, from + 1); at > 0; at = bytes.indexOf(QUOTE, at + 1)) {
    let slashes = 0;
    while (bytes[at - 1 - slashes] === BACKSLASH) slashes += 1;
    if (slashes % 2 === 0) return at + 1;
  }
  return fail();
}

function isOfWord(byte: number): boolean {
  const isLetter = (byte >= 0x61 && byte <= 0x7a) || byte === 0x45;
  return isLetter || (byte >= 0x30 && byte <= 0x39) || byte === 0x2b || byte === 0x2d || byte === 0x2e;
}

function parseScalar(bytes: Buffer, start: number, end: number): unknown {
  return JSON.parse(bytes.toString('utf8', start, end));
}

function fail(): never {
  throw new SyntaxError('The JSON text is malformed');
}
