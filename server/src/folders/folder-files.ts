// Tests of this room: tests/integration/folders.

// The files of folders: rows of `file_uses`, so that a deleted file leaves every folder that had it.
import type { Db, Query } from '@parley/db/client';
import { files, fileUses } from '@parley/db/tables/files';
import { folders } from '@parley/db/tables/folders';
import type { Folder, SetFolderFiles } from '@parley/schema/convos/folders';
import type { FilePart } from '@parley/schema/messages/messages';
import { and, eq, sql } from 'drizzle-orm';
import { nextHint } from '../convos/changes.ts';
import { addUses, endUses, isFileOfUse } from '../files/attach-files.ts';
import { presentAttachment } from '../files/present.ts';
import { assertFolder } from './folders.ts';

/**
 * Makes these the files of the folder. Those that it loses are deleted after an hour unless something else uses them.
 * @throws Refusal `not_found` when the folder or a file is missing, another user's or an avatar
 */
export async function setFolderFiles(
  { query }: Pick<Db, 'query'>,
  userId: string,
  { folderId, fileIds }: SetFolderFiles,
): Promise<Folder> {
  return query.transaction(async (tx) => {
    await nextHint(tx, userId, 'folders');
    await assertFolder(tx, userId, folderId);
    await addUses(tx, userId, { kind: 'folder', ref: folderId }, fileIds);
    await endUses(tx, userId, { kind: 'folder', ref: folderId, except: fileIds });
    return assertFolder(tx, userId, folderId);
  });
}

/** What a folder adds to each chat in it. */
export interface FolderContext {
  instructions: string;
  /** As if attached to each question. Pictures are not among them. */
  files: FilePart[];
}

/** Nothing where the folder is gone or another user's. */
export async function readFolderContext(query: Query, userId: string, folderId: string): Promise<FolderContext> {
  const use = and(
    eq(fileUses.userId, folders.userId),
    eq(fileUses.kind, 'folder'),
    eq(fileUses.ref, sql`${folders.id}::text`),
  );
  const rows = await query
    .select({ instructions: folders.instructions, file: files })
    .from(folders)
    .leftJoin(fileUses, use)
    .leftJoin(files, isFileOfUse())
    .where(and(eq(folders.userId, userId), eq(folders.id, folderId)))
    .orderBy(files.createdAt, files.id);
  const attached = rows.flatMap(({ file }) => (file ? [presentAttachment(file)] : []));
  return {
    instructions: rows[0]?.instructions ?? '',
    files: attached.filter((file): file is FilePart => file.type === 'file'),
  };
}
