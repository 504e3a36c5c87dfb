// Parses a search query: all words must occur, in any position; quoted text must occur as is.
import { foldText } from '@parley/schema/search/fold-text';
import { isUnsegmented, tokenize } from './fold.ts';

/** A required term. */
export interface Term {
  /** Its folded text. */
  literal: string;
  pieces: Piece[];
  /** Whether the index alone is not conclusive: the term has punctuation, several words, or an order of characters. */
  isOrdered: boolean;
}

/** An indexed word, or part of one, that narrows a term. */
export interface Piece {
  text: string;
  /** The word itself; words that begin with, end with or contain it; or `few` of those that begin with it. */
  match: 'whole' | 'start' | 'end' | 'part' | 'few';
}

export interface Query {
  terms: Term[];
  /** All terms in the order typed, which ranks higher; null for a single term. */
  phrase: string | null;
}

/** Maximum number of terms. */
const TERMS_MAX = 12;
/** The database splits long words into pieces of 64 that overlap by half, so any 32 characters are within one piece. */
const PIECE_MAX = 32;
/** Parts of words are found by trigrams. */
const PART_MIN = 3;

/** Never throws; has no terms when nothing in the text is searchable. */
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

/** Drops trailing punctuation of sentences, but keeps that of code (`useEffect(`, `c++`). */
function unpunctuated(word: string): string {
  return word.replace(/^[¿¡'„“”‘’«»]+/, '').replace(/(?<![.,;:!?…'“”‘’«»。、！？])[.,;:!?…'“”‘’«»。、！？]+$/, '');
}

function termOf(literal: string, isQuoted: boolean): Term {
  const runs = tokenize(literal);
  const isWord = runs.length === 1 && runs[0] === literal;
  const last = runs.length - 1;
  // A term may begin or end within a word: `useEff` matches longer words.
  const certain = runs.flatMap((run, n) =>
    piecesOf(run, isQuoted && isWord ? 'whole' : MATCHES[edgesOf(literal, run, n === 0, n === last)]),
  );
  const pieces = certain.length > 0 ? certain : runs.map((run) => shortPiece(run, runs.length === 1 && !isQuoted));
  return { literal, pieces, isOrdered: !(isWord && pieces.length === 1) };
}

const MATCHES = { none: 'whole', before: 'end', after: 'start', both: 'part' } as const;

/** The sides on which a run touches the edge of the term. */
function edgesOf(literal: string, run: string, isFirst: boolean, isLast: boolean): keyof typeof MATCHES {
  const before = isFirst && literal.startsWith(run);
  const after = isLast && literal.endsWith(run);
  if (before && after) return 'both';
  if (before) return 'before';
  return after ? 'after' : 'none';
}

/** None for a short partial run: too many words contain it. */
function piecesOf(run: string, match: Piece['match']): Piece[] {
  if (isUnsegmented(run)) return joinedPieces(run);
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

/** Two letters may be the beginning of a word; a single one is a word. */
function shortPiece(run: string, mayGoOn: boolean): Piece {
  return { text: run, match: mayGoOn && run.length > 1 ? 'few' : 'whole' };
}
