// From what was typed to the numbers that the index knows words by.
import type { Db } from '@parley/db/client';
import { sql } from 'drizzle-orm';
import type { Piece, Query, Term } from './query.ts';

/** A term with the numbers of the words that lead to it, piece by piece. */
export interface KnownTerm extends Term {
  /** For each piece that is of help: an entry that has none of these words does not have the term. */
  around: number[][];
  /** Of the pieces as they were typed: an entry with all of them has the term as whole words. */
  exact: number[];
}

export interface KnownQuery {
  terms: KnownTerm[];
  phrase: string | null;
  /** Up to where messages and the user's titles go now: what comes later is not found on later pages. */
  upTo: Extent;
}

export interface Extent {
  message: number;
  title: number;
}

/** More words than this are no help: nearly everything has one of them. */
const AROUND_MAX = 2000;
const FEW = 24;

/** Looks the words up among those that this user ever used or read. Null when one of them is nowhere. */
export async function lookUp(db: Db, userId: string, { terms, phrase }: Query): Promise<KnownQuery | null> {
  const pieces = terms.flatMap((term) => term.pieces);
  const [rows, upTo] = await Promise.all([readNumbers(db, userId, pieces), readExtent(db, userId)]);
  if (rows.some(({ around }) => around.length === 0)) return null;
  const known = terms.map((term) => knownTerm(term, rows.splice(0, term.pieces.length)));
  return { terms: known, phrase, upTo };
}

type Numbers = Record<'exact', number> & Record<'around', number[]>;

function knownTerm(term: Term, numbers: Numbers[]): KnownTerm {
  const around = numbers.map((number) => number.around).filter(({ length }) => length <= AROUND_MAX);
  return { ...term, exact: numbers.map(({ exact }) => exact), around };
}

async function readNumbers({ query }: Db, userId: string, pieces: Piece[]): Promise<Numbers[]> {
  const owner = sql`${userId}::uuid`;
  const texts = sql.param(pieces.map(({ text }) => text));
  const matches = sql.param(pieces.map(({ match }) => match));
  const beginning = sql`
    select search_hash(word, ${owner}) from search_words
    where user_id = ${owner} and word >= piece collate "C" and word < (piece || ${LAST}) collate "C" order by word`;
  // The index of the parts of words is for all users at once: its numbers are of owner and part. So that it is the
  // one to be taken, the owner is compared in a way that the other index knows nothing of.
  const containing = sql`
    select search_hash(word, ${owner}) from search_words
    where grams operator(pg_catalog.@>) search_grams(piece, ${owner}) and user_id is not distinct from ${owner}`;
  return query.execute<Numbers>(sql`
    select search_hash(piece, ${owner}) as exact, case match
      when 'part' then array(${containing} and position(piece in word) > 0 limit ${AROUND_MAX + 1})
      when 'end' then array(${containing} and right(word, length(piece)) = piece limit ${AROUND_MAX + 1})
      when 'start' then array(${beginning} limit ${AROUND_MAX + 1})
      when 'few' then array(${beginning} limit ${FEW})
      else array[search_hash(piece, ${owner})]
    end as around
    from unnest(${texts}::text[], ${matches}::text[]) with ordinality as pieces (piece, match, place) order by place`);
}

/** Comes after whatever a word may go on with. */
const LAST = '\u{10ffff}';

async function readExtent({ query }: Db, userId: string): Promise<Extent> {
  const [row] = await query.execute<{ message: string; title: string }>(sql`
    select
      (select last_value from messages_seq_seq) as message,
      coalesce((select change_seq from users where id = ${userId}::uuid), 0) as title`);
  return { message: Number(row?.message ?? 0), title: Number(row?.title ?? 0) };
}
