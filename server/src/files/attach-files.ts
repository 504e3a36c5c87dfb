// Tests of this room: tests/unit/files, tests/integration/files, tests/e2e/files.
import type { Db, Query, Tx } from '@parley/db/client';
import { files, fileUses } from '@parley/db/tables/files';
import type { Attachment } from '@parley/schema/messages/messages';
import { and, eq, exists, ne, notInArray, sql, type SQL } from 'drizzle-orm';
import { isAmong } from '../convos/rows.ts';
import { refuse } from '../platform/errors.ts';
import { presentAttachment, type FileRow } from './present.ts';
import { expireUnused } from './sweep.ts';

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/**
 * Notes in the transaction that a message uses the files, so that they are kept for as long as the message is. Returns
 * them as parts of the message, in the order of `fileIds`; an id that is given twice counts once.
 * @throws Refusal `not_found` when one of them is missing, another user's or an avatar
 */
export async function attachFiles(
  tx: Tx,
  userId: string,
  messageId: string,
  fileIds: readonly string[],
): Promise<Attachment[]> {
  const found = await addUses(tx, userId, { kind: 'message', ref: messageId }, fileIds);
  return found.map(presentAttachment);
}

/** The same for whatever else may use files. */
export async function addUses(
  tx: Tx,
  userId: string,
  use: { kind: 'message' | 'assistant' | 'folder' | 'set' | 'skill' | 'owner'; ref: string },
  fileIds: readonly string[],
): Promise<FileRow[]> {
  const ids = [...new Set(fileIds.map((id) => id.toLowerCase()))];
  if (ids.length === 0) return [];
  if (!ids.every((id) => UUID.test(id))) refuse({ type: 'not_found', what: 'file' });
  const own = and(eq(files.userId, userId), isAmong(files.id, ids), ne(files.context, 'avatar'));
  // Two messages may attach the same files at once: locking in one order cannot deadlock.
  const rows = await tx.select().from(files).where(own).orderBy(files.id).for('no key update');
  const byId = new Map(rows.map((row) => [row.id, row]));
  const found = ids.map((id) => byId.get(id) ?? refuse({ type: 'not_found', what: 'file' }));
  await tx
    .insert(fileUses)
    .values(ids.map((fileId) => ({ userId, fileId, ...use })))
    .onConflictDoNothing();
  await tx
    .update(files)
    .set({ expiresAt: null, updatedAt: sql`now()` })
    .where(own);
  return found;
}

/**
 * The file stays until its person deletes it, whether anything else uses it or not.
 * @throws Refusal `not_found` when it is missing, another user's or an avatar
 */
export async function keepFile({ query }: Db, userId: string, file: FileRow): Promise<FileRow> {
  await query.transaction((tx) => addUses(tx, userId, { kind: 'owner', ref: userId }, [file.id]));
  return { ...file, expiresAt: null };
}

/** The file of this name and these bytes that its person keeps already. */
export async function findKept(
  { query }: Db,
  userId: string,
  { name, hash }: { name: string; hash: string },
): Promise<FileRow | undefined> {
  const [row] = await query
    .select()
    .from(files)
    .where(and(eq(files.userId, userId), eq(files.hash, hash), eq(files.name, name), isKept(query)))
    .limit(1);
  return row;
}

/** In a query of files: whether the person of a file keeps it. */
export function isKept(query: Query): SQL<boolean> {
  const use = query
    .select({ fileId: fileUses.fileId })
    .from(fileUses)
    .where(and(eq(fileUses.userId, files.userId), eq(fileUses.fileId, files.id), eq(fileUses.kind, 'owner')));
  return sql<boolean>`${exists(use)}`;
}

interface EndedUses {
  kind: 'assistant' | 'avatar' | 'folder' | 'set' | 'skill';
  ref: string;
  /** The ids of files whose use goes on. */
  except?: readonly string[];
}

/** Ends the uses of files; they expire unless something else uses them. */
export async function endUses(tx: Tx, userId: string, { kind, ref, except = [] }: EndedUses): Promise<void> {
  const isEnded = except.length > 0 ? notInArray(fileUses.fileId, [...except]) : undefined;
  const ended = await tx
    .delete(fileUses)
    .where(and(eq(fileUses.userId, userId), eq(fileUses.kind, kind), eq(fileUses.ref, ref), isEnded))
    .returning({ userId: fileUses.userId, fileId: fileUses.fileId });
  if (ended.length > 0) await expireUnused(tx, ended);
}

/** In a query of uses: the file that is used. */
export function isFileOfUse() {
  return and(eq(files.userId, fileUses.userId), eq(files.id, fileUses.fileId));
}
