// The files of folders: rows of `file_uses`, so that a deleted file leaves every folder that had it.
import type { Db, Query, Tx } from '@parley/db/client';
import { documents } from '@parley/db/tables/documents';
import { files, fileUses } from '@parley/db/tables/files';
import { folders } from '@parley/db/tables/folders';
import type { Folder, FolderFile, SetFolderFiles } from '@parley/schema/convos/folders';
import type { FilePart } from '@parley/schema/messages/messages';
import { and, eq, or, sql } from 'drizzle-orm';
import { nextHints } from '../convos/changes.ts';
import { addUses, endUses, isFileOfUse } from '../files/attach-files.ts';
import { presentAttachment } from '../files/present.ts';
import { refuse } from '../platform/errors.ts';
import { isoTime } from '../platform/iso-time.ts';
import { documentStatus } from '../retrieval/documents.ts';
import { assertFolder } from './folders.ts';
import { listAudience, findPlace, isLentSource, isStillLent, source, USE_ONLY } from './source-folder.ts';

/**
 * Makes these the files of the folder. Those that it loses are deleted after an hour unless something else uses them.
 * Others who may change it take files out, which its owner then keeps among their own, and add none.
 * @throws Refusal `not_found` when the folder or a file is missing, another user's or an avatar; `invalid_input` where
 * the person may only use it, or adds a file to a folder of somebody else
 */
export async function setFolderFiles(
  { query }: Pick<Db, 'query'>,
  userId: string,
  { folderId, fileIds }: SetFolderFiles,
): Promise<Folder> {
  return query.transaction(async (tx) => {
    const place = (await findPlace(tx, userId, folderId)) ?? refuse({ type: 'not_found', what: 'folder' });
    await nextHints(tx, await listAudience(tx, place), 'folders');
    const use = { kind: 'folder' as const, ref: place.folderId };
    if (place.level === null) {
      await assertFolder(tx, userId, folderId);
      await addUses(tx, userId, use, fileIds);
    } else await keepTakenOut(tx, userId, folderId, fileIds);
    await endUses(tx, place.ownerId, { ...use, except: fileIds });
    return assertFolder(tx, userId, folderId);
  });
}

/** Reads the rule again: the row of the owner is locked by now. */
async function keepTakenOut(tx: Tx, userId: string, folderId: string, fileIds: readonly string[]): Promise<void> {
  const place = await findPlace(tx, userId, folderId);
  if (place?.level !== 'edit') return refuse(USE_ONLY);
  const before = (await assertFolder(tx, userId, folderId)).fileIds;
  if (fileIds.some((id) => !before.includes(id)))
    refuse({ type: 'invalid_input', text: 'Only its owner adds files to this project.' });
  const { ownerId } = place;
  const taken = before.filter((id) => !fileIds.includes(id));
  await addUses(tx, ownerId, { kind: 'owner', ref: ownerId }, taken);
}

/**
 * The files of a folder and of its sets, for a person who is answered by them, with what is known of their text; the oldest
 * first.
 */
export async function listFolderFiles({ query }: Pick<Db, 'query'>, userId: string, id: string): Promise<FolderFile[]> {
  const rows = await query
    .selectDistinctOn([files.createdAt, files.id], { file: files, document: documents })
    .from(folders)
    .leftJoin(source, isLentSource())
    .innerJoin(fileUses, isUseOfFolder())
    .innerJoin(files, isFileOfUse())
    .leftJoin(documents, and(eq(documents.userId, files.userId), eq(documents.fileId, files.id)))
    .where(and(eq(folders.userId, userId), eq(folders.id, id)))
    .orderBy(files.createdAt, files.id);
  return rows.map(({ file: { id: fileId, name, mime, bytes, createdAt }, document }) => {
    const status = document && documentStatus(document);
    return { fileId, name, mime, bytes, document: status, createdAt: isoTime(createdAt) };
  });
}

/** What a folder adds to each chat in it. */
export interface FolderContext {
  instructions: string;
  /** As if attached to each question. Pictures are not among them. */
  files: FilePart[];
  /** Set where the folder is another person's: who lends it, and whether they still do. */
  lender: { ownerId: string; isLending(): Promise<boolean> } | null;
  /** The name of the folder where somebody else has written its instructions: its owner, or who may edit it. */
  foreignName: string | null;
}

/** Nothing where the folder is gone or another user's. One statement, also of a folder that somebody else shares. */
export async function readFolderContext(query: Query, userId: string, folderId: string): Promise<FolderContext> {
  const rows = await query
    .selectDistinctOn([files.createdAt, files.id], {
      own: folders.instructions,
      ownName: folders.name,
      editedBy: folders.editedBy,
      shared: source.instructions,
      ownerId: source.userId,
      name: source.name,
      file: files,
    })
    .from(folders)
    .leftJoin(source, isLentSource())
    .leftJoin(fileUses, isUseOfFolder())
    .leftJoin(files, isFileOfUse())
    .where(and(eq(folders.userId, userId), eq(folders.id, folderId)))
    .orderBy(files.createdAt, files.id);
  const attached = rows.flatMap(({ file }) => (file ? [presentAttachment(file)] : []));
  const [first] = rows;
  const isLending = () => isStillLent(query, userId, folderId);
  return {
    instructions: first?.shared ?? first?.own ?? '',
    files: attached.filter((file): file is FilePart => file.type === 'file'),
    lender: first?.ownerId ? { ownerId: first.ownerId, isLending } : null,
    foreignName: first?.name ?? (first?.editedBy ? first.ownName : null),
  };
}

/** Joins the uses of a folder's files and of its sets, or of those of its source. A file may be in several. */
function isUseOfFolder() {
  const isItself = sql`${fileUses.ref} = coalesce(${source.id}, ${folders.id})::text`;
  const isItsSet = sql`${fileUses.ref} = any(coalesce(${source.setIds}, ${folders.setIds})::text[])`;
  return and(
    sql`${fileUses.userId} = coalesce(${source.userId}, ${folders.userId})`,
    or(and(eq(fileUses.kind, 'folder'), isItself), and(eq(fileUses.kind, 'set'), isItsSet)),
  );
}
