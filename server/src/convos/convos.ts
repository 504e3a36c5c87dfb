import type { Db, Query } from '@parley/db/client';
import { convos } from '@parley/db/tables/convos';
import { cleanText } from '@parley/schema/clean-text';
import { MANY_MAX, type Convo } from '@parley/schema/convos/convos';
import { and, count, desc, eq, isNull, sql, type SQL } from 'drizzle-orm';
import { parseRow, type JsonRow } from './changes.ts';
import { convoCursor, parseCursor } from './cursor.ts';
import { presentConvo, type ConvoRow } from './present.ts';
import { assertConvo, isAmong, permanentOwnedBy } from './rows.ts';

/** Reads a conversation of this user; a deleted one, or another user's, counts as missing. */
export async function readConvo(db: Db, userId: string, id: string): Promise<Convo> {
  return presentConvo(await assertConvo(db.query, userId, id));
}

interface ListedConvos {
  cursor?: string | null | undefined;
  limit: number;
  archived: boolean;
  /** Null: those in no folder; absent: those in folders as well. */
  folderId?: string | null | undefined;
}

/** Lists a page of the sidebar, a folder or the archive: newest first, after the row `cursor` names. */
export async function listConvos(
  { query }: Db,
  userId: string,
  { cursor, limit, archived, folderId }: ListedConvos,
): Promise<{ convos: Convo[]; nextCursor: string | null }> {
  const after = cursor ? parseCursor(cursor) : null;
  const rows = await query
    .select()
    .from(convos)
    .where(
      and(
        permanentOwnedBy(userId),
        eq(convos.isArchived, archived),
        ofFolder(folderId),
        after ? sql`(${convos.updatedAt}, ${convos.id}) < (${after.time}::timestamptz, ${after.id}::uuid)` : undefined,
      ),
    )
    .orderBy(desc(convos.updatedAt), desc(convos.id))
    .limit(limit + 1);
  const page = rows.slice(0, limit);
  const last = rows.length > limit ? page.at(-1) : undefined;
  return { convos: page.map(presentConvo), nextCursor: last ? convoCursor(last.updatedAt, last.id) : null };
}

function ofFolder(id: string | null | undefined) {
  if (id === undefined) return undefined;
  return id === null ? isNull(convos.folderId) : eq(convos.folderId, id);
}

/**
 * The ids of the conversations in the sidebar, newest first, up to the limit of a bulk action, and whether these are
 * all.
 */
export async function listConvoIds(
  { query }: Db,
  userId: string,
): Promise<{ conversationIds: string[]; isAll: boolean }> {
  const rows = await query
    .select({ id: convos.id })
    .from(convos)
    .where(and(permanentOwnedBy(userId), eq(convos.isArchived, false)))
    .orderBy(desc(convos.updatedAt), desc(convos.id))
    .limit(MANY_MAX + 1);
  return { conversationIds: rows.slice(0, MANY_MAX).map(({ id }) => id), isAll: rows.length <= MANY_MAX };
}

interface NumberedPage {
  pageNumber: number;
  pageSize: number;
  isArchived: boolean;
  /** Null: in any folder, or in none. */
  folderIds: readonly string[] | null;
}

/** Lists a page by number for REST clients, with the number of all conversations; archived ones are separate. */
export async function listConvosByNumber(
  { query }: Db,
  userId: string,
  { pageNumber, pageSize, isArchived, folderIds }: NumberedPage,
): Promise<{ convos: Convo[]; total: number }> {
  const ofFolders = folderIds === null ? undefined : isAmong(convos.folderId, folderIds);
  const listed = and(permanentOwnedBy(userId), eq(convos.isArchived, isArchived), ofFolders);
  const [all, rows] = await Promise.all([
    query.select({ total: count() }).from(convos).where(listed),
    query
      .select()
      .from(convos)
      .where(listed)
      .orderBy(desc(convos.updatedAt), desc(convos.id))
      .limit(pageSize)
      .offset((pageNumber - 1) * pageSize),
  ]);
  return { convos: rows.map(presentConvo), total: all[0]?.total ?? 0 };
}

interface NewTitle {
  title: string;
  titledBy: 'user' | 'model' | null;
  /** What is written in the same statement, whether or not the conversation still takes the title. */
  beside?: SQL | undefined;
}

/**
 * Sets a title; its caller tells the change. A person's title counts as an update and moves the conversation to the top; a generated one does not. A
 * model's title never replaces a person's, and a fallback title (`titledBy` null) may be replaced by a better one.
 */
export async function renameConvo(
  query: Pick<Query, 'execute'>,
  userId: string,
  id: string,
  { title, titledBy, beside }: NewTitle,
): Promise<ConvoRow | null> {
  // One statement, since every first exchange ends with it. It locks the user's row first, as `nextChange` does: a
  // conversation changed while it waited for the lock is read again.
  const byUser = titledBy === 'user';
  const [renamed] = await query.execute<{ row: JsonRow }>(sql`
    with change as (
      update users set change_seq = change_seq + 1 where id = ${userId}
      returning change_seq
    )${beside ? sql`, beside as (${beside})` : sql``}
    update convos set title = ${cleanText(title)}, titled_by = ${titledBy},
      titled_at = case when ${byUser} then null else now() end,
      updated_at = case when ${byUser} then now() else updated_at end, change_seq = change.change_seq
    from change
    where convos.user_id = ${userId} and convos.id = ${id} and convos.deleted_at is null
      and convos.temporary_until is null and (${byUser} or convos.titled_by is null)
    returning to_json(convos) as row`);
  return renamed ? parseRow<ConvoRow>(convos, renamed.row) : null;
}
