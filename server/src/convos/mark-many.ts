// Marks and order of many conversations, each in one statement that takes a change number for every row it writes.
import type { Db } from '@parley/db/client';
import { MANY_MAX } from '@parley/schema/convos/convos';
import { changeTopic } from './changes.ts';

/** Returns what it has marked: `MANY_MAX` ids at most, which is what one undo takes. */
export async function markAllRead(db: Db, userId: string): Promise<{ count: number; conversationIds: string[] }> {
  const ids = await setUnread(db, userId, false, null);
  return { count: ids.length, conversationIds: ids.slice(0, MANY_MAX) };
}

/** Marks these as unread, as far as they are there. */
export async function markUnread(db: Db, userId: string, ids: readonly string[]): Promise<void> {
  await setUnread(db, userId, true, ids);
}

/** `ids` are null for all; returns those that it has changed. */
async function setUnread(
  { sql, tell }: Db,
  userId: string,
  isUnread: boolean,
  ids: readonly string[] | null,
): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    with numbered as (
      select id, row_number() over (order by change_seq, id) as n from convos
      where user_id = ${userId} and is_unread = ${!isUnread} and deleted_at is null and temporary_until is null
        and (${ids === null} or id = any(${ids ?? []}::uuid[]))
    ), change as (
      update users set change_seq = change_seq + counted.n
      from (select max(n) as n from numbered) as counted
      where users.id = ${userId} and counted.n is not null
      returning users.change_seq - counted.n as before
    )
    update convos set is_unread = ${isUnread}, change_seq = change.before + numbered.n
    from numbered, change
    where convos.user_id = ${userId} and convos.id = numbered.id and convos.is_unread = ${!isUnread}
      and convos.deleted_at is null
    returning convos.id`;
  if (rows.length > 0) tell(changeTopic(userId));
  return rows.map(({ id }) => id);
}

/** Gives pinned conversations their places in the order of `ids`. Those that are not among them stay above. */
export async function arrangePins({ sql, tell }: Db, userId: string, ids: readonly string[]): Promise<void> {
  const rows = await sql<{ id: string }[]>`
    with wanted as (
      select id, min(place) as place from unnest(${ids}::uuid[]) with ordinality as given (id, place) group by id
    ), change as (
      update users set change_seq = change_seq + ${ids.length} where id = ${userId}
      returning change_seq - ${ids.length} as before
    )
    update convos set pin_position = wanted.place, change_seq = change.before + wanted.place
    from wanted, change
    where convos.user_id = ${userId} and convos.id = wanted.id and convos.is_pinned and convos.deleted_at is null
      and convos.pin_position is distinct from wanted.place
    returning convos.id`;
  if (rows.length > 0) tell(changeTopic(userId));
}
