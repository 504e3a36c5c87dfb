// Keeps a file that has arrived: bytes first, then its row. A process that dies at any step leaves only what the sweep
// finds: a blob that is `arriving`, or a temporary file.
import { randomUUID } from 'node:crypto';
import type { Db, Tx } from '@parley/db/client';
import { blobs, files } from '@parley/db/tables/files';
import { and, eq, sql } from 'drizzle-orm';
import { withDeadline } from '../platform/deadline.ts';
import { storageKey, type FileStores, type LocalFile } from '../storage/file-store.ts';
import { isDocument, queueDocument } from '../retrieval/documents.ts';
import type { FileRow } from './present.ts';
import { scanFile } from './upload/scan-file.ts';
import { assertQuota } from './quota.ts';
import type { CoreServices } from '../platform/requests/request-services.ts';

export interface FileSaver {
  db: Db;
  stores: FileStores;
  /** Of one user, in bytes. */
  quotaBytes: number;
  /** @throws FileRefusal when the operator's scanner does not let the bytes at `path` pass */
  scan(path: string): Promise<void>;
}

/** What files are kept with. */
export interface FileSaverDeps extends CoreServices {
  stores: FileStores;
}

export function createFileSaver({ db, stores, config, log }: FileSaverDeps): FileSaver {
  return { db, stores, quotaBytes: config.files.quotaBytes, scan: (path) => scanFile({ config, log }, path) };
}

export type NewFile = LocalFile & { hash: string } & Pick<FileRow, 'userId' | 'name' | 'context'> &
  Partial<Pick<FileRow, 'temporaryId' | 'width' | 'height'>>;

/** How long a store may take for one file. Less than an hour, after which a blob that is `arriving` is swept. */
const PUT_MAX_MS = 30 * 60_000;
/** A file without a use is deleted after this time, whether it has been used before or not. */
export const UNUSED_HOURS = 1;
/** The sweep may remove the blob between two steps; each try takes the removal into account. */
const TRIES_MAX = 5;

/**
 * Keeps the bytes, once for the same bytes of a user, and creates the file; a file with the same `temporaryId` is
 * returned instead. All bytes that are kept come this way, so all are scanned here: uploads, imports, avatars, and what
 * tools make.
 * @throws Refusal `storage_full` beyond the user's quota; FileRefusal `infected`, `not_scanned`
 */
export async function saveFile(keeping: FileSaver, file: NewFile): Promise<FileRow> {
  await keeping.scan(file.path);
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    const row = await trySaveFile(keeping, file);
    if (row) return row;
  }
  throw new Error('The bytes of a file disappeared again and again');
}

async function trySaveFile(keeping: FileSaver, file: NewFile): Promise<FileRow | null> {
  const { isStored } = await announceBlob(keeping, file);
  try {
    if (!isStored) await putBytes(keeping, file);
    return await recordFile(keeping, file, isStored);
  } catch (error) {
    await abandonBlob(keeping, file);
    throw error;
  }
}

/** Step one: anyone who finds bytes in the store without a row of `files` knows by this that they may be removed. */
export async function announceBlob(
  { db, stores }: FileSaver,
  { userId, hash, bytes }: NewFile,
): Promise<{ isStored: boolean }> {
  const isStored = sql`${blobs.state} = 'stored'`;
  const [blob] = await db.query
    .insert(blobs)
    .values({ userId, hash, bytes, store: stores.current.source, state: 'arriving' })
    .onConflictDoUpdate({
      target: [blobs.userId, blobs.hash],
      set: {
        state: sql`case when ${isStored} then ${blobs.state} else 'arriving' end`,
        store: sql`case when ${isStored} then ${blobs.store} else excluded.store end`,
        since: sql`now()`,
      },
    })
    .returning({ state: blobs.state });
  return { isStored: blob?.state === 'stored' };
}

/** Step two. */
export async function putBytes({ stores }: FileSaver, file: NewFile): Promise<void> {
  await stores.current.put(storageKey(file.userId, file.hash), file, withDeadline(PUT_MAX_MS));
}

/**
 * Step three, in one transaction: the blob is `stored` and the file exists. Null when the blob has left meanwhile, so
 * that its bytes must be put again.
 */
export function recordFile(keeping: FileSaver, file: NewFile, isStored: boolean): Promise<FileRow | null> {
  const { userId, hash } = file;
  return keeping.db.query.transaction(async (tx) => {
    await lockFilesOf(tx, userId);
    const ofBlob = and(eq(blobs.userId, userId), eq(blobs.hash, hash));
    const [blob] = await tx.select().from(blobs).where(ofBlob).for('update');
    const isThere = blob?.state === 'stored' || (blob?.state === 'arriving' && !isStored);
    if (!isThere) return null;
    await tx
      .update(blobs)
      .set({ state: 'stored', since: sql`now()` })
      .where(ofBlob);
    await assertQuota(tx, userId, keeping.quotaBytes);
    return (await insertFile(tx, file, blob)) ?? assertExisting(tx, file);
  });
}

/** Gives up the bytes at once, so that they do not count for an hour. An upload of the same bytes notices. */
async function abandonBlob({ db }: FileSaver, { userId, hash }: NewFile): Promise<void> {
  await db.query
    .update(blobs)
    .set({ state: 'leaving', since: sql`now()` })
    .where(and(eq(blobs.userId, userId), eq(blobs.hash, hash), eq(blobs.state, 'arriving')));
}

async function insertFile(
  tx: Tx,
  file: NewFile,
  { store }: Pick<typeof blobs.$inferSelect, 'store'>,
): Promise<FileRow | undefined> {
  const { userId, hash, temporaryId, name, mime, bytes, width, height, context } = file;
  const [row] = await tx
    .insert(files)
    .values({
      userId,
      id: randomUUID(),
      hash,
      temporaryId,
      name,
      mime,
      bytes,
      width,
      height,
      context,
      source: store,
      expiresAt: sql`now() + make_interval(hours => ${UNUSED_HOURS})`,
    })
    .onConflictDoNothing()
    .returning();
  if (row && isDocument(row)) await queueDocument(tx, userId, row.id);
  return row;
}

/** The file of the same upload, which was sent twice. */
async function assertExisting(tx: Tx, { userId, temporaryId }: NewFile): Promise<FileRow> {
  const row = temporaryId ? await findByTemporaryId(tx, userId, temporaryId) : undefined;
  if (!row) throw new Error('A file could not be created');
  return row;
}

export async function findByTemporaryId(
  query: Db['query'] | Tx,
  userId: string,
  temporaryId: string,
): Promise<FileRow | undefined> {
  const [row] = await query
    .select()
    .from(files)
    .where(and(eq(files.userId, userId), eq(files.temporaryId, temporaryId)));
  return row;
}

/** Until the transaction ends. Uploads of one user are counted one after the other, so that none passes the quota. */
async function lockFilesOf(tx: Tx, userId: string): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended('files ' || ${userId}, 0))`);
}
