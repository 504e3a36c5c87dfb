// What a person means by what they typed: every word counts, wherever it stands; what is in quotes is meant as it is.
import { foldText, isJoined, runsOf } from './fold.ts';

/** One thing that must be there. */
export interface Term {
  /** As it stands in a folded text. */
  literal: string;
  pieces: Piece[];
  /** Whether words alone cannot tell that it is there: it has signs, several words, or an order of characters. */
  isOrdered: boolean;
}

/** What leads to a term: a word of the database's. */
export interface Piece {
  text: string;
  /** The word itself, words that begin or end with it or contain it, or of those that begin with it only a few. */
  match: 'whole' | 'start' | 'end' | 'part' | 'few';
}

export interface Query {
  terms: Term[];
  /** All of them as they were typed, which is better than all of them anywhere; null for a single one. */
  phrase: string | null;
}

/** More words than this are not needed to find something. */
const TERMS_MAX = 12;
/** The database keeps long words in pieces of 64 that overlap by half: so much of one is in a piece for certain. */
const PIECE_MAX = 32;
/** Three characters in a row are what parts of words are found by. */
const PART_MIN = 3;

/** Never throws, and has no terms when there is nothing to be found by. */
export function parseQuery(text: string): Query {
  const folded = foldText(text).trim();
  const said = [...folded.matchAll(/"([^"]+)"|[^\s"]+/g)];
  const terms = said
    .map(([whole, quoted]) => (quoted === undefined ? termOf(unpunctuated(whole), false) : termOf(quoted.trim(), true)))
    .filter((term) => term.pieces.length > 0)
    .slice(0, TERMS_MAX);
  const phrase = unpunctuated(folded.replaceAll('"', '').replaceAll(/ +/g, ' ').trim());
  return { terms, phrase: terms.length > 1 ? phrase : null };
}

/** A sentence's marks at the end of a word are not meant; those of code (`useEffect(`, `c++`) are. */
function unpunctuated(word: string): string {
  return word.replace(/^[¿¡'„“”‘’«»]+/, '').replace(/[.,;:!?…'“”‘’«»。、！？]+$/, '');
}

function termOf(literal: string, isQuoted: boolean): Term {
  const runs = runsOf(literal);
  const isWord = runs.length === 1 && runs[0] === literal;
  const last = runs.length - 1;
  // What was typed may begin or end in the middle of a word: whoever types `useEff` means what goes on with it.
  const certain = runs.flatMap((run, n) =>
    piecesOf(run, isQuoted && isWord ? 'whole' : MATCHES[edgesOf(literal, run, n === 0, n === last)]),
  );
  const pieces = certain.length > 0 ? certain : runs.map((run) => shortPiece(run, runs.length === 1 && !isQuoted));
  return { literal, pieces, isOrdered: !(isWord && pieces.length === 1) };
}

const MATCHES = { none: 'whole', before: 'end', after: 'start', both: 'part' } as const;

/** On which sides a run stands at the edge of what was typed. */
function edgesOf(literal: string, run: string, isFirst: boolean, isLast: boolean): keyof typeof MATCHES {
  const before = isFirst && literal.startsWith(run);
  const after = isLast && literal.endsWith(run);
  if (before && after) return 'both';
  if (before) return 'before';
  return after ? 'after' : 'none';
}

/** None for a short run that may be cut: too many words have it inside. */
function piecesOf(run: string, match: Piece['match']): Piece[] {
  if (isJoined(run)) return joinedPieces(run);
  if (run.length > PIECE_MAX) return longPieces(run);
  if (match === 'whole') return [{ text: run, match }];
  return run.length < PART_MIN ? [] : [{ text: run, match }];
}

function joinedPieces(run: string): Piece[] {
  const signs = [...run];
  if (signs.length === 1) return [{ text: run, match: 'start' }];
  return signs.slice(1).map((sign, n) => ({ text: `${signs[n]}${sign}`, match: 'whole' }));
}

function longPieces(run: string): Piece[] {
  const count = Math.ceil(run.length / PIECE_MAX);
  const pieces = Array.from({ length: count }, (_, n) => run.slice(n * PIECE_MAX, (n + 1) * PIECE_MAX));
  return pieces.filter((text) => text.length >= PART_MIN).map((text) => ({ text, match: 'part' }));
}

/** Two letters may be the beginning of a word; one is a word. */
function shortPiece(run: string, mayGoOn: boolean): Piece {
  return { text: run, match: mayGoOn && run.length > 1 ? 'few' : 'whole' };
}
