// Maps query terms to the numbers of words in the index.
import type { Reader } from '@parley/db/standby';
import { sql } from 'drizzle-orm';
import type { Piece, Query, Term } from './query.ts';

/** A term with the numbers of matching words, per piece. */
export interface KnownTerm extends Term {
  /** Per selective piece: an entry with none of these words does not have the term. */
  around: number[][];
  /** Numbers of the pieces exactly as typed: an entry with all of them has the term as whole words. */
  exact: number[];
}

export interface KnownQuery {
  terms: KnownTerm[];
  phrase: string | null;
  /** The newest message and title now: later pages exclude anything newer. */
  upTo: SearchSnapshot;
}

export interface SearchSnapshot {
  message: number;
  title: number;
}

/** Above this number of words a piece is not selective: nearly every entry has one. */
const AROUND_MAX = 2000;
const FEW_WORDS_MAX = 24;

/** Looks words up in this user's vocabulary. Null when a word has no match. */
export async function lookUp(reader: Reader, userId: string, { terms, phrase }: Query): Promise<KnownQuery | null> {
  const pieces = terms.flatMap((term) => term.pieces);
  const [rows, upTo] = await Promise.all([readNumbers(reader, userId, pieces), readSnapshot(reader, userId)]);
  if (rows.some(({ around }) => around.length === 0)) return null;
  const known = terms.map((term) => knownTerm(term, rows.splice(0, term.pieces.length)));
  return { terms: known, phrase, upTo };
}

type Numbers = Record<'exact', number> & Record<'around', number[]>;

function knownTerm(term: Term, numbers: Numbers[]): KnownTerm {
  const around = numbers.map((number) => number.around).filter(({ length }) => length <= AROUND_MAX);
  return { ...term, exact: numbers.map(({ exact }) => exact), around };
}

async function readNumbers({ query }: Reader, userId: string, pieces: Piece[]): Promise<Numbers[]> {
  const owner = sql`${userId}::uuid`;
  const texts = sql.param(pieces.map(({ text }) => text));
  const matches = sql.param(pieces.map(({ match }) => match));
  const beginning = sql`
    select search_hash(word, ${owner}) from search_words
    where user_id = ${owner} and word >= piece collate "C" and word < (piece || ${LAST}) collate "C" order by word`;
  // The trigram index covers all users: its numbers derive from owner and trigram. Comparing the owner with `is not
  // distinct from` keeps the planner from using the other index.
  const containing = sql`
    select search_hash(word, ${owner}) from search_words
    where grams operator(pg_catalog.@>) search_grams(piece, ${owner}) and user_id is not distinct from ${owner}`;
  return query.execute<Numbers>(sql`
    select search_hash(piece, ${owner}) as exact, case match
      when 'part' then array(${containing} and position(piece in word) > 0 limit ${AROUND_MAX + 1})
      when 'end' then array(${containing} and right(word, length(piece)) = piece limit ${AROUND_MAX + 1})
      when 'start' then array(${beginning} limit ${AROUND_MAX + 1})
      when 'few' then array(${beginning} limit ${FEW_WORDS_MAX})
      else array[search_hash(piece, ${owner})]
    end as around
    from unnest(${texts}::text[], ${matches}::text[]) with ordinality as pieces (piece, match, place) order by place`);
}

/** Sorts after every continuation of a word. */
const LAST = '\u{10ffff}';

/** At a standby, the newest message may be up to 32 further: PostgreSQL writes a sequence ahead. */
async function readSnapshot({ query }: Reader, userId: string): Promise<SearchSnapshot> {
  const [row] = await query.execute<{ message: string; title: string }>(sql`
    select
      (select last_value from messages_seq_seq) as message,
      coalesce((select change_seq from users where id = ${userId}::uuid), 0) as title`);
  return { message: Number(row?.message ?? 0), title: Number(row?.title ?? 0) };
}
