// Tests of this room: tests/integration/shares.

// The files of a shared conversation, for the person who copies it: their own ones afterwards, within their quota.
import { blobs } from '@parley/db/tables/files';
import { and, eq } from 'drizzle-orm';
import { findByTemporaryId, saveFile, createFileSaver, type FileSaverDeps } from '../files/save-file.ts';
import type { FileRow } from '../files/present.ts';
import { assertDiskSpace, assertQuota } from '../files/quota.ts';
import { derivedId } from '../platform/derived-id.ts';
import { Refusal } from '../platform/errors.ts';
import { logError } from '../platform/log-error.ts';
import { receive, withArrival } from '../storage/arrivals.ts';
import { storageKey, MissingFile } from '../storage/file-store.ts';
import type { CoreServices } from '../platform/requests/request-services.ts';

/** A shared file that cannot be copied is left out: a copy without it is better than none. */
export async function copyFiles(
  deps: FileSaverDeps,
  userId: string,
  shareId: string,
  rows: readonly FileRow[],
): Promise<Map<string, FileRow>> {
  const copied = new Map<string, FileRow>();
  for (const row of rows) {
    const own = await copyFile(deps, userId, shareId, row).catch((error: unknown) => {
      const isUsual = error instanceof Refusal || error instanceof MissingFile;
      if (!isUsual) logError(deps.log, error, { event: 'request.failed', path: 'shares.copy' });
      return null;
    });
    if (own) copied.set(row.id, own);
  }
  return copied;
}

/** The same file copied again is the file of the first time. @throws Refusal `storage_full` */
async function copyFile(deps: FileSaverDeps, userId: string, shareId: string, row: FileRow): Promise<FileRow> {
  if (row.userId === userId) return row;
  const temporaryId = derivedId('shared file', shareId, row.id);
  const known = await findByTemporaryId(deps.db.query, userId, temporaryId);
  if (known) return known;
  const { hash, name, mime, bytes, width, height } = row;
  if (hash === null) throw new MissingFile('The file has no bytes in our stores');
  await assertRoom(deps, userId, { hash, bytes });
  return withArrival(deps.config, async (path) => {
    const arrived = await receive(await deps.stores.of(row.source).read(storageKey(row.userId, hash)), path);
    if (arrived.hash !== hash) throw new MissingFile('The file was read in part');
    const context = 'message_attachment';
    return saveFile(createFileSaver(deps), {
      userId,
      path,
      hash,
      name,
      mime,
      bytes,
      width,
      height,
      context,
      temporaryId,
    });
  });
}

/** Before anything is read. Bytes that they have already take no room. */
async function assertRoom(
  { db, config }: CoreServices,
  userId: string,
  { hash, bytes }: { hash: string; bytes: number },
) {
  const stored = and(eq(blobs.userId, userId), eq(blobs.hash, hash), eq(blobs.state, 'stored'));
  const more = (await db.query.$count(blobs, stored)) > 0 ? 0 : bytes;
  await assertQuota(db.query, userId, config.files.quotaBytes, more);
  await assertDiskSpace(config.server.dataDir, bytes);
}
