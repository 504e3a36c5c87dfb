import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { access, open, readFile, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { describeAddress, type Connection } from '@parley/db/client';
import { noteUnfinished } from '@parley/db/backup-facts';
import { createCounter, openSnapshot } from '@parley/db/dump';
import { VERSION } from '@parley/schema/catalog/startup';
import { MissingFile, type FileStore } from '../storage/file-store.ts';
import { isStorageFull } from '../platform/database-fault.ts';
import { megabytes, NO_OPERATOR, type Operator } from '../config/operator.ts';
import { zip, type ZipEntry } from '../platform/zip/write-zip.ts';
import { FILES, MANIFEST, pieceName, SECRETS, type Manifest } from './manifest.ts';

export interface BackupSource {
  connection: Connection;
  /** The files of this machine; those of other stores are not in a backup. */
  store: FileStore;
  /** Path of secrets.json; there is none where the environment has the secrets. */
  secrets: string;
}

/** An entry of a ZIP file has less than 4 GB. */
const PIECE_BYTES = 1024 ** 3;

/**
 * Writes a backup to `path`, which only its owner may read, while the server runs. Until it is whole it has another
 * name; what earlier ones left whose process died is removed.
 * @throws Error with one sentence where `path` exists or cannot be written
 */
export async function writeBackup(
  source: BackupSource,
  path: string,
  operator: Operator = NO_OPERATOR,
): Promise<Manifest> {
  const isThere = await access(path).then(
    () => true,
    () => false,
  );
  if (isThere) throw new Error(`${path} exists: name a file that does not.`);
  const unfinished = `${path}.${randomUUID()}.part`;
  const forget = await noteUnfinished(source.connection, unfinished, (left) => rm(left, { force: true }));
  let manifest: Manifest | undefined;
  const stopped = new AbortController();
  const stop = () => stopped.abort();
  operator.signal.addEventListener('abort', stop);
  try {
    operator.signal.throwIfAborted();
    const out = createWriteStream(unfinished, { flags: 'wx', mode: 0o600 });
    // A disk that refuses what is written does not wait for what the database still has to say.
    out.once('error', stop);
    const entries = listEntries(source, { ...operator, signal: stopped.signal, path }, (made) => (manifest = made));
    await pipeline(zip(entries), out);
    operator.show('Waiting until all is on the disk', `the disk of ${path}`);
    await sync(unfinished);
    await rename(unfinished, path);
    // Otherwise a power cut may lose the name of the file though not its bytes.
    await sync(dirname(path));
  } catch (error) {
    throw sentenceFor(error, path);
  } finally {
    operator.signal.removeEventListener('abort', stop);
    await rm(unfinished, { force: true });
    // The database may be what has failed; the next backup forgets it then.
    await forget().catch(() => {});
  }
  if (!manifest) throw new Error('The backup has no list of what is in it.');
  return manifest;
}

/** Larger than the limit of the process or its file system. */
const TOO_LARGE = 'EFBIG';

function sentenceFor(error: unknown, path: string): unknown {
  if (!(error instanceof Error) || !('code' in error) || !('syscall' in error)) return error;
  if (isStorageFull(error) || error.code === TOO_LARGE)
    return new Error(`There is no room for ${path} (${String(error.code)}): no backup was made.`, { cause: error });
  return new Error(`${path} cannot be written: ${error.message}.`, { cause: error });
}

interface Told extends Operator {
  /** The file that is written. */
  path: string;
}

async function* listEntries(
  source: BackupSource,
  told: Told,
  onManifest: (manifest: Manifest) => void,
): AsyncGenerator<ZipEntry> {
  const database = `the database at ${describeAddress(source.connection)}`;
  told.show(null, database);
  const snapshot = await openSnapshot(source.connection, told.signal);
  const tables: Manifest['tables'] = [];
  let sequences: Manifest['sequences'];
  try {
    for (const [index, { name, columns }] of snapshot.tables.entries()) {
      const counter = createCounter();
      const of = `table ${index + 1} of ${snapshot.tables.length}`;
      const show = (bytes: number, waitsFor: string) =>
        told.show(`Saving ${name} (${of}): ${counter.rows()} rows, ${megabytes(bytes)}`, waitsFor);
      const text = shown(counter.count(snapshot.read({ name, columns })), show, database, told);
      const pieces = yield* divide(name, text);
      tables.push({ name, columns, ...counter.result(), pieces });
    }
    sequences = [...(await snapshot.sequences())];
  } finally {
    await snapshot.close();
  }
  const secrets = await readFile(source.secrets).catch(() => null);
  if (secrets) yield { name: SECRETS, chunks: once(secrets), isCompressed: false };
  // After the rows: each file that a row names is there then, unless it was deleted meanwhile.
  const files = yield* listFiles(source.store, told);
  const { migrations } = snapshot;
  const manifest: Manifest = {
    format: 1,
    madeAt: new Date().toISOString(),
    version: VERSION,
    migrations,
    tables,
    sequences,
    files,
    hasSecrets: secrets !== null,
  };
  onManifest(manifest);
  yield { name: MANIFEST, chunks: once(Buffer.from(JSON.stringify(manifest, null, 2))), isCompressed: false };
}

/** Divides the text of a table among entries; returns how many. */
async function* divide(table: string, text: AsyncGenerator<Uint8Array>): AsyncGenerator<ZipEntry, number> {
  let pieces = 0;
  let isEnded = false;
  async function* piece(): AsyncGenerator<Uint8Array> {
    for (let bytes = 0; bytes < PIECE_BYTES;) {
      const { done, value } = await text.next();
      if (done) return void (isEnded = true);
      bytes += value.length;
      yield value;
    }
  }
  while (!isEnded) yield { name: pieceName(table, pieces++), chunks: piece(), isCompressed: true };
  return pieces;
}

async function* listFiles(store: FileStore, told: Told): AsyncGenerator<ZipEntry, number> {
  let count = 0;
  let before = 0;
  for await (const key of store.list('')) {
    told.signal.throwIfAborted();
    let bytes = 0;
    const show = (read: number, waitsFor: string) => {
      bytes = read;
      told.show(`Saving files: ${count}, ${megabytes(before + bytes)}`, waitsFor);
    };
    try {
      const chunks = shown(await store.read(key), show, `the file ${key}`, told);
      yield { name: FILES + key, chunks, isCompressed: false };
      count += 1;
      before += bytes;
    } catch (error) {
      if (!(error instanceof MissingFile)) throw error;
    }
  }
  return count;
}

/** Shows how many bytes have come, and which of both sides the next ones wait for. */
async function* shown(
  chunks: AsyncIterable<Uint8Array>,
  show: (bytes: number, waitsFor: string) => void,
  from: string,
  { path, signal }: Told,
): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  show(bytes, from);
  for await (const chunk of chunks) {
    bytes += chunk.length;
    show(bytes, `the disk of ${path}`);
    yield chunk;
    signal.throwIfAborted();
    show(bytes, from);
  }
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

async function sync(path: string): Promise<void> {
  const file = await open(path, 'r');
  await file.sync().finally(() => file.close());
}
