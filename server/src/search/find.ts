// The search query: finds, ranks, groups by conversation and pages. It scans a user's messages from the newest in
// stretches, so the work is bounded and nothing is lost: matches are ranked within a stretch, and all of them come
// before those of the next stretch.
import type { Reader } from '@parley/db/standby';
import { sql, type SQL } from 'drizzle-orm';
import { isUnsegmented } from './fold.ts';
import type { SearchSnapshot, KnownQuery, KnownTerm } from './lookup.ts';

/** The matches in one conversation. */
export interface Found {
  convoId: string;
  /** Its position in the results. */
  position: HitPosition;
  /** Best matches first, of equals the newer. */
  messageIds: string[];
  /** The number of matching messages, including `messageIds`. */
  messageCount: number;
}

/** A conversation's position: the stretch, and the rank within it. */
export interface HitPosition {
  page: PageWindow;
  /** At least `TITLE_RANK` when the title matches; the rest is the rank of the best match. */
  rank: number;
  /** The time of the match that determines the rank. */
  newest: Moment;
  convoId: string;
}

/** A range of messages, newest first: before `below`, down to `end`. */
export interface PageWindow {
  below: Moment;
  end: Moment;
}

/** `written_at` as a number, and `seq` for equal times; as text, because bigint exceeds JavaScript's numbers. */
export type Moment = readonly [writtenAt: string, seq: string];

export interface FoundPage {
  found: Found[];
  /** Number of conversations on all pages, as far as known. */
  total: number;
  /** Whether there may be more than `total`. */
  isMore: boolean;
}

export interface PageRequest {
  /** The last conversation of the previous page. */
  after?: HitPosition | null;
  offset?: number;
  limit: number;
  /** By the best match, or by the number of matches. */
  order: 'best' | 'most';
  /** Number of messages to return per conversation. */
  hits: number;
}

const TITLE_RANK = 4;
/** Only with what tools said, which comes below everything that was said. */
const TOOL_RANK = -4;
/** All words exactly as typed; the whole phrase exactly as typed. */
const WHOLE_RANK = 1;
const PHRASE_RANK = 2;

const LATEST: Moment = ['9223372036854775807', '9223372036854775807'];
const EARLIEST: Moment = ['-9223372036854775808', '-9223372036854775808'];

/** Matches per stretch, since all of them are ranked; if they do not fill the page, the next stretch is longer. */
const FINDS = { best: 1000, most: 10_000 };
const FINDS_MAX = 50_000;
const FINDS_GROWTH_FACTOR = 4;
/**
 * Terms common among this many of the newest entries of a stretch are found by scanning from the newest, up to a bound;
 * rarer ones by the index. Each is slow where the other is fast: the index returns all matches before the newest is
 * known.
 */
const SAMPLE_ENTRIES = 400;
const COMMON_ENTRIES_MIN = 20;
const WALK_ENTRIES_MAX = 50_000;

/** `upTo` excludes entries newer than the first page. */
export async function findConvos(
  reader: Reader,
  userId: string,
  known: KnownQuery,
  upTo: SearchSnapshot,
  cut: PageRequest,
): Promise<FoundPage> {
  const search = searchOf(userId, known, upTo);
  const places: HitPosition[] = [];
  let range = cut.after?.page ?? { below: LATEST, end: EARLIEST };
  let after = cut.after ?? null;
  let offset = cut.offset ?? 0;
  let total = 0;
  let finds = FINDS[cut.order];
  for (;;) {
    const limit = cut.limit - places.length;
    // A stretch that an earlier page ended in keeps its bounds.
    const bound = after ? FINDS_MAX : finds;
    const part = await findInWindow(reader, search, range, { ...cut, after, offset, limit, finds: bound });
    places.push(...part.places);
    total += part.total;
    offset = Math.max(0, offset - part.total);
    const isMore = part.end[0] !== EARLIEST[0];
    if (!isMore || places.length >= cut.limit)
      return { found: await readFinds(reader, search, places, cut.hits), total, isMore };
    range = { below: part.end, end: EARLIEST };
    after = null;
    finds = Math.min(finds * FINDS_GROWTH_FACTOR, FINDS_MAX);
  }
}

/** The common parts of all statements of one search. `e` is an entry. */
interface Search {
  owner: SQL;
  upTo: SearchSnapshot;
  /** Whether the index cannot narrow the search. */
  isUnspecific: boolean;
  /** Conditions that an entry has all terms: by its text, and by the index. */
  reads: SQL;
  leads: SQL;
  rank: SQL<number>;
}

function searchOf(userId: string, known: KnownQuery, upTo: SearchSnapshot): Search {
  return {
    owner: sql`${userId}::uuid`,
    upTo,
    isUnspecific: known.terms.every(({ around }) => around.length === 0),
    reads: sql.join(known.terms.map(readsAs), sql` and `),
    leads: sql.join(known.terms.map(leadsTo), sql` and `),
    rank: rankOf(known),
  };
}

interface Part {
  places: HitPosition[];
  /** Number of conversations in the stretch. */
  total: number;
  /** The end of the stretch; `EARLIEST` when nothing follows. */
  end: Moment;
}

interface PartCut extends PageRequest {
  offset: number;
  finds: number;
}

async function findInWindow({ query }: Reader, search: Search, range: PageWindow, cut: PartCut): Promise<Part> {
  const { owner, upTo, isUnspecific, reads, leads, rank } = search;
  const { after } = cut;
  const isFirst = range.below[0] === LATEST[0];
  const within = sql`seq <= ${upTo.message}${boundsOf(range)}`;
  const finds = written(cut.finds);
  const newestFirst = sql`order by written_at desc, seq desc`;
  // Scalar subqueries instead of joins, so that the scan stops at the last row wanted, whatever the planner estimates.
  const isLive = sql`(
    select true from messages where messages.user_id = ${owner} and messages.id = e.id and messages.deleted_at is null
  ) and (
    select true from convos where convos.user_id = ${owner} and convos.id = e.convo_id and convos.deleted_at is null
      and convos.temporary_until is null
  )`;
  const moment = sql`array[e.written_at, e.seq] as moment`;
  const rows = await query.execute<PartRow>(sql`
    with sampled as materialized (
      select ${isUnspecific}::boolean or count(*) >= ${COMMON_ENTRIES_MIN} as is_common from (
        select words, body from search_entries
        where user_id = ${owner} and not is_title and ${within} ${newestFirst} limit ${written(SAMPLE_ENTRIES)}
      ) as e where ${reads}
    ), walked as materialized (
      select false as is_title, e.convo_id, ${moment}, ${rank} as rank from (
        select * from search_entries
        where user_id = ${owner} and not is_title and ${within} ${newestFirst} limit ${written(WALK_ENTRIES_MAX)}
      ) as e
      where (select is_common from sampled) and ${reads} and ${isLive}
      order by e.written_at desc, e.seq desc limit ${finds}
    ), indexed as materialized (
      select false as is_title, e.convo_id, ${moment}, ${rank} as rank from (
        select * from search_entries
        where not is_title and user_id is not distinct from ${owner} and ${within} and ${leads}
        ${newestFirst} offset 0
      ) as e
      where not (select is_common from sampled) and ${isLive}
      order by e.written_at desc, e.seq desc limit ${finds}
    ), titled as materialized (
      select true as is_title, e.convo_id, ${moment}, ${TITLE_RANK} + ${rank} as rank from (
        select * from search_entries
        where ${isFirst}::boolean and is_title and user_id is not distinct from ${owner} and seq <= ${upTo.title}
          and ${leads}
        offset 0
      ) as e
      join convos on convos.user_id = ${owner} and convos.id = e.convo_id and convos.deleted_at is null
        and convos.temporary_until is null
    ), hits as materialized (
      select * from walked union all select * from indexed
    ), reached as materialized (
      select case
        when (select count(*) from hits) >= ${finds} then (select min(moment) from hits)
        when (select is_common from sampled) then (
          select array[written_at, seq] from search_entries
          where user_id = ${owner} and not is_title and ${within} ${newestFirst} offset ${written(WALK_ENTRIES_MAX - 1)} limit 1
        )
      end as moment
    ), grouped as materialized (
      select convo_id, max(rank) as rank, count(*) as finds,
        coalesce(max(moment) filter (where is_title), max(moment)) as newest
      from (select * from hits union all select * from titled) as found group by convo_id
    ), fresh as materialized (
      select * from grouped where ${isFirst ? sql`true` : sql`not ${wasFound(search, range.below)}`}
    )
    select (select count(*) from fresh) as total, reached.moment[1] as end_at, reached.moment[2] as end_seq,
      convo_id, rank, newest[1] as newest_at, newest[2] as newest_seq
    from reached left join lateral (
      select * from fresh
      where ${after ? sql`(rank, newest, convo_id) < (${after.rank}, array[${after.newest[0]}, ${after.newest[1]}]::bigint[], ${after.convoId}::uuid)` : sql`true`}
      order by ${cut.order === 'most' ? sql`finds desc,` : sql``} rank desc, newest desc, convo_id desc
      offset ${cut.offset} limit ${cut.limit}
    ) as page on true
    order by ${cut.order === 'most' ? sql`finds desc,` : sql``} rank desc, newest desc, convo_id desc`);
  return presentPart(rows, range);
}

interface PartRow extends Record<string, unknown> {
  total: string;
  end_at: string | null;
  end_seq: string | null;
  /** Null in the single row of an empty page. */
  convo_id: string | null;
  rank: number;
  newest_at: string;
  newest_seq: string;
}

function presentPart(rows: PartRow[], { below, end: bound }: PageWindow): Part {
  const [first] = rows;
  const end: Moment = first?.end_at && first.end_seq ? [first.end_at, first.end_seq] : bound;
  const places = rows.flatMap(({ convo_id: convoId, rank, newest_at, newest_seq }): HitPosition[] =>
    convoId === null ? [] : [{ page: { below, end }, rank, newest: [newest_at, newest_seq], convoId }],
  );
  return { places, total: Number(first?.total ?? 0), end };
}

/**
 * Whether an earlier stretch returned the conversation of `grouped`: by its title, or by a message newer than this
 * stretch.
 */
function wasFound(search: Search, below: Moment): SQL {
  const { owner, upTo, reads } = search;
  // Scalar subqueries are evaluated per conversation, whatever the statistics say.
  return sql`coalesce((
    select true from search_entries as e
    where e.user_id = ${owner} and e.is_title and e.id = grouped.convo_id and e.seq <= ${upTo.title} and ${reads}
  ), (
    select true ${findsOf(search, sql`grouped.convo_id`)} and (e.written_at, e.seq) >= ${pair(below)} limit 1
  ), false)`;
}

/** The matches `e` in one conversation, looked up per message, whatever the statistics say. */
function findsOf({ owner, upTo, reads }: Search, convoId: SQL): SQL {
  return sql`
    from messages cross join lateral (
      select * from search_entries as e
      where e.user_id = ${owner} and not e.is_title and e.id = messages.id and e.seq <= ${upTo.message} and ${reads}
      offset 0
    ) as e
    where messages.user_id = ${owner} and messages.convo_id = ${convoId} and messages.deleted_at is null`;
}

interface FindsRow extends Record<string, unknown> {
  message_ids: string[] | null;
  message_count: string;
}

/** All matches of a conversation, in any stretch. */
async function readFinds({ query }: Reader, search: Search, places: HitPosition[], hits: number): Promise<Found[]> {
  if (places.length === 0) return [];
  const ids = sql.param(places.map(({ convoId }) => convoId));
  const rows = await query.execute<FindsRow>(sql`
    select message_ids, message_count from unnest(${ids}::uuid[]) with ordinality as listed (convo_id, place)
    cross join lateral (
      select (array_agg(id order by rank desc, written_at desc, seq desc))[:${hits}] as message_ids,
        count(*) as message_count
      from (
        select e.id, e.written_at, e.seq, ${search.rank} as rank ${findsOf(search, sql`listed.convo_id`)}
      ) as finds
    ) as found order by place`);
  return places.map((position, n) => ({
    convoId: position.convoId,
    position,
    messageIds: rows[n]?.message_ids ?? [],
    messageCount: Number(rows[n]?.message_count ?? 0),
  }));
}

/** Omits bounds without effect, to help the planner. */
function boundsOf({ below, end }: PageWindow): SQL {
  const before = below[0] === LATEST[0] ? sql`` : sql` and (written_at, seq) < ${pair(below)}`;
  const from = end[0] === EARLIEST[0] ? sql`` : sql` and (written_at, seq) >= ${pair(end)}`;
  return sql`${before}${from}`;
}

/** Inlined instead of a parameter: a generic plan would not know how few rows are wanted. */
function written(count: number): SQL {
  return sql.raw(String(count));
}

function pair([writtenAt, seq]: Moment): SQL {
  return sql`(${writtenAt}::bigint, ${seq}::bigint)`;
}

/** Whether an entry's text contains a term. A short word matches only as a word or the beginning of one. */
function readsAs({ literal, pieces, around, isOrdered }: KnownTerm): SQL {
  const isRead = sql`position(${literal} in e.body) > 0`;
  const match = pieces[0]?.match;
  const isWord = !isOrdered && (match === 'few' || (match === 'whole' && !isUnsegmented(literal)));
  return isWord ? sql`${isRead} and ${hasOneOf(around[0] ?? [])}` : isRead;
}

/** Checks the index; reads the text only where words are not conclusive. */
function leadsTo({ literal, pieces, around, isOrdered }: KnownTerm): SQL {
  const isFromTools = !isOrdered && around.length === pieces.length;
  const conditions = [...around.map(hasOneOf), ...(isFromTools ? [] : [sql`position(${literal} in body) > 0`])];
  return sql.join(conditions, sql` and `);
}

/**
 * In a subquery, to hide the numbers from the planner: it would add up their frequencies and scan the whole table
 * instead of the index. With the schema, because an extension (intarray) may add an operator of this name that the
 * index does not support.
 */
function hasOneOf(numbers: number[]): SQL {
  return sql`words operator(pg_catalog.&&) (select ${sql.param(numbers)}::integer[])`;
}

function rankOf({ terms, phrase }: KnownQuery): SQL<number> {
  const exact = sql.param(terms.flatMap((term) => term.exact));
  const whole = sql`case when e.words operator(pg_catalog.@>) ${exact}::integer[] then ${WHOLE_RANK} else 0 end`;
  const said = sql.join(
    terms.map(({ literal }) => sql`position(${literal} in left(e.body, e.said_length)) > 0`),
    sql` and `,
  );
  const told = sql`case when e.said_length is null or (${said}) then 0 else ${TOOL_RANK} end`;
  if (phrase === null) return sql`(${whole} + ${told})::integer`;
  return sql`(${whole} + ${told} + case when position(${phrase} in e.body) > 0 then ${PHRASE_RANK} else 0 end)::integer`;
}
