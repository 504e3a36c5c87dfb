// The files of assistants: rows of `file_uses`, so that a deleted file leaves every assistant that had it.
import type { Query, Tx } from '@parley/db/client';
import { files, fileUses } from '@parley/db/tables/files';
import type { Attachment } from '@parley/schema/messages/messages';
import { and, eq, sql } from 'drizzle-orm';
import { addUses, endUses, isFileOfUse } from '../files/attach-files.ts';
import { presentAttachment } from '../files/present.ts';
import type { AssistantRow } from './present.ts';

/** The ids of the files of each of these assistants, the oldest first. */
export async function readFileIds(
  query: Query | Tx,
  userId: string,
  assistantIds: readonly string[],
): Promise<Map<string, string[]>> {
  if (assistantIds.length === 0) return new Map();
  const rows = await query
    .select({ assistantId: fileUses.ref, fileId: fileUses.fileId })
    .from(fileUses)
    .innerJoin(files, isFileOfUse())
    .where(and(ofAssistants(userId), sql`${fileUses.ref} = any(${sql.param([...assistantIds])}::text[])`))
    .orderBy(files.createdAt, files.id);
  const found = new Map<string, string[]>();
  for (const { assistantId, fileId } of rows) found.set(assistantId, [...(found.get(assistantId) ?? []), fileId]);
  return found;
}

/**
 * The files of an assistant, and those of its sources and of the sets of these, as they would be attached; each once, in one
 * statement.
 */
export async function readAssistantFiles(
  query: Query,
  { userId, id, sources }: Pick<AssistantRow, 'userId' | 'id' | 'sources'>,
): Promise<Attachment[]> {
  const uses = [{ kind: 'assistant', id }, ...sources].map((use) => sql`(${use.kind}::text, ${use.id}::text)`);
  const folderIds = sources.flatMap((source) => (source.kind === 'folder' ? [source.id] : []));
  const ofSets = sql`(
    select 'set', unnest(set_ids)::text from folders
    where user_id = ${userId} and id = any(${sql.param(folderIds)}::uuid[]))`;
  const isUsed = sql`(${fileUses.kind}, ${fileUses.ref}) in (${sql.join(uses, sql`, `)})
    or (${fileUses.kind}, ${fileUses.ref}) in ${ofSets}`;
  const rows = await query
    .selectDistinctOn([files.createdAt, files.id], { file: files })
    .from(fileUses)
    .innerJoin(files, isFileOfUse())
    .where(and(eq(fileUses.userId, userId), sql`(${isUsed})`))
    .orderBy(files.createdAt, files.id);
  return rows.map(({ file }) => presentAttachment(file));
}

/**
 * Makes these the files of the assistant. Those that it loses are deleted after an hour unless something else uses
 * them.
 * @throws Refusal `not_found` when one is missing, another user's or an avatar
 */
export async function setAssistantFiles(
  tx: Tx,
  userId: string,
  assistantId: string,
  fileIds: readonly string[],
): Promise<void> {
  await addUses(tx, userId, { kind: 'assistant', ref: assistantId }, fileIds);
  await endUses(tx, userId, { kind: 'assistant', ref: assistantId, except: fileIds });
}

function ofAssistants(userId: string) {
  return and(eq(fileUses.userId, userId), eq(fileUses.kind, 'assistant'));
}
