// The search itself: what is found, ranked, grouped by conversation and cut into pages. It goes down a person's
// messages from the newest, stretch by stretch, so that the work is bounded and yet nothing is lost: the finds of a
// stretch are ranked among each other, and all of them come before those of the next.
import type { Db } from '@parley/db/client';
import { sql, type SQL } from 'drizzle-orm';
import { isJoined } from './fold.ts';
import type { Extent, KnownQuery, KnownTerm } from './lookup.ts';

/** What was found in one conversation. */
export interface Found {
  convoId: string;
  /** Where it stands among all. */
  place: Place;
  /** The best messages first, the newer of equals. */
  messageIds: string[];
  /** How many messages were found, those of `messageIds` included. */
  messageCount: number;
}

/** Of a conversation: in which stretch, and where in that. */
export interface Place {
  stretch: Stretch;
  /** From `TITLE_RANK` on, the title was found; the rest says how good the best find is. */
  rank: number;
  /** Of the find that counts. */
  newest: Moment;
  convoId: string;
}

/** Messages from the newest to the oldest: those before `below`, down to `end`. */
export interface Stretch {
  below: Moment;
  end: Moment;
}

/** A number of `written_at`, and one of `seq` for what was written at once; too large for a number of JavaScript. */
export type Moment = readonly [writtenAt: string, seq: string];

export interface FoundPage {
  found: Found[];
  /** How many conversations there are on all pages, as far as is known. */
  total: number;
  /** Whether there may be more than `total`. */
  isMore: boolean;
}

export interface Cut {
  /** The place of the last conversation of the page before. */
  after?: Place | null;
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

const LATEST: Moment = ['9223372036854775807', '9223372036854775807'];
const EARLIEST: Moment = ['-9223372036854775808', '-9223372036854775808'];

/** A stretch ends with so many finds, because all of them are ranked; one that did not suffice is followed by a longer. */
const FINDS = { best: 1000, most: 10_000 };
const FINDS_MAX = 50_000;
const GROWTH = 4;
/**
 * What so many of the newest entries of a stretch hold is found by walking down from the newest, up to a bound; what is
 * rarer, by the index. Each is slow where the other is fast: the index gives everything before the newest is known.
 */
const SAMPLE = 400;
const COMMON = 20;
const WALK_MAX = 50_000;

/** `upTo` leaves out what came later than the first page. */
export async function findConvos(
  db: Db,
  userId: string,
  known: KnownQuery,
  upTo: Extent,
  cut: Cut,
): Promise<FoundPage> {
  const search = searchOf(userId, known, upTo);
  const places: Place[] = [];
  let stretch = cut.after?.stretch ?? { below: LATEST, end: EARLIEST };
  let after = cut.after ?? null;
  let offset = cut.offset ?? 0;
  let total = 0;
  let finds = FINDS[cut.order];
  for (;;) {
    const limit = cut.limit - places.length;
    // One that a page before ended in is as long as it was then.
    const bound = after ? FINDS_MAX : finds;
    const part = await findInStretch(db, search, stretch, { ...cut, after, offset, limit, finds: bound });
    places.push(...part.places);
    total += part.total;
    offset = Math.max(0, offset - part.total);
    const isMore = part.end[0] !== EARLIEST[0];
    if (!isMore || places.length >= cut.limit)
      return { found: await readFinds(db, search, places, cut.hits), total, isMore };
    stretch = { below: part.end, end: EARLIEST };
    after = null;
    finds = Math.min(finds * GROWTH, FINDS_MAX);
  }
}

/** What all statements of one search have in common. `e` is an entry. */
interface Search {
  owner: SQL;
  upTo: Extent;
  /** Whether its words may be anything, which no index helps with. */
  isUnspecific: boolean;
  /** Whether an entry has all terms, from its text and from the index. */
  reads: SQL;
  leads: SQL;
  rank: SQL<number>;
}

function searchOf(userId: string, known: KnownQuery, upTo: Extent): Search {
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
  places: Place[];
  /** How many conversations the stretch has. */
  total: number;
  /** Where the stretch ends; `EARLIEST` when nothing comes after it. */
  end: Moment;
}

interface PartCut extends Cut {
  offset: number;
  finds: number;
}

async function findInStretch({ query }: Db, search: Search, stretch: Stretch, cut: PartCut): Promise<Part> {
  const { owner, upTo, isUnspecific, reads, leads, rank } = search;
  const { after } = cut;
  const isFirst = stretch.below[0] === LATEST[0];
  const within = sql`seq <= ${upTo.message}${boundsOf(stretch)}`;
  const finds = written(cut.finds);
  const newestFirst = sql`order by written_at desc, seq desc`;
  // As subqueries of one value, not joins: then the search ends with the last row that is wanted, whatever the planner
  // thinks of how many there are.
  const isLive = sql`(
    select true from messages where messages.user_id = ${owner} and messages.id = e.id and messages.deleted_at is null
  ) and (
    select true from convos where convos.user_id = ${owner} and convos.id = e.convo_id and convos.deleted_at is null
  )`;
  const moment = sql`array[e.written_at, e.seq] as moment`;
  const rows = await query.execute<PartRow>(sql`
    with sampled as materialized (
      select ${isUnspecific}::boolean or count(*) >= ${COMMON} as is_common from (
        select words, body from search_entries
        where user_id = ${owner} and not is_title and ${within} ${newestFirst} limit ${written(SAMPLE)}
      ) as e where ${reads}
    ), walked as materialized (
      select false as is_title, e.convo_id, ${moment}, ${rank} as rank from (
        select * from search_entries
        where user_id = ${owner} and not is_title and ${within} ${newestFirst} limit ${written(WALK_MAX)}
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
    ), hits as materialized (
      select * from walked union all select * from indexed
    ), reached as materialized (
      select case
        when (select count(*) from hits) >= ${finds} then (select min(moment) from hits)
        when (select is_common from sampled) then (
          select array[written_at, seq] from search_entries
          where user_id = ${owner} and not is_title and ${within} ${newestFirst} offset ${written(WALK_MAX - 1)} limit 1
        )
      end as moment
    ), grouped as materialized (
      select convo_id, max(rank) as rank, count(*) as finds,
        coalesce(max(moment) filter (where is_title), max(moment)) as newest
      from (select * from hits union all select * from titled) as found group by convo_id
    ), fresh as materialized (
      select * from grouped where ${isFirst ? sql`true` : sql`not ${wasFound(search, stretch.below)}`}
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
  return presentPart(rows, stretch);
}

interface PartRow extends Record<string, unknown> {
  total: string;
  end_at: string | null;
  end_seq: string | null;
  /** Null in the one row of an empty page. */
  convo_id: string | null;
  rank: number;
  newest_at: string;
  newest_seq: string;
}

function presentPart(rows: PartRow[], { below, end: bound }: Stretch): Part {
  const [first] = rows;
  const end: Moment = first?.end_at && first.end_seq ? [first.end_at, first.end_seq] : bound;
  const places = rows.flatMap(({ convo_id: convoId, rank, newest_at, newest_seq }): Place[] =>
    convoId === null ? [] : [{ stretch: { below, end }, rank, newest: [newest_at, newest_seq], convoId }],
  );
  return { places, total: Number(first?.total ?? 0), end };
}

/** Whether a stretch before gave the conversation of `grouped`: by its title, or by a message newer than this stretch. */
function wasFound(search: Search, below: Moment): SQL {
  const { owner, upTo, reads } = search;
  // As subqueries of one value they are looked up conversation by conversation, whatever the statistics say.
  return sql`coalesce((
    select true from search_entries as e
    where e.user_id = ${owner} and e.is_title and e.id = grouped.convo_id and e.seq <= ${upTo.title} and ${reads}
  ), (
    select true ${findsOf(search, sql`grouped.convo_id`)} and (e.written_at, e.seq) >= ${pair(below)} limit 1
  ), false)`;
}

/** The finds `e` in one conversation, looked up message by message, whatever the statistics say. */
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

/** All finds of a conversation, whichever stretch they are in. */
async function readFinds({ query }: Db, search: Search, places: Place[], hits: number): Promise<Found[]> {
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
  return places.map((place, n) => ({
    convoId: place.convoId,
    place,
    messageIds: rows[n]?.message_ids ?? [],
    messageCount: Number(rows[n]?.message_count ?? 0),
  }));
}

/** A bound that bounds nothing is left out, for the planner's sake. */
function boundsOf({ below, end }: Stretch): SQL {
  const before = below[0] === LATEST[0] ? sql`` : sql` and (written_at, seq) < ${pair(below)}`;
  const from = end[0] === EARLIEST[0] ? sql`` : sql` and (written_at, seq) >= ${pair(end)}`;
  return sql`${before}${from}`;
}

/** In the statement itself: a plan that serves all values must know how few rows are wanted. */
function written(count: number): SQL {
  return sql.raw(String(count));
}

function pair([writtenAt, seq]: Moment): SQL {
  return sql`(${writtenAt}::bigint, ${seq}::bigint)`;
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
