import type { Tx } from '@parley/db/client';
import { sql } from 'drizzle-orm';

/**
 * Runs `insert`, whose messages the triggers of the search index leave out, and then writes the entries of those with
 * these ids as a set, which costs a fraction of one at a time. The transaction must hold the lock on the user's row.
 */
export async function insertWithBulkIndex(
  tx: Tx,
  userId: string,
  ids: readonly string[],
  insert: () => Promise<unknown>,
): Promise<void> {
  await tx.execute(sql`set local parley.copies_search_entries = 'on'`);
  await insert();
  await tx.execute(sql`set local parley.copies_search_entries = 'off'`);
  const owner = sql`${userId}::uuid`;
  await tx.execute(sql`
    with texts as materialized (
      select id, convo_id, created_at, seq, search_fold(search_text(parts)) as body
      from messages where user_id = ${owner} and id = any(${sql.param(ids)}::uuid[]) and parts <> '[]'
    ), found as materialized (
      select *, search_tokens(body) as tokens from texts
    ), entries as (
      insert into search_entries (user_id, is_title, id, convo_id, written_at, seq, words, body, said_length)
      select ${owner}, false, id, convo_id, search_time(created_at), seq,
        (select array_agg(search_hash(token, ${owner})) from unnest(tokens) as token), body,
        nullif(strpos(body, E'\\x1e'), 0)
      from found where tokens is not null
      on conflict do nothing
    )
    insert into search_words (user_id, word, grams)
    select ${owner}, token, (
      select array_agg(distinct search_hash(substr(token, spot, 3), ${owner}))
      from generate_series(1, length(token) - 2) as spot
    )
    from (select distinct token from found cross join unnest(tokens) as token) as used
    where (
      select true from search_words as known where known.user_id = ${owner} and known.word = token collate "C"
    ) is null
    on conflict do nothing`);
}
