// Where a text is code, line by line while it streams: what stands in code is no markup.

const FENCE = /^[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?(`{3,}|~{3,})(.*)/;
/** How far the end of a span of code is looked for, in characters. */
const SPAN_MAX = 2000;
/** So much of a line is kept to tell a fence from other text: lines of a provider may be as long as its answer. */
const HEAD_MAX = 400;
/** What is before a tag says whether the tag is spoken of. */
const END_MAX = 64;

export interface CodeLines {
  /** More of the text. */
  add(text: string): void;
  /** A new text begins. */
  reset(): void;
  /** The beginning of the line so far. */
  head(): string;
  /** Its last characters. */
  end(): string;
  isFenced(): boolean;
  /**
   * Whether the end of the text is inside a span of code that ends in `rest` on the same line; null where more of the text
   * is needed to tell. `isEnd`: there is no more.
   */
  isInSpan(rest: string, isEnd: boolean): boolean | null;
}

export function createCodeLines(): CodeLines {
  let head = '';
  let end = '';
  let fence: string | null = null;
  /** Which run of backticks is open, and the length of the run that the line ends with. */
  let [open, last] = [0, 0];
  return {
    add(text) {
      const [first = '', ...more] = text.split('\n');
      addToLine(first);
      for (const next of more) {
        fence = fenceAfter(head, fence);
        [head, end, open, last] = ['', '', 0, 0];
        addToLine(next);
      }
    },
    reset() {
      [head, end, fence, open, last] = ['', '', null, 0, 0];
    },
    head: () => head,
    end: () => end,
    isFenced: () => fence !== null || FENCE.test(head),
    isInSpan(rest, isEnd) {
      const run = openAfter(open, last);
      if (run === 0) return false;
      const [sameLine = ''] = rest.slice(0, SPAN_MAX).split('\n', 1);
      const isWhole = isEnd || sameLine.length < rest.length || sameLine.length === SPAN_MAX;
      for (const { index, 0: next } of sameLine.matchAll(/`+/g)) {
        if (!isWhole && index + next.length === sameLine.length) return null;
        if (next.length === run) return true;
      }
      return isWhole ? false : null;
    },
  };

  function addToLine(text: string): void {
    if (head.length < HEAD_MAX) head += text.slice(0, HEAD_MAX - head.length);
    end = (end + text).slice(-END_MAX);
    for (const [run] of text.matchAll(/`+|[^`]+/g)) {
      if (run.startsWith('`')) last += run.length;
      else [open, last] = [openAfter(open, last), 0];
    }
  }
}

/** The mark of the fenced code that a line begins or is in. */
function fenceAfter(line: string, fence: string | null): string | null {
  const [, mark = '', info = ''] = FENCE.exec(line) ?? [];
  if (mark === '') return fence;
  if (fence === null) return mark.startsWith('`') && info.includes('`') ? null : mark;
  return mark[0] === fence[0] && mark.length >= fence.length && info.trim() === '' ? null : fence;
}

/** The length of the run that is open once this one has ended; 0 where none is. */
function openAfter(open: number, run: number): number {
  if (open === 0) return run;
  return run === open ? 0 : open;
}
