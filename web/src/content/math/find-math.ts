/** The longest formula, in UTF-16 units; an opening delimiter without a closing one within it is ordinary text. */
export const LONGEST_FORMULA = 20_000;

type Opener = '$' | '$$' | '\\(' | '\\[';

export interface Formula {
  type: 'formula';
  opener: Opener;
  /** Offsets in the text, delimiters included. */
  start: number;
  end: number;
  /** The text between the delimiters. */
  source: string;
  /** False for a display formula whose closing delimiter has not arrived; it then extends to the end of the text. */
  closed: boolean;
}

/** A run of two or more dollars that opens nothing. */
export interface StrayDollars {
  type: 'stray';
  start: number;
  end: number;
}

/**
 * Finds the formulas of a piece of markdown: `$..$`, `$$..$$`, `\(..\)` and `\[..\]`, never inside code. A single
 * dollar opens a formula only before a character that is neither a digit (money) nor a space. Only the next dollar can
 * close it, after a visible character and not before a digit (`$5-$10`, `$HOME/$PATH`). With `open` (more text is
 * coming) a display formula at the start of its line may lack its closing delimiter.
 */
export function findMath(text: string, open: boolean): (Formula | StrayDollars)[] {
  const spans: (Formula | StrayDollars)[] = [];
  const source = { text, open, findCloser: closerFinder(text) };
  const mark = /[\\`~$]/g;
  for (let found = mark.exec(text); found; found = mark.exec(text)) {
    const span = readFormula(source, found.index) ?? readStray(text, found.index);
    if (span) spans.push(span);
    mark.lastIndex = span ? span.end : endOfOther(text, found.index);
  }
  return spans;
}

type FindCloser = ReturnType<typeof closerFinder>;

interface Source {
  text: string;
  open: boolean;
  findCloser: FindCloser;
}

/** Call with rising offsets; scans the text once per closing delimiter, however many openers have none. */
function closerFinder(text: string) {
  const known = new Map<string, number>();
  return (closer: '$$' | '\\)' | '\\]', from: number): number => {
    let at = known.get(closer) ?? -1;
    if (at < from) {
      const found = text.indexOf(closer, from);
      at = found === -1 ? Infinity : found;
      known.set(closer, at);
    }
    return at - from < LONGEST_FORMULA ? at : -1;
  };
}

function readFormula(source: Source, at: number): Formula | undefined {
  const { text } = source;
  if (text.startsWith('\\[', at)) return readDisplay(source, at, '\\[');
  if (text.startsWith('\\(', at)) return readBracketed(source, at);
  if (text[at] !== '$') return undefined;
  const run = runLength(text, at);
  if (run === 2) return readDisplay(source, at, '$$');
  return run === 1 ? readDollar(text, at) : undefined;
}

function readStray(text: string, start: number): StrayDollars | undefined {
  const run = text[start] === '$' ? runLength(text, start) : 0;
  return run >= 2 ? { type: 'stray', start, end: start + run } : undefined;
}

/**
 * Only display math at the start of its line may contain blank lines or be unclosed: in prose `$$` is more often shell.
 */
function readDisplay({ text, open, findCloser }: Source, start: number, opener: '$$' | '\\['): Formula | undefined {
  const from = start + 2;
  const close = findCloser(opener === '$$' ? '$$' : '\\]', from);
  const leads = startsLine(text, start);
  if (close === -1) {
    const waits = open && leads && text.length - from <= LONGEST_FORMULA;
    const end = text.length;
    return waits ? { type: 'formula', opener, start, end, source: text.slice(from), closed: false } : undefined;
  }
  const source = text.slice(from, close);
  if (source.trim() === '' || (!leads && BLANK_LINE.test(source))) return undefined;
  if (opener === '\\[' && text[close + 2] === '(') return undefined;
  return { type: 'formula', opener, start, end: close + 2, source, closed: true };
}

function readBracketed({ text, findCloser }: Source, start: number): Formula | undefined {
  const close = findCloser('\\)', start + 2);
  const source = text.slice(start + 2, close);
  if (close === -1 || source.trim() === '' || BLANK_LINE.test(source)) return undefined;
  return { type: 'formula', opener: '\\(', start, end: close + 2, source, closed: true };
}

function readDollar(text: string, start: number): Formula | undefined {
  if (/[\s\d]/.test(text[start + 1] ?? ' ') || /\d/.test(text[start - 1] ?? '')) return undefined;
  const close = closingDollar(text, start + 1);
  const source = text.slice(start + 1, close);
  if (close === -1 || /\s$/.test(source) || BLANK_LINE.test(source)) return undefined;
  if (NO_CLOSER_BEFORE.test(text.slice(close + 1, close + 3))) return undefined;
  return { type: 'formula', opener: '$', start, end: close + 1, source, closed: true };
}

const BLANK_LINE = /\n[ \t>]*\n/;
const NO_CLOSER_BEFORE = /^(?:[\d$]|[A-Z_]{2})/;

/** The next unescaped dollar; a backtick or a blank line before it means there is no formula. */
function closingDollar(text: string, from: number): number {
  const mark = /[\\$`]|\n[ \t>]*\n/g;
  mark.lastIndex = from;
  for (let found = mark.exec(text); found && found.index - from < LONGEST_FORMULA; found = mark.exec(text)) {
    if (found[0] === '$') return found.index;
    if (found[0] !== '\\') return -1;
    mark.lastIndex = found.index + 2;
  }
  return -1;
}

/** Where to continue after a non-formula: an escape, a fenced block, a code span, a run of marks. */
function endOfOther(text: string, at: number): number {
  if (text[at] === '\\') return at + 2;
  const run = runLength(text, at);
  if (run >= 3 && startsLine(text, at)) return endOfFence(text, at, run);
  return text[at] === '`' ? endOfCodeSpan(text, at, run) : at + run;
}

function endOfFence(text: string, at: number, run: number): number {
  const close = new RegExp(`\\n[ \\t>]*${text[at]}{${run},}[ \\t]*(?=\\n|$)`, 'g');
  close.lastIndex = at;
  return close.exec(text) ? close.lastIndex : text.length;
}

function endOfCodeSpan(text: string, at: number, run: number): number {
  const mark = /`+|\n[ \t>]*\n/g;
  mark.lastIndex = at + run;
  for (let found = mark.exec(text); found; found = mark.exec(text)) {
    if (found[0].startsWith('\n')) break;
    if (found[0].length === run) return mark.lastIndex;
  }
  return at + run;
}

function runLength(text: string, at: number): number {
  let end = at + 1;
  while (text[end] === text[at]) end += 1;
  return end - at;
}

const LINE_LEAD = /(?:^|\n)[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*$/;
const LONGEST_LEAD = 60;

/** Whether only indentation, quote marks and list markers precede the offset in its line. */
function startsLine(text: string, at: number): boolean {
  const before = text.slice(Math.max(0, at - LONGEST_LEAD), at);
  return at > LONGEST_LEAD ? LINE_LEAD.test(before) && before.includes('\n') : LINE_LEAD.test(before);
}
