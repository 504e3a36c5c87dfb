// Queries on a user's files. Avatars are not listed: they belong to the profile.
import type { Db } from '@parley/db/client';
import { documents } from '@parley/db/tables/documents';
import { files, fileUses } from '@parley/db/tables/files';
import type { StoredFile } from '@parley/schema/files/stored-file';
import { and, desc, eq, ne, sql, type SQL } from 'drizzle-orm';
import { convoCursor, parseCursor } from '../convos/cursor.ts';
import { isAmong } from '../convos/rows.ts';
import { refuse } from '../platform/errors.ts';
import { documentStatus } from '../retrieval/documents.ts';
import type { FileStores } from '../storage/file-store.ts';
import { presentFile, type FileRow } from './present.ts';
import { isUnused, removeBytes } from './sweep.ts';

const usesOfRow = sql<number>`(
  select count(*)::int from ${fileUses}
  where ${fileUses.userId} = ${files.userId} and ${fileUses.fileId} = ${files.id} and ${fileUses.kind} not in ('owner', 'set')
)`;

/** A page of a user's files, newest first. */
export async function listFiles(
  { query }: Db,
  userId: string,
  { cursor, limit }: { cursor?: string | null | undefined; limit: number },
): Promise<{ files: StoredFile[]; nextCursor: string | null }> {
  const after = cursor ? parseCursor(cursor) : null;
  const isAfter = after && sql`(${files.updatedAt}, ${files.id}) < (${after.time}::timestamptz, ${after.id}::uuid)`;
  const rows = await query
    .select({ row: files, uses: usesOfRow, document: documents })
    .from(files)
    .leftJoin(documents, and(eq(documents.userId, files.userId), eq(documents.fileId, files.id)))
    .where(and(mine(userId), isAfter ?? undefined))
    .orderBy(desc(files.updatedAt), desc(files.id))
    .limit(limit + 1);
  const page = rows.slice(0, limit);
  const last = rows.length > limit ? page.at(-1)?.row : undefined;
  return {
    files: page.map(({ row, uses, document }) => presentFile(row, uses, document && documentStatus(document))),
    nextCursor: last ? convoCursor(last.updatedAt, last.id) : null,
  };
}

/** Deletes files with their uses, and their bytes if no other file has them. Missing and foreign ones are skipped. */
export async function removeFiles(
  { db, stores }: { db: Db; stores: FileStores },
  userId: string,
  ids: readonly string[],
  which?: SQL,
): Promise<string[]> {
  const removed = await db.query
    .delete(files)
    .where(and(mine(userId), isAmong(files.id, ids), which))
    .returning({ id: files.id, hash: files.hash });
  // What fails here is done by the next sweep.
  const hashes = new Set(removed.flatMap(({ hash }) => (hash === null ? [] : [hash])));
  for (const hash of hashes) await removeBytes({ db, stores }, { userId, hash }).catch(() => false);
  return removed.map(({ id }) => id);
}

/**
 * Deletes files that were taken out of unsent questions, unless something else has them. The drafts of these questions
 * may still name them.
 */
export function discardFiles(
  from: { db: Db; stores: FileStores },
  userId: string,
  { ids, drafts }: { ids: readonly string[]; drafts: readonly string[] },
): Promise<string[]> {
  return removeFiles(from, userId, ids, isUnused(from.db, drafts));
}

/** Any file of the user, an avatar included. @throws Refusal `not_found` */
export async function assertFile({ query }: Db, userId: string, id: string): Promise<FileRow> {
  const [row] = await query
    .select()
    .from(files)
    .where(and(eq(files.userId, userId), eq(files.id, id)));
  return row ?? refuse({ type: 'not_found', what: 'file' });
}

function mine(userId: string) {
  return and(eq(files.userId, userId), ne(files.context, 'avatar'));
}
