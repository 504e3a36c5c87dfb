// Reads zip archives that strangers made. Names are looked up and never become paths; nothing is written; an entry is
// unpacked only while it is read, and no further than its declared length.
import { open, type FileHandle } from 'node:fs/promises';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { crc32, createInflateRaw } from 'node:zlib';

export interface Zip {
  /** The names of all entries, as the archive spells them. */
  names(): string[];
  has(name: string): boolean;
  /** Bytes of an entry, as the directory lists them; zeros when there is no such entry. */
  sizeOf(name: string): { packed: number; unpacked: number };
  /** Whether the entry is a symbolic link: its bytes are the path of another file. */
  isLink(name: string): boolean;
  /** @throws `ZipFault` when there is no such entry, or it is encrypted, damaged or too large */
  read(name: string): AsyncGenerator<Uint8Array>;
}

export class ZipFault extends Error {
  readonly reason: 'damaged' | 'encrypted' | 'too_large';

  constructor(reason: ZipFault['reason']) {
    super(`The archive cannot be read: ${reason}`);
    this.reason = reason;
  }
}

export interface ZipLimits {
  /** Entries in the directory. */
  entries: number;
  /** Bytes that are unpacked of all entries together. */
  unpacked: number;
  /** Bytes of the directory. */
  directory: number;
}

/** The directory is one of the most entries, with generous names. */
const LIMITS: ZipLimits = { entries: 10_000, unpacked: 100_000_000, directory: 8_000_000 };

interface Entry {
  /** Where its local header stands. */
  at: number;
  packed: number;
  unpacked: number;
  method: number;
  /** The checksum of its unpacked bytes. */
  crc: number;
  isEncrypted: boolean;
  isLink: boolean;
}

const ENTRIES_A_TURN = 1000;
/** Of the upper half of an entry's attributes, as Unix programs write them. */
const UNIX_TYPE = 0xf000;
const UNIX_LINK = 0xa000;
const STORED = 0;
const DEFLATED = 8;

/** The end record, its comment and the locator of the larger record before it. */
const END_LENGTH = 22;
const END_MAX = END_LENGTH + 65_535 + 20;
const UNKNOWN_32 = 0xffff_ffff;

/** The compound files of old: an encrypted office document is one, whatever its name. */
const OLE = 'd0cf11e0a1b11ae1';

/**
 * Reads the directory of the archive at `path` and nothing else.
 * @throws `ZipFault`: 'damaged', 'encrypted' for an office document with a password, 'too_large' above its limits
 */
export async function openZip(path: string, limits = LIMITS): Promise<Zip> {
  const file = await open(path, 'r');
  try {
    return zipOf(path, await readDirectory(file, limits), limits);
  } finally {
    await file.close();
  }
}

function zipOf(path: string, entries: Map<string, Entry>, limits: ZipLimits): Zip {
  let left = limits.unpacked;

  async function* read(name: string): AsyncGenerator<Uint8Array> {
    const entry = entries.get(name);
    if (!entry) throw new ZipFault('damaged');
    if (entry.isEncrypted) throw new ZipFault('encrypted');
    if (entry.unpacked > left) throw new ZipFault('too_large');
    left -= entry.unpacked;
    let unread = entry.unpacked;
    let crc = 0;
    for await (const piece of unpack(path, entry)) {
      unread -= piece.length;
      // It declares less than its length. What else it declares is no better.
      if (unread < 0) throw new ZipFault('damaged');
      crc = crc32(piece, crc);
      yield piece;
    }
    if (unread > 0 || crc !== entry.crc) throw new ZipFault('damaged');
  }

  function sizeOf(name: string) {
    const { packed = 0, unpacked = 0 } = entries.get(name) ?? {};
    return { packed, unpacked };
  }

  return {
    names: () => [...entries.keys()],
    has: (name) => entries.has(name),
    sizeOf,
    isLink: (name) => entries.get(name)?.isLink ?? false,
    read,
  };
}

async function* unpack(path: string, entry: Entry): AsyncGenerator<Uint8Array> {
  const start = await dataOf(path, entry);
  if (entry.packed === 0) return;
  if (!Number.isSafeInteger(start + entry.packed)) throw new ZipFault('damaged');
  const packed = createReadStream(path, { start, end: start + entry.packed - 1 });
  if (entry.method === STORED) {
    yield* packed;
    return;
  }
  if (entry.method !== DEFLATED) throw new ZipFault('damaged');
  // Its reader gets the errors of both.
  yield* pipeline(packed, createInflateRaw(), () => {});
}

/** Where the bytes of an entry begin: behind its local header, whose name and extra may differ from the directory's. */
async function dataOf(path: string, { at }: Entry): Promise<number> {
  const file = await open(path, 'r');
  try {
    const header = await readAt(file, at, 30);
    if (header.length < 30 || header.readUInt32LE(0) !== 0x04034b50) throw new ZipFault('damaged');
    return at + 30 + header.readUInt16LE(26) + header.readUInt16LE(28);
  } finally {
    await file.close();
  }
}

async function readDirectory(file: FileHandle, limits: ZipLimits): Promise<Map<string, Entry>> {
  const { at, length, count } = await readEnd(file);
  if (count > limits.entries || length > limits.directory) throw new ZipFault('too_large');
  const directory = await readAt(file, at, length);
  const entries = new Map<string, Entry>();
  let read = 0;
  for (let offset = 0; offset + 46 <= directory.length;) {
    // Other requests have their turns between the slices of a large directory.
    if (++read % ENTRIES_A_TURN === 0) await nextTurn();
    if (directory.readUInt32LE(offset) !== 0x02014b50) break;
    const nameLength = directory.readUInt16LE(offset + 28);
    const extraLength = directory.readUInt16LE(offset + 30);
    const name = directory.toString('utf8', offset + 46, offset + 46 + nameLength);
    const extra = directory.subarray(offset + 46 + nameLength, offset + 46 + nameLength + extraLength);
    // Of two with one name the first counts, for every reader of this archive alike.
    if (!entries.has(name)) entries.set(name, entryOf(directory.subarray(offset, offset + 46), extra));
    if (entries.size > limits.entries) throw new ZipFault('too_large');
    offset += 46 + nameLength + extraLength + directory.readUInt16LE(offset + 32);
  }
  if (entries.size === 0) throw new ZipFault('damaged');
  return entries;
}

function entryOf(record: Buffer, extra: Buffer): Entry {
  const entry = {
    at: record.readUInt32LE(42),
    packed: record.readUInt32LE(20),
    unpacked: record.readUInt32LE(24),
    method: record.readUInt16LE(10),
    crc: record.readUInt32LE(16),
    isEncrypted: (record.readUInt16LE(8) & 1) === 1,
    isLink: (record.readUInt16LE(40) & UNIX_TYPE) === UNIX_LINK,
  };
  const large = largeNumbersOf(extra);
  for (const key of ['unpacked', 'packed', 'at'] as const) {
    if (entry[key] === UNKNOWN_32) entry[key] = large.shift() ?? UNKNOWN_32;
  }
  return entry;
}

/** The numbers of 64 bits that replace those that are all ones, in their order. */
function largeNumbersOf(extra: Buffer): number[] {
  for (let at = 0; at + 4 <= extra.length;) {
    const length = extra.readUInt16LE(at + 2);
    const field = extra.subarray(at + 4, at + 4 + length);
    if (extra.readUInt16LE(at) === 1) {
      return Array.from({ length: Math.floor(field.length / 8) }, (_, n) => Number(field.readBigUInt64LE(n * 8)));
    }
    at += 4 + length;
  }
  return [];
}

async function readEnd(file: FileHandle): Promise<{ at: number; length: number; count: number }> {
  const { size } = await file.stat();
  const from = Math.max(0, size - END_MAX);
  const tail = await readAt(file, from, size - from);
  const end = tail.lastIndexOf('PK\x05\x06', undefined, 'latin1');
  if (end < 0 || tail.length - end < END_LENGTH) {
    const isOle = (await readAt(file, 0, 8)).toString('hex') === OLE;
    throw new ZipFault(isOle ? 'encrypted' : 'damaged');
  }
  const record = tail.subarray(end);
  const found = { count: record.readUInt16LE(10), length: record.readUInt32LE(12), at: record.readUInt32LE(16) };
  const locator = tail.subarray(Math.max(0, end - 20), end);
  if (locator.length < 20 || locator.readUInt32LE(0) !== 0x07064b50) return found;
  const large = await readAt(file, Number(locator.readBigUInt64LE(8)), 56);
  if (large.length < 56 || large.readUInt32LE(0) !== 0x06064b50) throw new ZipFault('damaged');
  const number = (offset: number) => Number(large.readBigUInt64LE(offset));
  return { count: number(32), length: number(40), at: number(48) };
}

async function readAt(file: FileHandle, at: number, length: number): Promise<Buffer> {
  if (!Number.isSafeInteger(at)) throw new ZipFault('damaged');
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, at);
  return buffer.subarray(0, bytesRead);
}
