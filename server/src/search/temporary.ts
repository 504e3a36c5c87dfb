// The search index has no entries of temporary conversations. The triggers write them with each message, so they are
// removed again; searches leave these conversations out as well.
import type { Query } from '@parley/db/client';
import { sql } from 'drizzle-orm';

/** Removes the entries of a temporary conversation's messages; their words go with the next sweep. */
export async function removeEntries(query: Query, userId: string, convoId: string): Promise<void> {
  await query.execute(sql`
    with gone as (
      delete from search_entries e using messages m, convos c
      where c.user_id = ${userId} and c.id = ${convoId} and c.temporary_until is not null
        and m.user_id = c.user_id and m.convo_id = c.id
        and e.user_id = m.user_id and not e.is_title and e.id = m.id
      returning e.words
    )
    insert into search_leftovers (user_id, words) select ${userId}::uuid, words from gone`);
}

/** Writes the entries of a conversation's messages. */
export async function writeEntries(query: Query, userId: string, convoId: string): Promise<void> {
  await query.execute(sql`
    select search_put(user_id, false, id, convo_id, created_at, seq, search_text(parts)) from messages
    where user_id = ${userId} and convo_id = ${convoId} and parts <> '[]'`);
}
