// Folders: a user's named groups of conversations.
import type { Db, Query, Tx } from '@parley/db/client';
import { convos } from '@parley/db/tables/convos';
import { fileSets } from '@parley/db/tables/files';
import { folders } from '@parley/db/tables/folders';
import { access } from '@parley/db/tables/sharing/access';
import { users } from '@parley/db/tables/users';
import type { AccessLevel } from '@parley/schema/convos/access-rules';
import { FOLDER_COLORS } from '@parley/schema/convos/folder-rules';
import {
  FOLDERS_MAX,
  type CreateFolder,
  type Folder,
  type MoveToFolder,
  type UpdateFolder,
} from '@parley/schema/convos/folders';
import { readSkillKey } from '@parley/schema/skills/skill-rules';
import { and, asc, count, eq, isNotNull, isNull, sql, type SQL } from 'drizzle-orm';
import { nextHint, nextHints } from '../convos/changes.ts';
import { changeMany, isAmong, permanentOwnedBy } from '../convos/rows.ts';
import { endUses } from '../files/attach-files.ts';
import { refuse } from '../platform/errors.ts';
import {
  listAudience,
  findPlace,
  isLentSource,
  accessLevel,
  mayEdit,
  source,
  USE_ONLY,
  type FolderPlace,
} from './source-folder.ts';

/** Only own presets and sets that still exist are returned, and of a link what its source is while there is access. */
const SHOWN = {
  id: folders.id,
  name: sql<string>`coalesce(${source.name}, ${folders.name})`,
  color: folders.color,
  ownInstructions: folders.instructions,
  sourceInstructions: source.instructions,
  tools: sql<string[]>`coalesce(${source.tools}, ${folders.tools})`,
  presetId: sql<string | null>`(
    select p.id from presets p where p.user_id = ${folders.userId} and p.id = ${folders.presetId})`,
  fileIds: sql<string[]>`array(
    select f.id from file_uses u join files f on f.user_id = u.user_id and f.id = u.file_id
    where u.user_id = coalesce(${source.userId}, ${folders.userId}) and u.kind = 'folder'
      and u.ref = coalesce(${source.id}, ${folders.id})::text
    order by f.created_at, f.id)`,
  setIds: sql<string[]>`array(
    select s.id from file_sets s
    where ${source.id} is null and s.user_id = ${folders.userId} and s.id = any(${folders.setIds})
    order by lower(s.name), s.id)`,
  isLink: sql<boolean>`${folders.sourceId} is not null`,
  owner: users.name,
  level: sql<AccessLevel | null>`case when ${source.id} is not null
    then ${accessLevel(folders.sourceOwnerId, folders.sourceId, folders.userId)} end`,
};

function selectFolders(query: Query, which: SQL | undefined) {
  return query
    .select(SHOWN)
    .from(folders)
    .leftJoin(source, isLentSource())
    .leftJoin(users, eq(users.id, source.userId))
    .where(which)
    .orderBy(asc(folders.position), asc(sql`lower(coalesce(${source.name}, ${folders.name}))`), asc(folders.id));
}
type FolderRow = Awaited<ReturnType<typeof selectFolders>>[number];

/** All folders, by name. */
export async function listFolders({ query }: Db, userId: string): Promise<Folder[]> {
  return (await selectFolders(query, eq(folders.userId, userId))).map(presentFolder);
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

/**
 * Of a link, the name, the instructions and the tools are changed for everybody; its sets are its owner's to choose.
 * @throws Refusal `not_found`, also for a set; `invalid_input` where the person may only use them
 */
export async function updateFolder({ query }: Db, userId: string, input: UpdateFolder): Promise<Folder> {
  const { id, name, color, instructions, presetId, tools, setIds } = input;
  const ofAll = {
    ...(name !== undefined && { name }),
    ...(instructions !== undefined && { instructions }),
    ...(tools !== undefined && { tools }),
    ...(setIds !== undefined && { setIds: [...new Set(setIds)] }),
  };
  const own = { ...(color !== undefined && { color }), ...(presetId !== undefined && { presetId }) };
  const updatedAt = sql`now()`;
  return query.transaction(async (tx) => {
    const place = (await findPlace(tx, userId, id)) ?? refuse({ type: 'not_found', what: 'folder' });
    if (place.level !== null && tools) assertNoSkillLent(tools, await assertFolder(tx, userId, id));
    const isOfAll = Object.keys(ofAll).length > 0;
    await nextHints(tx, isOfAll ? await listAudience(tx, place) : [userId], 'folders');
    if (setIds) await assertOwnSets(tx, userId, { place, setIds });
    await tx
      .update(folders)
      .set({ updatedAt, ...own })
      .where(named(userId, id));
    if (isOfAll) {
      const editedBy = place.level === null ? null : userId;
      const changed = await tx
        .update(folders)
        .set({ updatedAt, ...ofAll, ...(instructions !== undefined && { editedBy }) })
        .where(and(named(place.ownerId, place.folderId), mayEdit(place, userId)))
        .returning({ id: folders.id });
      if (changed.length === 0) refuse(place.level === null ? { type: 'not_found', what: 'folder' } : USE_ONLY);
    }
    return assertFolder(tx, userId, id);
  });
}

/**
 * After the lock on the user's row, which keeps a set from going meanwhile.
 * @throws Refusal `not_found` for a set that is not this person's; `invalid_input` for a folder of somebody else
 */
async function assertOwnSets(
  tx: Tx,
  userId: string,
  { place, setIds }: { place: FolderPlace; setIds: readonly string[] },
): Promise<void> {
  if (place.level !== null) refuse({ type: 'invalid_input', text: 'Only its owner adds sets to this project.' });
  const found = await tx.$count(fileSets, and(eq(fileSets.userId, userId), isAmong(fileSets.id, setIds)));
  if (found < new Set(setIds).size) refuse({ type: 'not_found', what: 'file' });
}

/**
 * The skills of a shared folder are its owner's: only they lend one more.
 * @throws Refusal `invalid_input`
 */
function assertNoSkillLent(wanted: readonly string[], { tools }: Pick<Folder, 'tools'>): void {
  const isNew = (key: string) => readSkillKey(key)?.ownerId === null && !tools.includes(key);
  if (wanted.some(isNew))
    refuse({ type: 'invalid_input', text: 'Only the owner of a shared project adds skills to it.' });
}

/** Gives an own folder that has none these sets, of an archive. */
export async function addSets({ query }: Db, userId: string, id: string, setIds: readonly string[]): Promise<void> {
  if (setIds.length === 0) return;
  await query.transaction(async (tx) => {
    await nextHint(tx, userId, 'folders');
    await tx
      .update(folders)
      .set({ setIds: [...setIds] })
      .where(and(named(userId, id), isNull(folders.sourceId), eq(folders.setIds, [])));
  });
}

/**
 * Its conversations stay, in no folder; those in the trash as well. Nothing happens when it is gone. A shared one is
 * everybody's no more; a link goes alone. Returns what access to it was given.
 */
export async function removeFolder({ query }: Db, userId: string, id: string) {
  return query.transaction(async (tx) => {
    await nextHints(tx, await listAudience(tx, { ownerId: userId, folderId: id, level: null }), 'folders');
    await tx.delete(folders).where(named(userId, id));
    const ended = await tx
      .delete(access)
      .where(and(eq(access.userId, userId), eq(access.kind, 'folder'), eq(access.ref, id)))
      .returning({ to: access.to, groupId: access.groupId, personId: access.personId });
    await endUses(tx, userId, { kind: 'folder', ref: id });
    await changeMany(tx, userId, eq(convos.folderId, id), { folderId: null });
    return ended;
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
  const [row] = await selectFolders(tx, named(userId, id));
  return row ? presentFolder(row) : refuse({ type: 'not_found', what: 'folder' });
}

function named(userId: string, id: string) {
  return and(eq(folders.userId, userId), eq(folders.id, id));
}

function presentFolder(row: FolderRow): Folder {
  const { color, ownInstructions, sourceInstructions, isLink, owner, level, ...rest } = row;
  return {
    ...rest,
    color: FOLDER_COLORS.find((known) => known === color) ?? null,
    // A person who only uses it is answered by them.
    instructions: level === null ? ownInstructions : level === 'edit' ? (sourceInstructions ?? '') : '',
    ...(isLink && { sharedBy: level === null ? null : { name: owner ?? '', level } }),
  };
}
