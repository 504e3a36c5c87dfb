// Splits a JSON file into its conversations, holding at most one in memory. The file is a list of objects, or a
// sequence of objects, with or without line breaks.
import type { ImportFault, ImportLimits } from './results.ts';
import { parseJson } from '../json.ts';

export interface Piece {
  /** Its place in the file, from 0. */
  index: number;
  /** Its JSON; empty when it is too large. */
  bytes: Uint8Array[];
  /** Its length in bytes, also when it is too large. */
  size: number;
  isTooLarge: boolean;
  /** Its first bytes, to find a title in. */
  head: Uint8Array;
}

export interface Splitter {
  /** The conversations that end in this chunk. The chunk must not be changed afterwards. */
  push(chunk: Uint8Array): Piece[];
  /** Call at the end of the file, or as soon as `isBroken`. */
  fault(): ImportFault | null;
  /** The rest cannot be parsed and need not be read. */
  isBroken(): boolean;
}

const HEAD_BYTES = 2_048;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const COMMA = 0x2c;
const SPACES = [0x20, 0x09, 0x0a, 0x0d];
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];

export function createSplitter(limits: ImportLimits): Splitter {
  const file = createFileScanner();
  const buffer = createPieceBuffer(limits);
  /** The conversation, or whatever stands in its place, that is being read. */
  let value: ValueScanner | null = null;
  let index = 0;
  /** Bytes before this chunk. */
  let seen = 0;

  return { push, fault: () => file.fault() ?? (value ? 'cut_off' : null), isBroken: file.isBroken };

  function push(chunk: Uint8Array): Piece[] {
    const pieces: Piece[] = [];
    let start = 0;
    for (let at = 0; at < chunk.length && !file.isBroken(); at += 1) {
      const byte = chunk[at] ?? 0;
      if (!value) {
        value = file.begin(byte, seen + at);
        start = at;
      }
      if (!value?.isEndedBy(byte)) continue;
      // A scalar ends before the byte that ends it, an object with it.
      const { isScalar } = value;
      buffer.add(chunk.subarray(start, isScalar ? at : at + 1), value.count());
      pieces.push({ index, ...buffer.take() });
      index += 1;
      value = isScalar ? file.begin(byte, seen + at) : null;
      start = at;
    }
    if (value) buffer.add(chunk.subarray(start), value.count());
    seen += chunk.length;
    return pieces;
  }
}

/** Reads what stands around the conversations: the list, its commas, or the first bytes of a file of another kind. */
function createFileScanner() {
  let hasBegun = false;
  let inList = false;
  let isBroken = false;

  return { begin, fault, isBroken: () => isBroken };

  /** The value that this byte begins, if it begins one. `place` is the byte's position in the file. */
  function begin(byte: number, position: number): ValueScanner | null {
    if (SPACES.includes(byte) || (position < 3 && BYTE_ORDER_MARK[position] === byte)) return null;
    const isFirst = !hasBegun;
    hasBegun = true;
    if (byte === OPEN_LIST && isFirst) inList = true;
    else if (byte === CLOSE_LIST && inList) inList = false;
    else if (byte === OPEN_OBJECT || (byte === OPEN_LIST && inList)) return createValueScanner(false);
    else if (inList && byte !== COMMA) return createValueScanner(true);
    else isBroken = !inList;
    return null;
  }

  function fault(): ImportFault | null {
    if (!hasBegun) return 'empty';
    if (isBroken) return 'not_json';
    return inList ? 'cut_off' : null;
  }
}

interface ValueScanner {
  /** A number, a word or a string where a conversation should be. */
  isScalar: boolean;
  isEndedBy(byte: number): boolean;
  /** How many values are in it so far. */
  count(): number;
}

/** Finds the end of one value, without parsing it. */
function createValueScanner(isScalar: boolean): ValueScanner {
  /** The depth of open braces and brackets. */
  let depth = 0;
  let inString = false;
  let isEscaped = false;
  let values = 0;

  return { isScalar, isEndedBy: (byte) => (inString ? readString(byte) : readStructure(byte)), count: () => values };

  function readString(byte: number): false {
    if (isEscaped) isEscaped = false;
    else if (byte === BACKSLASH) isEscaped = true;
    else if (byte === QUOTE) inString = false;
    return false;
  }

  function readStructure(byte: number): boolean {
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
        return isScalar;
      case CLOSE_OBJECT:
      case CLOSE_LIST:
        depth -= 1;
        return depth <= 0;
      default:
        return false;
    }
  }
}

/** Keeps the bytes of one conversation, or none of them once it is too large. */
function createPieceBuffer({ itemBytes, itemValues }: ImportLimits) {
  let size = 0;
  let isTooLarge = false;
  let bytes: Uint8Array[] = [];
  let head = new Uint8Array(0);

  return {
    /** `values`: how many values the conversation has with these bytes. */
    add(more: Uint8Array, values: number): void {
      if (size === 0) head = more.slice(0, HEAD_BYTES);
      size += more.length;
      isTooLarge ||= size > itemBytes || values > itemValues;
      if (isTooLarge) bytes = [];
      else bytes.push(more);
    },
    take(): Omit<Piece, 'index'> {
      const piece = { bytes, size, isTooLarge, head };
      size = 0;
      isTooLarge = false;
      bytes = [];
      return piece;
    },
  };
}

/** The title of a conversation too large to parse, when it begins with one. */
export function titleIn(head: Uint8Array): string | null {
  const [, json] = /"title"\s*:\s*("(?:[^"\\]|\\.)*")/.exec(new TextDecoder().decode(head)) ?? [];
  const title = parseJson(json ?? '');
  return typeof title === 'string' ? title : null;
}
