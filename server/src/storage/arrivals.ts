// Tests of this room: tests/unit/storage.
import { createHash, randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** What of the configuration names the folder of data. */
export interface DataFolder {
  server: { readonly dataDir: string };
}

/** Bytes that wait for the disk while it writes; what waits is written in one go. */
const WRITTEN_AT_ONCE = 1024 * 1024;

/** The folder of files that are not kept yet: uploads while they arrive, and images while they are written anew. */
export function arrivalsFolder({ server }: DataFolder): string {
  return join(server.dataDir, 'uploads', 'arriving');
}

/** The folder of copies of files while their text is read. */
export function readingFolder({ server }: DataFolder): string {
  return join(server.dataDir, 'uploads', 'reading');
}

/** Has `work` write a file at a new path, and removes what a store has not taken by its end. */
export async function withArrival<T>(config: DataFolder, work: (path: string) => Promise<T>): Promise<T> {
  const folder = arrivalsFolder(config);
  await mkdir(folder, { recursive: true });
  const path = join(folder, randomUUID());
  try {
    return await work(path);
  } finally {
    await rm(path, { force: true });
  }
}

export class TooLarge extends Error {
  readonly maxBytes: number;

  constructor(maxBytes: number) {
    super('The file is too large');
    this.maxBytes = maxBytes;
  }
}

/**
 * Writes a new file, and counts and hashes it meanwhile: SHA-256 in hexadecimal.
 * @throws TooLarge beyond `maxBytes`; whatever ends the chunks early
 */
export async function receive(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  path: string,
  maxBytes = Infinity,
): Promise<{ bytes: number; hash: string }> {
  const stream = chunks instanceof Readable ? chunks : Readable.from(chunks, { objectMode: false });
  const hash = createHash('sha256');
  let bytes = 0;
  // Beside the pipe, not a part of it: one more stream would cost as much as the hash.
  stream.on('data', (piece: Uint8Array) => {
    bytes += piece.length;
    if (bytes > maxBytes) stream.destroy(new TooLarge(maxBytes));
    else hash.update(piece);
  });
  const target = createWriteStream(path, { flags: 'wx', mode: 0o600, highWaterMark: WRITTEN_AT_ONCE });
  try {
    await pipeline(stream, target);
  } catch (error) {
    // A file that was being opened appears after the failure: only then can it be removed.
    if (!target.closed) await new Promise<void>((resolve) => void target.once('close', () => resolve()));
    throw error;
  }
  return { bytes, hash: hash.digest('hex') };
}

/** SHA-256 of a file, in hexadecimal. */
export async function hashFile(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}
