// Writes a ZIP file as a stream: nothing is held but the list of its entries. Sizes follow each entry's bytes, so that
// they need not be known before. One entry has less than 4 GB; their number and the whole file may be larger (Zip64).
import { pipeline, Readable } from 'node:stream';
import { crc32, createDeflateRaw } from 'node:zlib';

export interface ZipEntry {
  /** With `/` between folders. */
  name: string;
  chunks: AsyncIterable<Uint8Array>;
  /** For text; images and archives gain nothing. */
  isCompressed: boolean;
}

interface Written {
  name: Buffer;
  method: number;
  crc: number;
  packed: number;
  bytes: number;
  offset: number;
}

/** Sizes and checksum follow the bytes; the name is UTF-8. */
const STREAMED_UTF8_FLAGS = 0x08_08;
const ZIP64_VERSION = 45;
const STORED = 0;
const DEFLATED = 8;
const MAX_32 = 0xff_ff_ff_ff;
const MAX_16 = 0xff_ff;
/** 1 January 1980, the first day that the format knows: the time is in the content. */
const DOS_DATE_1980 = 0x21;

export async function* zip(entries: AsyncIterable<ZipEntry>): AsyncGenerator<Uint8Array, void> {
  const written: Written[] = [];
  let offset = 0;
  for await (const entry of entries) {
    const name = Buffer.from(entry.name);
    const one = { name, method: entry.isCompressed ? DEFLATED : STORED, crc: 0, packed: 0, bytes: 0, offset };
    const head = headOf(one);
    yield head;
    for await (const chunk of entry.isCompressed ? deflated(counted(entry.chunks, one)) : counted(entry.chunks, one)) {
      one.packed += chunk.length;
      yield chunk;
    }
    if (one.bytes > MAX_32 || one.packed > MAX_32) throw new Error('An entry of a ZIP file exceeds 4 GB');
    yield descriptorOf(one);
    offset += head.length + one.packed + 16;
    written.push(one);
  }
  let length = 0;
  for (const one of written) {
    const line = directoryLineOf(one);
    length += line.length;
    yield line;
  }
  yield endOf(written.length, length, offset);
}

async function* counted(chunks: AsyncIterable<Uint8Array>, of: Written): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    of.crc = crc32(chunk, of.crc);
    of.bytes += chunk.length;
    yield chunk;
  }
}

async function* deflated(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const stream = createDeflateRaw();
  // A failure of either is thrown to who reads the stream.
  pipeline(Readable.from(chunks, { objectMode: false }), stream, () => {});
  for await (const chunk of stream) yield chunk;
}

function headOf({ name, method }: Written): Buffer {
  const head = Buffer.alloc(30);
  head.writeUInt32LE(0x04_03_4b_50, 0);
  head.writeUInt16LE(ZIP64_VERSION, 4);
  head.writeUInt16LE(STREAMED_UTF8_FLAGS, 6);
  head.writeUInt16LE(method, 8);
  head.writeUInt16LE(DOS_DATE_1980, 12);
  head.writeUInt16LE(name.length, 26);
  return Buffer.concat([head, name]);
}

function descriptorOf({ crc, packed, bytes }: Written): Buffer {
  const line = Buffer.alloc(16);
  line.writeUInt32LE(0x08_07_4b_50, 0);
  line.writeUInt32LE(crc, 4);
  line.writeUInt32LE(packed, 8);
  line.writeUInt32LE(bytes, 12);
  return line;
}

function directoryLineOf({ name, method, crc, packed, bytes, offset }: Written): Buffer {
  const isFar = offset >= MAX_32;
  const line = Buffer.alloc(46);
  line.writeUInt32LE(0x02_01_4b_50, 0);
  line.writeUInt16LE(ZIP64_VERSION, 4);
  line.writeUInt16LE(ZIP64_VERSION, 6);
  line.writeUInt16LE(STREAMED_UTF8_FLAGS, 8);
  line.writeUInt16LE(method, 10);
  line.writeUInt16LE(DOS_DATE_1980, 14);
  line.writeUInt32LE(crc, 16);
  line.writeUInt32LE(packed, 20);
  line.writeUInt32LE(bytes, 24);
  line.writeUInt16LE(name.length, 28);
  line.writeUInt16LE(isFar ? 12 : 0, 30);
  line.writeUInt32LE(isFar ? MAX_32 : offset, 42);
  const far = Buffer.alloc(isFar ? 12 : 0);
  if (isFar) {
    far.writeUInt16LE(1, 0);
    far.writeUInt16LE(8, 2);
    far.writeBigUInt64LE(BigInt(offset), 4);
  }
  return Buffer.concat([line, name, far]);
}

function endOf(count: number, length: number, offset: number): Buffer {
  const isLarge = count >= MAX_16 || offset + length >= MAX_32;
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06_05_4b_50, 0);
  end.writeUInt16LE(isLarge ? MAX_16 : count, 8);
  end.writeUInt16LE(isLarge ? MAX_16 : count, 10);
  end.writeUInt32LE(isLarge ? MAX_32 : length, 12);
  end.writeUInt32LE(isLarge ? MAX_32 : offset, 16);
  return isLarge ? Buffer.concat([largeEndOf(count, length, offset), end]) : end;
}

/** The end of a Zip64 file, and where it is. */
function largeEndOf(count: number, length: number, offset: number): Buffer {
  const end = Buffer.alloc(76);
  end.writeUInt32LE(0x06_06_4b_50, 0);
  end.writeBigUInt64LE(44n, 4);
  end.writeUInt16LE(ZIP64_VERSION, 12);
  end.writeUInt16LE(ZIP64_VERSION, 14);
  end.writeBigUInt64LE(BigInt(count), 24);
  end.writeBigUInt64LE(BigInt(count), 32);
  end.writeBigUInt64LE(BigInt(length), 40);
  end.writeBigUInt64LE(BigInt(offset), 48);
  end.writeUInt32LE(0x07_06_4b_50, 56);
  end.writeBigUInt64LE(BigInt(offset + length), 64);
  end.writeUInt32LE(1, 72);
  return end;
}
