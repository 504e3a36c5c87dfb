// Takes a JSON file apart into its conversations without holding more of it than one of them. The file is a list of
// objects, or objects one after the other, with or without line breaks between them.
import type { ImportFault, ImportLimits } from './transfer.ts';

export interface Piece {
  /** Its place in the file, from 0. */
  index: number;
  /** Its JSON; empty when it is too large. */
  bytes: Uint8Array[];
  /** How long it is, also when it is too large. */
  size: number;
  isTooLarge: boolean;
  /** How it begins, in bytes, to find a name in. */
  head: Uint8Array;
}

export interface Splitter {
  /** What has ended in this chunk. The chunk must not be changed afterwards. */
  push(chunk: Uint8Array): Piece[];
  /** To be asked when the file is over, or as soon as `isBroken`. */
  fault(): ImportFault | null;
  /** What follows is not understood and need not be read. */
  isBroken(): boolean;
}

const HEAD = 2_048;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const COMMA = 0x2c;
const SPACES = [0x20, 0x09, 0x0a, 0x0d];
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];
/** PK: how a zip file begins, and no JSON does. */
const ZIP = [0x50, 0x4b];

export function createSplitter(limits: ImportLimits): Splitter {
  let index = 0;
  /** Bytes seen so far, to allow for a byte order mark. */
  let seen = 0;
  let hasBegun = false;
  /** How many bytes at the beginning are those of a zip file. */
  let zipBytes = 0;
  let inList = false;
  let isBroken = false;
  let inside: 'nothing' | 'object' | 'scalar' = 'nothing';
  /** How many braces and brackets are open within a piece. */
  let depth = 0;
  let inString = false;
  let isEscaped = false;
  let values = 0;
  let size = 0;
  let isTooLarge = false;
  let kept: Uint8Array[] = [];
  let head = new Uint8Array(0);

  return { push, fault, isBroken: () => isBroken };

  function push(chunk: Uint8Array): Piece[] {
    const pieces: Piece[] = [];
    let start = 0;
    for (let at = 0; at < chunk.length && !isBroken; at += 1) {
      const byte = chunk[at] ?? 0;
      if (inside === 'nothing') {
        between(byte, seen + at);
        start = at;
      }
      if (inside === 'nothing' || !isOver(byte)) continue;
      // A scalar ends before the byte that ends it, an object with it.
      const isScalar = inside === 'scalar';
      keep(chunk.subarray(start, isScalar ? at : at + 1));
      pieces.push(takePiece());
      if (isScalar) between(byte, seen + at);
    }
    if (inside !== 'nothing') keep(chunk.subarray(start));
    seen += chunk.length;
    return pieces;
  }

  /** A byte that is not within a piece; it may begin one. */
  function between(byte: number, place: number): void {
    if (SPACES.includes(byte) || (place < 3 && BYTE_ORDER_MARK[place] === byte)) return;
    if (place === zipBytes && ZIP[place] === byte) zipBytes += 1;
    if (byte === OPEN_LIST && !hasBegun) inList = true;
    else if (byte === CLOSE_LIST && inList) inList = false;
    else if (byte === OPEN_OBJECT || (byte === OPEN_LIST && inList)) inside = 'object';
    else if (inList && byte !== COMMA) inside = 'scalar';
    // What begins like a zip file is one if its next byte says so, too.
    else isBroken = !inList && (place > 0 || zipBytes === 0);
    hasBegun = true;
  }

  function isOver(byte: number): boolean {
    if (inString) {
      if (isEscaped) isEscaped = false;
      else if (byte === BACKSLASH) isEscaped = true;
      else if (byte === QUOTE) inString = false;
      return false;
    }
    switch (byte) {
      case QUOTE:
        inString = true;
        return false;
      case OPEN_OBJECT:
      case OPEN_LIST:
        depth += 1;
        values += 1;
        return false;
      case COMMA:
        values += 1;
        return inside === 'scalar';
      case CLOSE_OBJECT:
      case CLOSE_LIST:
        depth -= 1;
        return depth <= 0;
      default:
        return false;
    }
  }

  function keep(bytes: Uint8Array): void {
    if (size === 0) head = bytes.slice(0, HEAD);
    size += bytes.length;
    isTooLarge ||= size > limits.itemBytes || values > limits.itemValues;
    if (isTooLarge) kept = [];
    else kept.push(bytes);
  }

  function takePiece(): Piece {
    const piece = { index, bytes: kept, size, isTooLarge, head };
    index += 1;
    inside = 'nothing';
    depth = 0;
    values = 0;
    size = 0;
    isTooLarge = false;
    kept = [];
    return piece;
  }

  function fault(): ImportFault | null {
    if (zipBytes === ZIP.length) return 'zipped';
    if (!hasBegun) return 'empty';
    if (isBroken || zipBytes > 0) return 'not_json';
    return inList || inside !== 'nothing' ? 'cut_off' : null;
  }
}

/** The title of a piece that is too large to be read, when it begins with one. */
export function titleIn(head: Uint8Array): string | null {
  const [, json] = /"title"\s*:\s*("(?:[^"\\]|\\.)*")/.exec(new TextDecoder().decode(head)) ?? [];
  try {
    const title: unknown = json === undefined ? null : JSON.parse(json);
    return typeof title === 'string' ? title : null;
  } catch {
    return null;
  }
}
