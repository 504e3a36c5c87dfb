// Where a quote stands in a text that writes it otherwise: the server reads a file by other rules than those that draw
// it, so white space, hyphens at the ends of lines, ligatures, accents and marks of Markdown may differ.

/** A stretch of a text, in UTF-16 units. */
export interface QuoteRange {
  from: number;
  to: number;
}

/** Added by the server to a quote that it cuts off. */
const CUT = '…';
/** Fewer letters than these are found anywhere. */
const LETTERS_MIN = 16;
/** Of a quote that is not found whole: the shares of it that are tried, from its start and from its end. */
const SHARES = [0.75, 0.5, 0.34];

/** The letters and digits of a text without case and accents, and where each of them stands. */
export interface Letters {
  text: string;
  /** For each unit of `text`, where its character begins in the original. */
  starts: Uint32Array;
  /** And where it ends. */
  ends: Uint32Array;
}

/**
 * The stretch of `text` that is the quote, compared by letters and digits alone; else that of the longest tried part of
 * it. Null if the text has changed since.
 * @param within where to look first: the quote may stand elsewhere too
 */
export function locateQuote(text: string, quote: string, within: QuoteRange | null = null): QuoteRange | null {
  const wanted = foldLetters(quote.endsWith(CUT) ? quote.slice(0, -CUT.length) : quote).text;
  if (wanted === '') return exactly(text, quote.trim());
  const letters = foldLetters(text);
  const from = within ? letters.starts.findIndex((start) => start >= within.from) : 0;
  for (const part of partsOf(wanted)) {
    const near = from > 0 ? letters.text.indexOf(part, from) : -1;
    const at = near >= 0 ? near : letters.text.indexOf(part);
    if (at >= 0) return { from: letters.starts[at] ?? 0, to: letters.ends[at + part.length - 1] ?? 0 };
  }
  return null;
}

function exactly(text: string, wanted: string): QuoteRange | null {
  const from = wanted === '' ? -1 : text.indexOf(wanted);
  return from < 0 ? null : { from, to: from + wanted.length };
}

/** The whole, then its parts; only parts that are no accident. */
function partsOf(wanted: string): string[] {
  const lengths = SHARES.map((share) => Math.floor(wanted.length * share)).filter((length) => length >= LETTERS_MIN);
  return [wanted, ...lengths.flatMap((length) => [wanted.slice(0, length), wanted.slice(-length)])];
}

const LETTER = /[\p{L}\p{N}]/u;

export function foldLetters(text: string): Letters {
  const starts: number[] = [];
  const ends: number[] = [];
  let folded = '';
  for (let at = 0; at < text.length;) {
    const code = text.codePointAt(at) ?? 0;
    const width = code > 0xffff ? 2 : 1;
    const letters = code < 0x80 ? asciiLetter(code) : otherLetters(String.fromCodePoint(code));
    folded += letters;
    for (let unit = 0; unit < letters.length; unit++) {
      starts.push(at);
      ends.push(at + width);
    }
    at += width;
  }
  return { text: folded, starts: Uint32Array.from(starts), ends: Uint32Array.from(ends) };
}

function asciiLetter(code: number): string {
  if (code >= 0x41 && code <= 0x5a) return String.fromCharCode(code + 32);
  const isLetter = (code >= 0x61 && code <= 0x7a) || (code >= 0x30 && code <= 0x39);
  return isLetter ? String.fromCharCode(code) : '';
}

/** A ligature is its letters, and a letter with an accent the one without it. */
function otherLetters(character: string): string {
  const plain = [...character.normalize('NFKD')].filter((part) => LETTER.test(part)).join('');
  return plain.toLowerCase();
}
