import { Lexer, type MarkedToken, type Tokens } from 'marked';
import { readDetails, type Details } from '../html/details.ts';
import { findMath } from '../math/find-math.ts';
import { repairTables } from '../table/repair-table.ts';
import { shortenImages } from './embedded-images.ts';

/** Longer blocks are parsed in pieces of about half this length, in UTF-16 units. */
export const LONG_BLOCK = 8_000;
const PIECE = LONG_BLOCK / 2;
/** A longer word is cut: a browser lays out a whole word at once. In UTF-16 units. */
const LONG_WORD = 5_000;

/** Some items of a list, or one that is long itself: then its text is `inner`. */
export interface ListPiece {
  text: string;
  /** The number of the first item. */
  start: number;
  inner: string | null;
}

export type Cut =
  | { type: 'list'; isOrdered: boolean; pieces: ListPiece[] }
  | { type: 'quote'; text: string }
  | ({ type: 'details' } & Details)
  /** Each piece has the head of the table. */
  | { type: 'table'; head: string; pieces: string[] }
  | { type: 'code'; code: string }
  | { type: 'html'; text: string }
  | { type: 'texts'; pieces: string[] };

/** Cuts a long block into pieces that can be parsed alone. */
export function cutBlock(whole: string): Cut {
  const details = readDetails(whole);
  if (details) return { type: 'details', ...details };
  const { text, restore } = shortenImages(whole);
  const [token, more] = new Lexer({ gfm: true }).blockTokens(text, []).filter(({ type }) => type !== 'space');
  if (token && !more) {
    const cut = cutToken(token as MarkedToken, restore);
    if (cut) return cut;
  }
  return { type: 'texts', pieces: cutText(text).map(restore) };
}

function cutToken(token: MarkedToken, restore: (text: string) => string): Cut | null {
  switch (token.type) {
    case 'list':
      return { type: 'list', isOrdered: token.ordered, pieces: cutList(token, restore) };
    case 'blockquote':
      return { type: 'quote', text: restore(token.text) };
    case 'table':
      return cutTable(restore(token.raw));
    case 'code':
      return { type: 'code', code: restore(token.text) };
    case 'html':
      return { type: 'html', text: restore(token.raw) };
    default:
      return null;
  }
}

function cutList({ items, start }: Tokens.List, restore: (text: string) => string): ListPiece[] {
  const pieces: ListPiece[] = [];
  for (const [index, item] of items.entries()) {
    const last = pieces.at(-1);
    const raw = restore(item.raw);
    const isLong = item.raw.length > LONG_BLOCK;
    if (last && last.inner === null && !isLong && last.text.length + raw.length <= PIECE) last.text += raw;
    else pieces.push({ text: raw, start: Number(start || 0) + index, inner: isLong ? restore(item.text) : null });
  }
  return pieces;
}

function cutTable(raw: string): Cut {
  const [names = '', rule = '', ...rows] = repairTables(raw.trimEnd()).split('\n');
  const head = `${names}\n${rule}\n`;
  return {
    type: 'table',
    head,
    pieces: joined(rows.map((row) => `${row}\n`)),
  };
}

/** Neighbors joined up to the length of a piece. */
export function joined(parts: readonly string[]): string[] {
  const pieces: string[] = [];
  for (const part of parts) {
    const last = pieces.at(-1);
    if (last !== undefined && last.length + part.length <= PIECE) pieces[pieces.length - 1] = last + part;
    else pieces.push(part);
  }
  return pieces;
}

/** Cuts at ends of lines, else of sentences, else of words, and in no formula. */
function cutText(text: string): string[] {
  const formulas = findMath(text, false);
  const pieces: string[] = [];
  let from = 0;
  while (text.length - from > LONG_BLOCK || beginsWithLongWord(text, from)) {
    const at = cutPoint(text, from, formulas);
    pieces.push(text.slice(from, at));
    from = at;
  }
  return [...pieces, text.slice(from)];
}

const ENDS = [/\n/g, /(?:[.!?]["')\]]*\s|[。！？])/g, /\s/g];
const TRIED = 40;

function cutPoint(text: string, from: number, formulas: readonly { start: number; end: number }[]): number {
  if (beginsWithLongWord(text, from)) return endOfWord(text, from + PIECE);
  const window = text.slice(from + PIECE, from + LONG_BLOCK);
  const isInFormula = (at: number) => formulas.some(({ start, end }) => start < at && at < end);
  let second: number | undefined;
  for (const end of ENDS)
    for (const found of [...window.matchAll(end)].slice(0, TRIED)) {
      const at = from + PIECE + found.index + found[0].length;
      if (isInFormula(at)) continue;
      if (isEven(text.slice(from, at))) return at;
      second ??= at;
    }
  if (second !== undefined) return second;
  const after = formulas.find(({ start, end }) => start < from + PIECE && from + PIECE < end)?.end;
  return after ?? endOfWord(text, from + PIECE);
}

function beginsWithLongWord(text: string, from: number): boolean {
  return text.length - from > LONG_WORD && !/\s/.test(text.slice(from, from + LONG_WORD));
}

/** After the word at this place; within it where it goes on for long, but not within a character. */
function endOfWord(text: string, place: number): number {
  const next = text.slice(place, place + LONG_WORD - PIECE).search(/\s/);
  if (next >= 0) return place + next + 1;
  return isLowSurrogate(text.charCodeAt(place)) ? place + 1 : place;
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}

/** Whether marks for bold text and code are closed. */
function isEven(text: string): boolean {
  return (text.split('**').length & 1) === 1 && (text.split('`').length & 1) === 1;
}
