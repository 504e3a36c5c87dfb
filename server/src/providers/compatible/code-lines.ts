// Where a text is code, line by line while it streams: what stands in code is no markup.

const FENCE = /^[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?(`{3,}|~{3,})(.*)/;
/** How far the end of a span of code is looked for, in characters. */
const SPAN_MAX = 2000;

export interface CodeLines {
  /** More of the text. */
  add(text: string): void;
  /** A new text begins. */
  reset(): void;
  /** The line so far. */
  line(): string;
  isFenced(): boolean;
  /**
   * Whether the end of the text is inside a span of code that ends in `rest` on the same line; null where more of the text
   * is needed to tell. `isEnd`: there is no more.
   */
  isInSpan(rest: string, isEnd: boolean): boolean | null;
}

export function createCodeLines(): CodeLines {
  let line = '';
  let fence: string | null = null;
  return {
    add(text) {
      const [first = '', ...more] = text.split('\n');
      line += first;
      for (const next of more) {
        fence = fenceAfter(line, fence);
        line = next;
      }
    },
    reset() {
      line = '';
      fence = null;
    },
    line: () => line,
    isFenced: () => fence !== null || FENCE.test(line),
    isInSpan(rest, isEnd) {
      const open = openRun(line);
      if (open === 0) return false;
      const [sameLine = ''] = rest.slice(0, SPAN_MAX).split('\n', 1);
      const isWhole = isEnd || sameLine.length < rest.length || sameLine.length === SPAN_MAX;
      for (const run of sameLine.matchAll(/`+/g)) {
        if (!isWhole && run.index + run[0].length === sameLine.length) return null;
        if (run[0].length === open) return true;
      }
      return isWhole ? false : null;
    },
  };
}

/** The mark of the fenced code that a line begins or is in. */
function fenceAfter(line: string, fence: string | null): string | null {
  const [, mark = '', info = ''] = FENCE.exec(line) ?? [];
  if (mark === '') return fence;
  if (fence === null) return mark.startsWith('`') && info.includes('`') ? null : mark;
  return mark[0] === fence[0] && mark.length >= fence.length && info.trim() === '' ? null : fence;
}

/** The length of the run of backticks that is open at the end of a line; 0 where none is. */
function openRun(line: string): number {
  let open = 0;
  for (const [run] of line.matchAll(/`+/g)) {
    if (open === 0) open = run.length;
    else if (run.length === open) open = 0;
  }
  return open;
}
