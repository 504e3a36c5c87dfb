// Tests of this room: tests/unit/schema.

// Marks such as `[2]` in the text of a reply, which name a source by its number.

export interface CitationMark {
  /** Where it begins, in UTF-16 units. */
  at: number;
  n: number;
}

const MARK = /\[(\d{1,3})\]/g;
/** Text in which brackets are code: fenced, or between backticks. */
const CODE = /```[^]*?(?:```|$)|`[^`\n]*`/g;

/** The marks of a text, in order. Those in code, links and indexes are none. */
export function citationMarksIn(text: string): CitationMark[] {
  const code = [...text.matchAll(CODE)].map(({ index, 0: found }) => ({ from: index, to: index + found.length }));
  return [...text.matchAll(MARK)].flatMap(({ index: at, 0: mark, 1: number }) => {
    const isCode = code.some(({ from, to }) => at >= from && at < to);
    return isCode || isOther(text, at, mark.length) ? [] : [{ at, n: Number(number) }];
  });
}

/** An index as in `rows[1].name`, a link, or the definition of one. A mark may follow a word or a mark directly. */
function isOther(text: string, at: number, length: number): boolean {
  const [next = '', second = ''] = text.slice(at + length, at + length + 2);
  if (next === '(' || next === ':') return true;
  return isWordLike(text[at - 1]) && (isWordLike(next) || (next === '.' && isWordLike(second)));
}

function isWordLike(sign = ''): boolean {
  return /\w/.test(sign);
}
