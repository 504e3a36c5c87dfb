// Rows of `documents`: how far the index has read each file, and the passages of a file.
import type { Query, Tx } from '@parley/db/client';
import { chunks, documents } from '@parley/db/tables/documents';
import { files } from '@parley/db/tables/files';
import type { DocumentStatus, Passage, PassageInFile } from '@parley/schema/files/documents';
import { isImageType } from '@parley/schema/files/file-types';
import { and, asc, between, eq, sql } from 'drizzle-orm';
import { isAmong } from '../convos/rows.ts';
import { refuse } from '../platform/errors.ts';

export type DocumentRow = typeof documents.$inferSelect;

/** Whether the text of such a file is indexed. Whether it can be read is found out by reading it. */
export function isDocument({ mime, context }: Pick<typeof files.$inferSelect, 'mime' | 'context'>): boolean {
  return !isImageType(mime) && (context === 'message_attachment' || context === 'assistants');
}

/** Puts a file into the queue of the index, unless it is there. In the transaction that creates the file. */
export async function queueDocument(query: Query | Tx, userId: string, fileId: string): Promise<void> {
  await query.insert(documents).values({ userId, fileId, state: 'queued' }).onConflictDoNothing();
}

/** Queues those of the user's files that are not indexed yet, such as files of before there was an index. */
export async function queueMissing(query: Query, userId: string, fileIds: readonly string[]): Promise<void> {
  await query.execute(sql`
    insert into documents (user_id, file_id, state)
    select user_id, id, 'queued' from files
    where user_id = ${userId} and id = any(${sql.param(fileIds)}::uuid[])
      and not exists (select from documents d where d.user_id = files.user_id and d.file_id = files.id)
    on conflict do nothing`);
}

export function documentStatus({
  state,
  pages,
  reason,
  encoding,
}: Pick<DocumentRow, 'state' | 'pages' | 'reason' | 'encoding'>): DocumentStatus {
  return { state, pages, reason, ...(encoding !== null && { encoding }) };
}

export async function readStatus(query: Query, userId: string, fileId: string): Promise<DocumentStatus | null> {
  const [row] = await readDocuments(query, userId, [fileId]);
  return row ? documentStatus(row) : null;
}

/** The user's own documents among these files. */
export async function readDocuments(query: Query, userId: string, fileIds: readonly string[]): Promise<DocumentRow[]> {
  if (fileIds.length === 0) return [];
  return query
    .select()
    .from(documents)
    .where(and(eq(documents.userId, userId), isAmong(documents.fileId, [...fileIds])));
}

/**
 * Puts a document into the queue again whose text could not be read. One that took too long stays behind others.
 * @throws Refusal `not_found` for another user's file as well, and for one that has not failed
 */
export async function queueAgain(query: Query, userId: string, fileId: string): Promise<DocumentStatus> {
  const [row] = await query
    .update(documents)
    .set({
      state: 'queued',
      reason: sql`case when ${documents.reason} = 'timed_out' then ${documents.reason} end`,
      attempts: 0,
      leaseUntil: null,
    })
    .where(and(eq(documents.userId, userId), eq(documents.fileId, fileId), eq(documents.state, 'failed')))
    .returning();
  return row ? documentStatus(row) : refuse({ type: 'not_found', what: 'file' });
}

/** All chunks of a file, in order. */
export async function readChunks(query: Query, userId: string, fileId: string): Promise<Passage[]> {
  return query
    .select(passageColumns)
    .from(chunks)
    .where(and(eq(chunks.userId, userId), eq(chunks.fileId, fileId)))
    .orderBy(asc(chunks.n));
}

export const passageColumns = { n: chunks.n, page: chunks.page, heading: chunks.heading, text: chunks.body };

/** A passage of a user's file with its neighbours. @throws Refusal `not_found` for another user's file as well */
export async function readPassage(
  query: Query,
  userId: string,
  { fileId, n }: { fileId: string; n: number },
): Promise<PassageInFile> {
  const [file] = await query
    .select({ name: files.name, mime: files.mime, bytes: files.bytes, pages: documents.pages })
    .from(files)
    .innerJoin(documents, and(eq(documents.userId, files.userId), eq(documents.fileId, files.id)))
    .where(and(eq(files.userId, userId), eq(files.id, fileId)));
  const near = await query
    .select(passageColumns)
    .from(chunks)
    .where(and(eq(chunks.userId, userId), eq(chunks.fileId, fileId), between(chunks.n, n - 1, n + 1)));
  const at = (position: number) => near.find((passage) => passage.n === position) ?? null;
  const passage = at(n);
  if (!file || !passage) return refuse({ type: 'not_found', what: 'file' });
  return { fileId, ...file, passage, before: at(n - 1), after: at(n + 1) };
}
