// Tests of this room: tests/unit/search, tests/integration/search, tests/e2e/search.

// The search entries of many new messages of one user at once, which costs a fraction of what the triggers need.
import type { Tx } from '@parley/db/client';
import { sql } from 'drizzle-orm';

/**
 * Runs `insert`, whose messages the triggers of the search index leave out: it makes their entries itself. The transaction
 * must hold the lock on the user's row.
 */
export async function withoutTriggers(tx: Tx, insert: () => Promise<void>): Promise<void> {
  await tx.execute(sql`set local parley.copies_search_entries = 'on'`);
  await insert();
  await tx.execute(sql`set local parley.copies_search_entries = 'off'`);
}

/** Has the database write the entries of messages that have none. */
export async function writeEntries(tx: Tx, userId: string, ids: readonly string[]): Promise<void> {
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

/**
 * Adds words to the user's dictionary, each with the array of its trigrams. Most are there. A process that adds words holds the
 * lock on the user's row, so that none can come in between; `on conflict` would look up and log each word once more.
 */
export async function writeWords(
  tx: Tx,
  userId: string,
  words: readonly string[],
  gramsOf: (word: string) => string | null,
): Promise<void> {
  const owner = sql`${userId}::uuid`;
  const [row] = await tx.execute<{ places: number[] | null }>(sql`
    select array_agg(place::integer) as places
    from json_array_elements_text(${JSON.stringify(words)}::json) with ordinality as given (word, place)
    where (
      select true from search_words as known where known.user_id = ${owner} and known.word = given.word collate "C"
    ) is null`);
  const missing = (row?.places ?? []).map((position) => words[position - 1] ?? '');
  if (missing.length === 0) return;
  const rows = JSON.stringify(missing.map((word) => ({ word, grams: gramsOf(word) })));
  await tx.execute(sql`
    insert into search_words (user_id, word, grams)
    select ${owner}, word, grams from json_to_recordset(${rows}::json) as given (word text, grams integer[])`);
}
