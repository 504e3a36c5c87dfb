// Links to folders of other people. A link is a row of a person's own folders that names another's: its name,
// instructions, files, sets and tools are read from there as long as the owner gives access, by the statement that reads the
// link. Conversations are never shared by it.
import type { Db, Query } from '@parley/db/client';
import { serverSettings } from '@parley/db/tables/administration';
import { folders } from '@parley/db/tables/folders';
import { access } from '@parley/db/tables/sharing/access';
import { isActive } from '@parley/db/user-rows';
import type { AccessLevel } from '@parley/schema/convos/access-rules';
import { and, eq, isNotNull, isNull, sql, type SQL, type SQLWrapper } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';

/** A person who only uses a folder changes nothing of it. */
export const USE_ONLY = { type: 'invalid_input', text: 'You can use this project, but not change it.' } as const;

/** In a query of folders: the one that a link leads to. */
export const source = alias(folders, 'source');

/** Of the table of settings: its row is there while no project is shared with everybody. */
const NOT_PUBLIC = 'projects.notPublic';

/** False while the operator has no project shared with everybody: what was shared so acts as not shared. */
export const isPublicAllowed: SQL = sql`not exists (select from server_settings where name = ${NOT_PUBLIC})`;

/**
 * Stores the operator's switch, so that the statements which read access read it, too. Servers of one database have one
 * switch: that of the one that started last.
 */
export async function storePublicSwitch({ query }: Pick<Db, 'query'>, isAllowed: boolean): Promise<void> {
  if (isAllowed) await query.delete(serverSettings).where(eq(serverSettings.name, NOT_PUBLIC));
  else await query.insert(serverSettings).values({ name: NOT_PUBLIC, value: true }).onConflictDoNothing();
}

/**
 * What a person may do with a folder of another, the most that they, one of their groups or everybody was given; null for
 * nothing, and while its owner is banned or leaving.
 */
export function accessLevel(ownerId: SQLWrapper, folderId: SQLWrapper, personId: SQLWrapper): SQL<AccessLevel | null> {
  // "edit" stands before "use".
  return sql<AccessLevel | null>`(
    select min(given.level) from ${access} given join users on users.id = given.user_id
    where given.user_id = ${ownerId} and given.kind = 'folder' and given.ref = ${folderId}::text and ${isActive}
      and ((given.given_to = 'everyone' and ${isPublicAllowed}) or given.person_id = ${personId}
        or given.group_id in (select member.group_id from group_members member where member.user_id = ${personId})))`;
}

/** Joins the source of a link to it, while there is access. A link leads to no link. */
export function isLentSource(): SQL | undefined {
  const level = accessLevel(folders.sourceOwnerId, folders.sourceId, folders.userId);
  const isNamed = and(eq(source.userId, folders.sourceOwnerId), eq(source.id, folders.sourceId));
  return and(isNamed, isNull(source.sourceId), isNotNull(level));
}

/** Whether the folder is a link that has access at this moment. */
export async function isStillLent(query: Query, userId: string, folderId: string): Promise<boolean> {
  const [row] = await query
    .select({ id: source.id })
    .from(folders)
    .innerJoin(source, isLentSource())
    .where(and(eq(folders.userId, userId), eq(folders.id, folderId)));
  return row !== undefined;
}

/** Of rows of a file: whether a folder that another person shares with this one has the file at this moment. */
export function isLentByFolder(userId: string, row: { userId: SQLWrapper; fileId: SQLWrapper }): SQL {
  const level = accessLevel(sql`link.source_owner_id`, sql`link.source_id`, sql`link.user_id`);
  return sql`exists (
    select from folders link
    join folders shown on shown.user_id = link.source_owner_id and shown.id = link.source_id
    join file_uses used on used.user_id = shown.user_id and (
      (used.kind = 'folder' and used.ref = shown.id::text)
      or (used.kind = 'set' and used.ref = any(shown.set_ids::text[])))
    where link.user_id = ${userId}::uuid and used.user_id = ${row.userId} and used.file_id = ${row.fileId}
      and ${level} is not null)`;
}

/** Of a conversation by its id: whether its folder is another person's, and shared with its own person. */
export function isInSharedFolder(userId: string, convoId: string): SQL {
  const level = accessLevel(sql`link.source_owner_id`, sql`link.source_id`, sql`link.user_id`);
  return sql`exists (
    select from convos talk join folders link on link.user_id = talk.user_id and link.id = talk.folder_id
    where talk.user_id = ${userId}::uuid and talk.id = ${convoId}::uuid and link.source_id is not null
      and ${level} is not null)`;
}

/**
 * Of a conversation by its id: whether its folder is this owner's, shared with its own person, and has a tool of this key.
 * One that is not written yet begins in `folderId`.
 */
export function hasToolOfSharedFolder(
  userId: string,
  convoId: string,
  { ownerId, key, folderId = null }: { ownerId: SQLWrapper; key: SQLWrapper; folderId?: string | null | undefined },
): SQL {
  const level = accessLevel(sql`link.source_owner_id`, sql`link.source_id`, sql`link.user_id`);
  return sql`exists (
    select from folders link
    join folders shown on shown.user_id = link.source_owner_id and shown.id = link.source_id
    where link.user_id = ${userId}::uuid and link.id = coalesce(
        (select talk.folder_id from convos talk where talk.user_id = ${userId}::uuid and talk.id = ${convoId}::uuid),
        ${folderId}::uuid) and shown.user_id = ${ownerId}
      and shown.source_id is null and ${key} = any(shown.tools) and ${level} is not null)`;
}

/** Where the name, instructions, files, sets and tools of a folder are. */
export interface FolderPlace {
  ownerId: string;
  folderId: string;
  /** Null where it is the person's own. */
  level: AccessLevel | null;
}

/** Undefined where there is no such folder of this person. */
export async function findPlace(query: Query, userId: string, id: string): Promise<FolderPlace | undefined> {
  const [row] = await query
    .select({
      ownerId: source.userId,
      folderId: source.id,
      level: sql<AccessLevel | null>`case when ${source.id} is not null
        then ${accessLevel(folders.sourceOwnerId, folders.sourceId, folders.userId)} end`,
    })
    .from(folders)
    .leftJoin(source, isLentSource())
    .where(and(eq(folders.userId, userId), eq(folders.id, id)));
  if (!row) return undefined;
  const { ownerId, folderId, level } = row;
  return ownerId === null || folderId === null
    ? { ownerId: userId, folderId: id, level: null }
    : { ownerId, folderId, level };
}

/** The owner of a folder, and everybody who has linked it: whose pages show a change of it. */
export async function listAudience(query: Query, { ownerId, folderId }: FolderPlace): Promise<string[]> {
  const rows = await query
    .select({ userId: folders.userId })
    .from(folders)
    .where(and(eq(folders.sourceOwnerId, ownerId), eq(folders.sourceId, folderId)));
  return [ownerId, ...rows.map(({ userId }) => userId)];
}

/** In a change of a folder: whether the person may change it at this moment. */
export function mayEdit({ ownerId, folderId, level }: FolderPlace, userId: string): SQL | undefined {
  if (level === null) return undefined;
  return sql`${accessLevel(sql`${ownerId}::uuid`, sql`${folderId}`, sql`${userId}::uuid`)} = 'edit'`;
}
