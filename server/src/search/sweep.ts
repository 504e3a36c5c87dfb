import type { Db, Tx } from '@parley/db/client';
import { sql } from 'drizzle-orm';

/** So many leftovers at a time, because their user's other writes wait meanwhile. */
const BATCH = 200;
/** What the newest entries hold needs no look at the index. */
const NEWEST = 300;

/** Forgets the words that stood only in what is gone now: a deleted secret is not kept as a word. */
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
  // The lock that every write of this user's conversations takes first: no entry with these words comes in between.
  await tx.execute(sql`select from users where id = ${owner} for no key update`);
  await tx.execute(sql`
    with swept as (
      delete from search_leftovers where user_id = ${owner} and id in (
        select id from search_leftovers where user_id = ${owner} order by id limit ${BATCH}
      ) returning words
    ), used as (
      select distinct unnest(words) as number from (
        select words from search_entries where user_id = ${owner} and not is_title
        order by written_at desc, seq desc limit ${NEWEST}
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
