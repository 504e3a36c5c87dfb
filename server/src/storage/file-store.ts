// Where the bytes of files are. Each implementation passes tests/contracts/file-store.ts.
import type { FileSource } from '@parley/schema/files/stored-file';

/** Bytes by key. Keys are made by `keyOf` and never contain what a user wrote. */
export interface FileStore {
  source: FileSource;
  /** Atomic: afterwards the store has all bytes of the file at `from.path`, or none. Doing it again is harmless. */
  put(key: string, from: LocalFile, signal: AbortSignal): Promise<void>;
  /**
   * The bytes, or those from `range.from` to `range.to`, both included.
   * @throws MissingFile when the store has none; the reason of `signal` when it aborts, also while the bytes are read
   */
  read(key: string, range?: ByteRange, signal?: AbortSignal): Promise<ReadableStream<Uint8Array>>;
  /** Succeeds also when there are none. */
  remove(key: string): Promise<void>;
  /** All keys that begin with `prefix`. */
  list(prefix: string): AsyncIterable<string>;
  /** Frees what is left of puts that began before this time and were never finished, where a store keeps that. */
  abortUploads?(before: Date): Promise<void>;
}

/** A complete file in this server's folder of arrivals. */
export interface LocalFile {
  path: string;
  bytes: number;
  mime: string;
}

export interface ByteRange {
  from: number;
  to: number;
}

/** The stores of a server. A file stays in the store that it was put into, whatever is configured later. */
export interface FileStores {
  /** For new files. */
  current: FileStore;
  /** All that are configured. */
  all: readonly FileStore[];
  /** @throws Error for a store that is no longer configured */
  of(source: FileSource): FileStore;
}

export class MissingFile extends Error {
  override name = 'MissingFile';
}

/** The key of bytes: two levels below the user keep folders small. */
export function storageKey(userId: string, hash: string): string {
  return `${userId}/${hash.slice(0, 2)}/${hash}`;
}

/** Whether `keyOf` made it. */
export function isKey(key: string): boolean {
  return /^[\da-f-]{36}\/[\da-f]{2}\/[\da-f]{64}$/.test(key);
}

/** For what somebody else may have removed first. */
export function nullWhenMissing(error: unknown): null {
  if (error instanceof MissingFile) return null;
  throw error;
}
