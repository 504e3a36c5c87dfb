// A search in the pieces of a text that is on screen in part only: lines, cells or paragraphs.
import type { QuoteRange } from './locate-quote.ts';

/** Finding more would help nobody. */
export const FOUND_MAX = 10_000;

/** A stretch of one row, counted over its pieces. */
export interface RowRange extends QuoteRange {
  row: number;
}

/**
 * All places where `wanted` stands in the pieces of the rows, without regard to case; none spans two pieces.
 * @param piecesOf what a row consists of
 */
export function findText(wanted: string, rows: number, piecesOf: (row: number) => readonly string[]): RowRange[] {
  const needle = wanted.toLowerCase();
  const found: RowRange[] = [];
  if (needle.trim() === '') return found;
  for (let row = 0; row < rows && found.length < FOUND_MAX; row++) {
    let before = 0;
    for (const piece of piecesOf(row)) {
      for (const { from, to } of rangesIn(piece, needle)) found.push({ row, from: before + from, to: before + to });
      before += piece.length;
    }
  }
  return found.slice(0, FOUND_MAX);
}

/** @param needle in lower case */
export function rangesIn(text: string, needle: string): QuoteRange[] {
  const lower = lowerCase(text);
  const found: QuoteRange[] = [];
  for (let at = lower.indexOf(needle); at >= 0; at = lower.indexOf(needle, at + needle.length))
    found.push({ from: at, to: at + needle.length });
  return found;
}

/** A few letters are longer in lower case, such as the Turkish İ: they stay, so that the places are those of the text. */
function lowerCase(text: string): string {
  const lower = text.toLowerCase();
  if (lower.length === text.length) return lower;
  return text.replaceAll(/./gsu, (letter) => {
    const small = letter.toLowerCase();
    return small.length === letter.length ? small : letter;
  });
}

/**
 * The stretch of a text as stretches of its rows.
 * @param starts where each row begins in the text, rising
 * @param lengthOf the length of a row, without what divides it from the next
 */
export function rowRanges(
  { from, to }: QuoteRange,
  starts: ArrayLike<number>,
  lengthOf: (row: number) => number,
): RowRange[] {
  const found: RowRange[] = [];
  for (let row = rowAt(from, starts); row < starts.length; row++) {
    const start = starts[row] ?? 0;
    if (start >= to) break;
    const range = { row, from: Math.max(0, from - start), to: Math.min(lengthOf(row), to - start) };
    if (range.to > range.from) found.push(range);
  }
  return found;
}

/** The last row that begins at or before `at`. */
function rowAt(at: number, starts: ArrayLike<number>): number {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((starts[middle] ?? 0) <= at) low = middle;
    else high = middle - 1;
  }
  return low;
}
