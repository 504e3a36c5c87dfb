// Deletes unused words of the search index.
import type { Db, Tx } from '@parley/db/client';
import { lockUser } from '@parley/db/user-rows';
import { sql } from 'drizzle-orm';
import { lockWordsForSweep } from './word-locks.ts';

/** Words per batch: the user's other writes wait for it. */
const BATCH_WORDS = 200;
/** Words in the newest entries need no index lookup. */
const NEWEST_ENTRIES = 300;

/** Deletes words that occur only in deleted entries, so that a deleted secret does not survive as a word. */
export async function sweepWords(db: Db): Promise<void> {
  for (;;) {
    const [leftover] = await db.sql<{ user_id: string }[]>`
      select user_id from search_leftovers order by id limit 1`;
    if (!leftover) return;
    await db.query.transaction((tx) => sweepSome(tx, leftover.user_id));
  }
}

async function sweepSome(tx: Tx, userId: string): Promise<void> {
  const owner = sql`${userId}::uuid`;
  // Every write to this user's conversations takes one of these locks first, so no entry with these words appears in
  // between.
  await lockWordsForSweep(tx, userId);
  await lockUser(tx, userId);
  await tx.execute(sql`
    with swept as (
      delete from search_leftovers where user_id = ${owner} and id in (
        select id from search_leftovers where user_id = ${owner} order by id limit ${BATCH_WORDS}
      ) returning words
    ), used as (
      select distinct unnest(words) as number from (
        select words from search_entries where user_id = ${owner} and not is_title
        order by written_at desc, seq desc limit ${NEWEST_ENTRIES}
      ) as newest
    ), doubted as (
      select distinct unnest(words) as number from swept except select number from used
    ), gone as (
      select array_agg(number) as numbers from doubted
      where (select count(*) from search_entries
          where not is_title and words operator(pg_catalog.@>) array[number]) = 0
        and (select count(*) from search_entries
          where is_title and words operator(pg_catalog.@>) array[number]) = 0
    )
    delete from search_words
    where user_id = ${owner} and search_hash(word, ${owner}) = any((select numbers from gone)::integer[])`);
}
