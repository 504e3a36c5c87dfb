import type { QuoteRange } from './locate-quote.ts';

/** The rows that a text is drawn as. */
export interface TextRows {
  texts: readonly string[];
  /** Where each begins in the text. */
  starts: Uint32Array;
  /** Of the lines, from 1; null for the rest of a line that is longer than a row. */
  numbers: readonly (number | null)[];
}

/** A line of more characters is several rows, because one of a megabyte could not be drawn. */
const ROW_LENGTH = 2_000;

export function rowsOfText(text: string): TextRows {
  const texts: string[] = [];
  const starts: number[] = [];
  const numbers: (number | null)[] = [];
  let line = 0;
  for (const { from, to } of linesOf(text)) {
    line++;
    for (let at = from; at === from || at < to;) {
      const end = endOfRow(text, at, to);
      texts.push(text.slice(at, end));
      starts.push(at);
      numbers.push(at === from ? line : null);
      at = Math.max(end, at + 1);
    }
  }
  return { texts, starts: Uint32Array.from(starts), numbers };
}

function* linesOf(text: string): Generator<QuoteRange> {
  let from = 0;
  for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', from)) {
    yield { from, to: text[end - 1] === '\r' && end > from ? end - 1 : end };
    from = end + 1;
  }
  // What follows the last line break is a line if there is something.
  if (from < text.length || from === 0) yield { from, to: text.length };
}

/** Never between the halves of a surrogate pair. */
function endOfRow(text: string, at: number, lineEnd: number): number {
  const end = at + ROW_LENGTH;
  if (end >= lineEnd) return lineEnd;
  return (text.charCodeAt(end - 1) & 0xfc00) === 0xd800 ? end - 1 : end;
}
