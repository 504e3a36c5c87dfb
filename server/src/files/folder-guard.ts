// Processes on one database that keep files in folders of their own would each miss the files of the others. So the
// folder and the database have one id: another folder is refused at the start.
import { randomUUID } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Db } from '@parley/db/client';
import { metadata } from '@parley/db/tables/metadata';
import { eq } from 'drizzle-orm';
import type { Config } from '../config/config.ts';

/** The row's name. A restore leaves the row out: its folder is another. */
export const FOLDER_FACT = 'files_folder';

/**
 * With a database of the operator's and files on this machine.
 * @throws Error with one sentence where the database has the files of another folder
 */
export async function assertSameFolder({ query }: Pick<Db, 'query'>, config: Config): Promise<void> {
  if (config.database.kind !== 'external' || config.files.strategy !== 'local') return;
  const folder = join(config.server.dataDir, 'uploads');
  const path = join(folder, 'folder-id');
  await mkdir(folder, { recursive: true });
  const [known] = await query.select().from(metadata).where(eq(metadata.name, FOLDER_FACT));
  if (!known) await writeFile(path, randomUUID(), { flag: 'wx', mode: 0o600 }).catch(unlessThere);
  const id = (await readFile(path, 'utf8').catch(() => '')).trim();
  if (!known) await query.insert(metadata).values({ name: FOLDER_FACT, value: id }).onConflictDoNothing();
  const [row] = await query.select().from(metadata).where(eq(metadata.name, FOLDER_FACT));
  if (row?.value === id) return;
  throw new Error(
    `The files of this database are in another folder than ${folder}: use S3 (fileStrategy) or share the folder; if its files were moved here on purpose, write ${row?.value ?? ''} into ${path}.`,
  );
}

function unlessThere(error: unknown): void {
  if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
}
