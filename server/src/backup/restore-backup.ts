import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { chmod, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { noteRestored } from '@parley/db/backup-facts';
import { describeAddress } from '@parley/db/client';
import { isEmpty, load } from '@parley/db/dump';
import { migrate, migrateTo } from '@parley/db/migrate';
import { FOLDER_FACT } from '../files/folder-guard.ts';
import { openZip, ZipFault, type Zip } from '../platform/zip/read-zip.ts';
import { isOfZlib } from '../transfer/archive/open-archive.ts';
import { megabytes, NO_OPERATOR, type Operator } from '../config/operator.ts';
import { FILES, MANIFEST, Manifest, pieceName, SECRETS } from './manifest.ts';
import type { BackupSource } from './write-backup.ts';

export interface RestoreTarget extends BackupSource {
  /** The folder of files on their way into the store. */
  arrivals: string;
  /** The folder of the migrations. */
  migrations: string;
}

const NO_LIMITS = { entries: Infinity, unpacked: Infinity, directory: Infinity };

/** Opens a backup and reads what is in it. */
export async function openBackup(path: string): Promise<{ zip: Zip; manifest: Manifest }> {
  try {
    const zip = await openZip(path, NO_LIMITS);
    return { zip, manifest: Manifest.parse(JSON.parse((await readEntry(zip, MANIFEST)).toString())) };
  } catch (error) {
    throw new Error(`${path} is no backup, or not a whole one.`, { cause: error });
  }
}

/**
 * Writes secrets.json first, so that nothing is restored that nobody could open.
 * @throws Error with one sentence where the folder has other secrets
 */
export async function restoreSecrets(zip: Zip, path: string): Promise<void> {
  if (!zip.has(SECRETS)) return;
  const secrets = await readEntry(zip, SECRETS);
  const present = await readFile(path).catch(() => null);
  if (present && !present.equals(secrets))
    throw new Error(`${path} has other secrets than the backup: restore into a new DATA_DIR.`);
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await writeFile(path, secrets, { mode: 0o600 });
  await chmod(path, 0o600);
}

/**
 * Restores into an empty database. Files come before rows, and all rows at once: a process that is killed meanwhile leaves an
 * empty database, into which the same backup is restored anew.
 * @throws Error with one sentence where the database is not empty, or the backup is damaged or of a newer version
 */
export async function restoreBackup(
  zip: Zip,
  manifest: Manifest,
  target: RestoreTarget,
  operator: Operator = NO_OPERATOR,
): Promise<void> {
  const { connection, migrations } = target;
  const { madeAt, version = null } = manifest;
  const { signal } = operator;
  const database = `the database at ${describeAddress(connection)}`;
  operator.show(null, database);
  if (!(await isEmpty(connection))) throw new Error('The database is not empty: a backup is restored into a new one.');
  await migrateTo(connection, migrations, manifest.migrations);
  try {
    await restoreFiles(zip, manifest, target, operator);
    await load(connection, manifest, {
      read: (table) => readTable(zip, manifest, table, (doing) => operator.show(doing, database)),
      onStep: (doing) => operator.show(doing, database),
      signal,
      finish: async (tx) => {
        await tx`delete from facts where name = ${FOLDER_FACT}`;
        await noteRestored(tx, { at: new Date().toISOString(), madeAt, version });
      },
    });
  } catch (error) {
    if (!(error instanceof ZipFault) && !isOfZlib(error)) throw error;
    throw new Error('The backup is damaged: its bytes are not those that were saved.', { cause: error });
  }
  await migrate(connection, migrations);
}

async function restoreFiles(
  zip: Zip,
  { files }: Manifest,
  { store, arrivals }: RestoreTarget,
  { show, signal }: Operator,
): Promise<void> {
  await mkdir(arrivals, { recursive: true });
  const names = zip.names().filter((name) => name.startsWith(FILES));
  if (names.length !== files) throw new Error(`The backup is damaged: it has ${names.length} of ${files} files.`);
  for (const [index, name] of names.entries()) {
    show(`Restoring files: ${index} of ${files}`, `the disk of ${arrivals}`);
    const path = join(arrivals, randomUUID());
    try {
      await pipeline(zip.read(name), createWriteStream(path, { mode: 0o600 }), { signal });
      const from = { path, bytes: zip.sizeOf(name).unpacked, mime: 'application/octet-stream' };
      await store.put(name.slice(FILES.length), from, signal);
    } finally {
      await rm(path, { force: true });
    }
  }
}

async function* readTable(
  zip: Zip,
  { tables }: Manifest,
  name: string,
  show: (doing: string) => void,
): AsyncGenerator<Uint8Array> {
  const { pieces = 0, rows = 0 } = tables.find((table) => table.name === name) ?? {};
  const of = `table ${tables.findIndex((table) => table.name === name) + 1} of ${tables.length}`;
  let bytes = 0;
  for (let piece = 0; piece < pieces; piece += 1)
    for await (const chunk of zip.read(pieceName(name, piece))) {
      show(`Restoring the ${rows} rows of ${name} (${of}): ${megabytes((bytes += chunk.length))}`);
      yield chunk;
    }
}

async function readEntry(zip: Zip, name: string): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of zip.read(name)) chunks.push(chunk);
  return Buffer.concat(chunks);
}
