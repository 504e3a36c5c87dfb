// The search itself: one statement that finds, ranks, groups by conversation and cuts out a page.
import type { Db } from '@parley/db/client';
import { sql, type SQL } from 'drizzle-orm';
import { isJoined } from './fold.ts';
import type { Extent, KnownQuery, KnownTerm } from './lookup.ts';

/** What was found in one conversation. Its three numbers are its place among all. */
export interface Found {
  convoId: string;
  /** From `TITLE_RANK` on, the title was found; the rest says how good the best find is. */
  rank: number;
  /** Of the find that counts: greater is newer. */
  newest: number;
  /** The best messages first. */
  messageIds: string[];
  /** How many messages were found, those of `messageIds` included. */
  messageCount: number;
}

export interface FoundPage {
  found: Found[];
  /** How many conversations there are on all pages. */
  total: number;
}

export interface Cut {
  /** The place of the last conversation of the page before. */
  after?: { rank: number; newest: number; convoId: string } | null;
  /** How many to leave out. */
  offset?: number;
  limit: number;
  /** The best find first, or the most finds. */
  order: 'best' | 'most';
  /** How many messages to name of each conversation. */
  hits: number;
}

export const TITLE_RANK = 4;
/** All words as they were typed; the whole phrase as it was typed. */
const WHOLE_RANK = 1;
const PHRASE_RANK = 2;

/** So many finds are ranked, the newest: nobody reads further, and the work of a search stays bounded. */
const MESSAGES_MAX = 1000;
const TITLES_MAX = 500;
/**
 * What so many of the newest entries hold is found by walking back from the newest, up to a bound; what is rarer, by
 * the index. Each is slow where the other is fast: the index gives everything before the newest of it is known.
 */
const SAMPLE = 400;
const COMMON = 20;
const WALK_MAX = 50_000;

/** `upTo` leaves out what is newer than the first page. */
export async function findConvos(
  { query }: Db,
  userId: string,
  known: KnownQuery,
  upTo: Extent,
  cut: Cut,
): Promise<FoundPage> {
  const owner = sql`${userId}::uuid`;
  const rank = rankOf(known);
  const walked = sql.join(known.terms.map(readsAs), sql` and `);
  const indexed = sql.join(known.terms.map(leadsTo), sql` and `);
  const isUnspecific = known.terms.every(({ around }) => around.length === 0);
  const live = sql`
    join convos on convos.user_id = ${owner} and convos.id = e.convo_id and convos.deleted_at is null`;
  const liveMessage = sql`${live}
    join messages on messages.user_id = ${owner} and messages.id = e.id and messages.deleted_at is null`;
  const rows = await query.execute<FoundRow>(sql`
    with sampled as materialized (
      select ${isUnspecific}::boolean or count(*) >= ${COMMON} as is_common from (
        select words, body from search_entries
        where user_id = ${owner} and not is_title and seq <= ${upTo.message} order by seq desc limit ${SAMPLE}
      ) as e where ${walked}
    ), walked as materialized (
      select false as is_title, e.convo_id, e.id, e.seq, ${rank} as rank from (
        select * from search_entries
        where user_id = ${owner} and not is_title and seq <= ${upTo.message} order by seq desc limit ${WALK_MAX}
      ) as e ${liveMessage}
      where (select is_common from sampled) and ${walked}
      order by e.seq desc limit ${MESSAGES_MAX}
    ), indexed as materialized (
      select false as is_title, e.convo_id, e.id, e.seq, ${rank} as rank from (
        select * from search_entries
        where not is_title and user_id is not distinct from ${owner} and seq <= ${upTo.message} and ${indexed}
        order by seq desc offset 0
      ) as e ${liveMessage}
      where not (select is_common from sampled)
      order by e.seq desc limit ${MESSAGES_MAX}
    ), titled as materialized (
      select true as is_title, e.convo_id, e.id, e.seq, ${TITLE_RANK} + ${rank} as rank from (
        select * from search_entries
        where is_title and user_id is not distinct from ${owner} and seq <= ${upTo.title} and ${indexed}
        order by seq desc offset 0
      ) as e ${live}
      order by e.seq desc limit ${TITLES_MAX}
    ), found as (
      select * from walked union all select * from indexed union all select * from titled
    ), grouped as materialized (
      select convo_id, max(rank) as rank, count(*) as finds,
        coalesce(max(seq) filter (where is_title), max(seq)) as newest,
        (array_agg(id order by rank desc, seq desc) filter (where not is_title))[:${cut.hits}] as message_ids,
        count(*) filter (where not is_title) as message_count
      from found group by convo_id
    )
    select grouped.*, (select count(*) from grouped) as total from grouped
    where ${cut.after ? sql`(rank, newest, convo_id) < (${cut.after.rank}, ${cut.after.newest}, ${cut.after.convoId}::uuid)` : sql`true`}
    order by ${cut.order === 'most' ? sql`finds desc,` : sql``} rank desc, newest desc, convo_id desc
    offset ${cut.offset ?? 0} limit ${cut.limit}`);
  return { found: rows.map(presentFound), total: Number(rows[0]?.total ?? 0) };
}

interface FoundRow extends Record<string, unknown> {
  convo_id: string;
  rank: number;
  newest: string;
  message_ids: string[] | null;
  message_count: string;
  total: string;
}

function presentFound(row: FoundRow): Found {
  return {
    convoId: row.convo_id,
    rank: row.rank,
    newest: Number(row.newest),
    messageIds: row.message_ids ?? [],
    messageCount: Number(row.message_count),
  };
}

/** Whether an entry holds a term, from its text. Short words are words or beginnings of words, wherever they stand. */
function readsAs({ literal, pieces, around, isOrdered }: KnownTerm): SQL {
  const isRead = sql`position(${literal} in e.body) > 0`;
  const match = pieces[0]?.match;
  const isWord = !isOrdered && (match === 'few' || (match === 'whole' && !isJoined(literal)));
  return isWord ? sql`${isRead} and ${hasOneOf(around[0] ?? [])}` : isRead;
}

/** The same by the index: the text is only read where words do not tell. */
function leadsTo({ literal, pieces, around, isOrdered }: KnownTerm): SQL {
  const isTold = !isOrdered && around.length === pieces.length;
  const conditions = [...around.map(hasOneOf), ...(isTold ? [] : [sql`position(${literal} in body) > 0`])];
  return sql.join(conditions, sql` and `);
}

/**
 * In a subquery, so that the planner does not know the numbers: it would add up how common each is, and read the whole
 * table rather than the index. With the schema, because an extension (intarray) may bring an operator of this name
 * that the index does not know.
 */
function hasOneOf(numbers: number[]): SQL {
  return sql`words operator(pg_catalog.&&) (select ${sql.param(numbers)}::integer[])`;
}

function rankOf({ terms, phrase }: KnownQuery): SQL<number> {
  const exact = sql.param(terms.flatMap((term) => term.exact));
  const whole = sql`case when e.words operator(pg_catalog.@>) ${exact}::integer[] then ${WHOLE_RANK} else 0 end`;
  if (phrase === null) return sql`(${whole})::integer`;
  return sql`(${whole} + case when position(${phrase} in e.body) > 0 then ${PHRASE_RANK} else 0 end)::integer`;
}
