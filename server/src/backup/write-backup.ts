import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { access, open, readFile, rename, rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import type { Connection } from '@parley/db/client';
import { createCounter, openSnapshot } from '@parley/db/dump';
import { VERSION } from '@parley/schema/catalog/startup';
import { MissingFile, type FileStore } from '../storage/file-store.ts';
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
 * Writes a backup to `path`, which only its owner may read, while the server runs.
 * @throws Error with one sentence where `path` exists
 */
export async function writeBackup(source: BackupSource, path: string): Promise<Manifest> {
  const isThere = await access(path).then(
    () => true,
    () => false,
  );
  if (isThere) throw new Error(`${path} exists: name a file that does not.`);
  const unfinished = `${path}.${randomUUID()}.part`;
  let manifest: Manifest | undefined;
  try {
    const entries = listEntries(source, (made) => (manifest = made));
    await pipeline(zip(entries), createWriteStream(unfinished, { flags: 'wx', mode: 0o600 }));
    await sync(unfinished);
    await rename(unfinished, path);
  } finally {
    await rm(unfinished, { force: true });
  }
  if (!manifest) throw new Error('The backup has no list of what is in it.');
  return manifest;
}

async function* listEntries(source: BackupSource, onManifest: (manifest: Manifest) => void): AsyncGenerator<ZipEntry> {
  const snapshot = await openSnapshot(source.connection);
  const tables: Manifest['tables'] = [];
  let sequences: Manifest['sequences'];
  try {
    for (const { name, columns } of snapshot.tables) {
      const counter = createCounter();
      const pieces = yield* divide(name, counter.count(snapshot.read({ name, columns })));
      tables.push({ name, columns, ...counter.result(), pieces });
    }
    sequences = [...(await snapshot.sequences())];
  } finally {
    await snapshot.close();
  }
  const secrets = await readFile(source.secrets).catch(() => null);
  if (secrets) yield { name: SECRETS, chunks: once(secrets), isCompressed: false };
  // After the rows: each file that a row names is there then, unless it was deleted meanwhile.
  const files = yield* listFiles(source.store);
  const { migrations } = snapshot;
  const madeAt = new Date().toISOString();
  const hasSecrets = secrets !== null;
  const manifest: Manifest = {
    format: 1,
    madeAt,
    version: VERSION,
    migrations,
    tables,
    sequences,
    files,
    hasSecrets,
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

async function* listFiles(store: FileStore): AsyncGenerator<ZipEntry, number> {
  let count = 0;
  for await (const key of store.list('')) {
    try {
      yield { name: FILES + key, chunks: await store.read(key), isCompressed: false };
      count += 1;
    } catch (error) {
      if (!(error instanceof MissingFile)) throw error;
    }
  }
  return count;
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

async function sync(path: string): Promise<void> {
  const file = await open(path, 'r');
  await file.sync().finally(() => file.close());
}
