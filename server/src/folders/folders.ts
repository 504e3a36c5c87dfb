// Folders: a user's named groups of conversations.
import type { Db, Tx } from '@parley/db/client';
import { convos } from '@parley/db/tables/convos';
import { folders } from '@parley/db/tables/folders';
import { FOLDER_COLORS } from '@parley/schema/convos/folder-rules';
import {
  FOLDERS_MAX,
  type CreateFolder,
  type Folder,
  type MoveToFolder,
  type UpdateFolder,
} from '@parley/schema/convos/folders';
import { and, asc, count, eq, isNotNull, sql, type SQL } from 'drizzle-orm';
import { nextHint } from '../convos/changes.ts';
import { changeMany, isAmong, permanentOwnedBy } from '../convos/rows.ts';
import { endUses } from '../files/attach-files.ts';
import { refuse } from '../platform/errors.ts';

/** Only an own preset that still exists is returned. */
const SHOWN = {
  id: folders.id,
  name: folders.name,
  color: folders.color,
  instructions: folders.instructions,
  // Written out: the builder leaves the table's name away, and both tables have these columns.
  presetId: sql<string | null>`(
    select p.id from presets p where p.user_id = folders.user_id and p.id = folders.preset_id)`,
  fileIds: sql<string[]>`array(
    select f.id from file_uses u join files f on f.user_id = u.user_id and f.id = u.file_id
    where u.user_id = folders.user_id and u.kind = 'folder' and u.ref = folders.id::text
    order by f.created_at, f.id)`,
};
type FolderRow = Pick<typeof folders.$inferSelect, Exclude<keyof typeof SHOWN, 'fileIds'>> & Pick<Folder, 'fileIds'>;

/** All folders, by name. */
export async function listFolders({ query }: Db, userId: string): Promise<Folder[]> {
  const rows = await query
    .select(SHOWN)
    .from(folders)
    .where(eq(folders.userId, userId))
    .orderBy(asc(folders.position), asc(sql`lower(${folders.name})`), asc(folders.id));
  return rows.map(presentFolder);
}

/** How many conversations are in each folder that has any, by its id. */
export async function countConvos({ query }: Db, userId: string): Promise<Record<string, number>> {
  const rows = await query
    .select({ id: convos.folderId, count: count() })
    .from(convos)
    .where(and(permanentOwnedBy(userId), isNotNull(convos.folderId)))
    .groupBy(convos.folderId);
  return Object.fromEntries(rows.flatMap(({ id, count: size }) => (id === null ? [] : [[id, size]])));
}

/** @throws Refusal `invalid_input` when there are too many */
export async function createFolder({ query }: Db, userId: string, input: CreateFolder): Promise<Folder> {
  return query.transaction(async (tx) => {
    await nextHint(tx, userId, 'folders');
    await tx
      .insert(folders)
      .values({ userId, ...input })
      .onConflictDoNothing();
    const [counted] = await tx.select({ all: count() }).from(folders).where(eq(folders.userId, userId));
    if (counted && counted.all > FOLDERS_MAX)
      refuse({ type: 'invalid_input', text: `At most ${FOLDERS_MAX} folders can be kept` });
    return assertFolder(tx, userId, input.id);
  });
}

/** @throws Refusal `not_found` */
export async function updateFolder({ query }: Db, userId: string, input: UpdateFolder): Promise<Folder> {
  const { id, name, color, instructions, presetId } = input;
  return query.transaction(async (tx) => {
    await nextHint(tx, userId, 'folders');
    await tx
      .update(folders)
      .set({
        updatedAt: sql`now()`,
        ...(name !== undefined && { name }),
        ...(color !== undefined && { color }),
        ...(instructions !== undefined && { instructions }),
        ...(presetId !== undefined && { presetId }),
      })
      .where(named(userId, id));
    return assertFolder(tx, userId, id);
  });
}

/** Its conversations stay, in no folder; those in the trash as well. Nothing happens when it is gone. */
export async function removeFolder({ query }: Db, userId: string, id: string): Promise<void> {
  await query.transaction(async (tx) => {
    await nextHint(tx, userId, 'folders');
    await tx.delete(folders).where(named(userId, id));
    await endUses(tx, userId, { kind: 'folder', ref: id });
    await changeMany(tx, userId, eq(convos.folderId, id), { folderId: null });
  });
}

/**
 * Moves conversations into a folder, or out of theirs, and returns how many it moved.
 * @throws Refusal `not_found` for a folder that is not the user's
 */
export async function moveToFolder({ query }: Db, userId: string, input: MoveToFolder): Promise<{ count: number }> {
  const { conversationIds, folderId } = input;
  const isElsewhere = sql`${convos.folderId} is distinct from ${folderId}::uuid`;
  return query.transaction(async (tx) => {
    const fits = and(permanentOwnedBy(userId), isAmong(convos.id, conversationIds), isElsewhere);
    const rows = await changeMany(tx, userId, fits, { folderId });
    // After the change, which locks the user's row: a folder cannot go meanwhile.
    if (folderId !== null) await assertFolder(tx, userId, folderId);
    return { count: rows.length };
  });
}

/** The folder that a new conversation begins in: null where it is gone or another user's. */
export function ownFolder(userId: string, folderId: string | null | undefined): SQL {
  if (!folderId) return sql`null::uuid`;
  return sql`(select id from folders where user_id = ${userId}::uuid and id = ${folderId}::uuid)`;
}

/** @throws Refusal `not_found` */
export async function assertFolder(tx: Tx, userId: string, id: string): Promise<Folder> {
  const [row] = await tx.select(SHOWN).from(folders).where(named(userId, id));
  return row ? presentFolder(row) : refuse({ type: 'not_found', what: 'folder' });
}

function named(userId: string, id: string) {
  return and(eq(folders.userId, userId), eq(folders.id, id));
}

function presentFolder({ color, ...row }: FolderRow): Folder {
  return { ...row, color: FOLDER_COLORS.find((known) => known === color) ?? null };
}
