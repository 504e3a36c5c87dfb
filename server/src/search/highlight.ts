// Finds matches in a text, and the snippet to show around them.
import type { TextPart } from '@parley/schema/search/search';
import { foldText, isAscii } from '@parley/schema/search/fold-text';
import { isUnsegmented, tokenize } from './fold.ts';
import type { Query, Term } from './query.ts';

/** A range of UTF-16 units: start inclusive, end exclusive. */
interface TextRange {
  start: number;
  end: number;
}

/** Approximate length of a snippet, and of its part before the first match. */
const SNIPPET_MAX = 200;
const BEFORE_MAX = 60;
/** How far to look for a word boundary. */
const WORD_MAX = 20;

/** The whole text with its matches marked. */
export function highlightHits(text: string, query: Query): TextPart[] {
  return partsOf(text, findHits(text, query), { start: 0, end: text.length });
}

/**
 * The snippet around the phrase or else the first match, with matches marked, on one line and without markdown signs.
 */
export function hitSnippet(text: string, query: Query): TextPart[] {
  const hits = findHits(text, query);
  const cut = cutAround(text, hits[0]?.start ?? 0, phraseStart(text, query));
  const parts = partsOf(text, hits, cut).map(({ text: piece, isHit }) => ({
    text: (isHit ? piece : stripMarkdown(piece)).replaceAll(/\s+/g, ' '),
    isHit,
  }));
  const before = cut.start > 0 ? [ELLIPSIS] : [];
  const after = cut.end < text.length ? [ELLIPSIS] : [];
  return joined([...before, ...parts, ...after]);
}

const ELLIPSIS: TextPart = { text: '…', isHit: false };

function findHits(text: string, { terms }: Query): TextRange[] {
  const folded = foldWithRanges(text);
  const hits = terms.flatMap((term) => occurrencesOf(folded.text, term).map(folded.originalRange));
  return merged(hits.toSorted((a, b) => a.start - b.start));
}

function phraseStart(text: string, { phrase }: Query): number | null {
  if (!phrase) return null;
  const folded = foldWithRanges(text);
  const at = folded.text.indexOf(phrase);
  return at < 0 ? null : folded.originalRange({ start: at, end: at + phrase.length }).start;
}

interface Folded {
  text: string;
  /** Maps a range of the folded text to the original. */
  originalRange(range: TextRange): TextRange;
}

/** A letter with its combining marks, which fold together. */
const LETTERS = /\P{M}[\p{M}\uff9e\uff9f]*|\p{M}+/gu;

function foldWithRanges(text: string): Folded {
  const whole = foldText(text);
  if (isAscii(text)) return { text: whole, originalRange: (range) => range };
  const known = new Map<string, string>();
  const places: TextRange[] = [];
  let folded = '';
  for (const { 0: letter, index } of text.matchAll(LETTERS)) {
    const plain = known.get(letter) ?? foldText(letter);
    known.set(letter, plain);
    folded += plain;
    for (let unit = 0; unit < plain.length; unit++) places.push({ start: index, end: index + letter.length });
  }
  const originalRange = ({ start, end }: TextRange) => ({
    start: places[start]?.start ?? text.length,
    end: places[end - 1]?.end ?? text.length,
  });
  return { text: folded, originalRange };
}

function occurrencesOf(folded: string, term: Term): TextRange[] {
  const { literal } = term;
  const found: TextRange[] = [];
  for (let start = folded.indexOf(literal); start >= 0; start = folded.indexOf(literal, start + literal.length)) {
    const range = { start, end: start + literal.length };
    if (fits(folded, range, term)) found.push(range);
  }
  return found;
}

/** A short word matches only as a word or the beginning of one. */
function fits(folded: string, { start, end }: TextRange, { literal, pieces, isOrdered }: Term): boolean {
  const match = pieces[0]?.match;
  if (isOrdered || match === 'part' || isUnsegmented(literal)) return true;
  return isBorder(folded[start - 1]) && (match === 'few' || isBorder(folded[end]));
}

function isBorder(sign: string | undefined): boolean {
  return sign === undefined || tokenize(sign).length === 0 || isUnsegmented(sign);
}

/** Sorted, with touching ranges merged. */
function merged(ranges: TextRange[]): TextRange[] {
  const result: TextRange[] = [];
  for (const range of ranges) {
    const last = result.at(-1);
    if (last && range.start <= last.end) last.end = Math.max(last.end, range.end);
    else result.push({ ...range });
  }
  return result;
}

function cutAround(text: string, firstHit: number, phrase: number | null): TextRange {
  const at = phrase ?? firstHit;
  if (text.length <= SNIPPET_MAX) return { start: 0, end: text.length };
  const start = at <= BEFORE_MAX ? 0 : afterSpace(text, at - BEFORE_MAX, at);
  const end = start + SNIPPET_MAX;
  return { start, end: end >= text.length ? text.length : beforeSpace(text, end) };
}

function afterSpace(text: string, from: number, to: number): number {
  const space = text.slice(from, Math.min(from + WORD_MAX, to)).search(/\s/);
  return space < 0 ? wholeSign(text, from) : from + space + 1;
}

function beforeSpace(text: string, to: number): number {
  const space = /\s\S*$/.exec(text.slice(to - WORD_MAX, to));
  return space ? to - WORD_MAX + space.index : wholeSign(text, to);
}

/** Never splits a surrogate pair. */
function wholeSign(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code <= 0xdfff ? at + 1 : at;
}

function partsOf(text: string, hits: TextRange[], cut: TextRange): TextPart[] {
  const parts: TextPart[] = [];
  let at = cut.start;
  for (const hit of hits) {
    const start = Math.max(hit.start, at);
    const end = Math.min(hit.end, cut.end);
    if (start >= end) continue;
    parts.push({ text: text.slice(at, start), isHit: false }, { text: text.slice(start, end), isHit: true });
    at = end;
  }
  parts.push({ text: text.slice(at, cut.end), isHit: false });
  return parts.filter((part) => part.text !== '');
}

/** Merges neighbors of the same kind. */
function joined(parts: TextPart[]): TextPart[] {
  const result: TextPart[] = [];
  for (const part of parts) {
    const last = result.at(-1);
    if (last?.isHit === part.isHit) last.text += part.text;
    else result.push({ ...part });
  }
  return result;
}

// Markdown without its signs, for the snippets of search results.

/** The signs of Markdown, in order; a label or an address longer than these limits stays as it is. */
const SIGNS: readonly (readonly [pattern: RegExp, instead: string])[] = [
  [/!?\[([^[\]\n]{0,200})\]\([^()\s]{0,400}\)/g, '$1'],
  // The ends of a link that goes on outside of this piece.
  [/!?\[(?=[^[\]\n]{0,200}$)/g, ''],
  [/\]\([^()\s]{1,400}\)/g, ''],
  [/```[\w+-]{0,20}\n?/g, ''],
  [/`/g, ''],
  [/(?<=\S)[*~]{1,3}|[*~]{1,3}(?=\S)/g, ''],
  [/^ {0,3}(?:#{1,6}|>) /gm, ''],
  // The box of a task.
  [/(?:(?<!\S)[-*+] |^)\[[ xX]\] /gm, ''],
  // Below a table's head, however long; a piece may begin or end within it.
  [/^(?=[|: \t]{0,20}-)(?=[-: \t]{0,200}\|)[|:\- \t]+$/gm, ''],
  [/:?-{3,20}:?/g, ''],
  [/ ?\| ?/g, ' '],
];

/**
 * The words of a piece of markdown, which may begin and end anywhere. Signs that stand alone, such as in `2 * 3`, stay.
 */
function stripMarkdown(markdown: string): string {
  return SIGNS.reduce((text, [pattern, instead]) => text.replaceAll(pattern, instead), markdown);
}
