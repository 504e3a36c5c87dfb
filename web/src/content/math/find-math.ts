/** The longest formula, in UTF-16 units; an opening delimiter without a closing one within it is ordinary text. */
export const LONGEST_FORMULA = 20_000;

/** `\\` stands for source without delimiters: an environment, or a chemical formula. */
type Opener = '$' | '$$' | '\\(' | '\\[' | '\\';

export interface Formula {
  type: 'formula';
  opener: Opener;
  /** Offsets in the text, delimiters included. */
  start: number;
  end: number;
  /** The text between the delimiters. */
  source: string;
  /** Whether it stands on lines of its own. */
  displayed: boolean;
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
 * Finds the formulas of a piece of markdown, never inside code: `$..$`, `$$..$$`, `\(..\)`, `\[..\]`, and without
 * delimiters `\begin{..}..\end{..}` of an environment that the typesetter knows, `\ce{..}` and `\pu{..}`. Only the next
 * dollar can close a single one, and not before a digit (`$5-$10`, `$HOME/$PATH`); beside a digit (money) or a space, it
 * encloses a formula only if what is between can be nothing else. With `open` (more text is coming) a display formula at
 * the start of its line may lack its closing delimiter.
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
  return (closer: string, from: number): number => {
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
  if (text.startsWith('\\begin{', at)) return readEnvironment(source, at);
  if (/^\\(?:ce|pu)\{/.test(text.slice(at, at + 4))) return readChemistry(text, at);
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
    const source = text.slice(from);
    return waits ? { type: 'formula', opener, start, end, source, displayed: true, closed: false } : undefined;
  }
  const source = text.slice(from, close);
  if (source.trim() === '' || (!leads && BLANK_LINE.test(source))) return undefined;
  if (opener === '\\[' && text[close + 2] === '(') return undefined;
  return { type: 'formula', opener, start, end: close + 2, source, displayed: true, closed: true };
}

function readBracketed({ text, findCloser }: Source, start: number): Formula | undefined {
  const close = findCloser('\\)', start + 2);
  const source = text.slice(start + 2, close);
  if (close === -1 || source.trim() === '' || BLANK_LINE.test(source)) return undefined;
  return {
    type: 'formula',
    opener: '\\(',
    start,
    end: close + 2,
    source,
    displayed: isOnlyDisplayed(source),
    closed: true,
  };
}

/** Environments that the typesetter knows or that are written as one that it knows. Some it only displays. */
const INLINE_ENVIRONMENT =
  /^(?:aligned|alignedat|gathered|split|d?array|[bBpvV]?matrix\*?|smallmatrix|[dr]{0,2}cases)$/;
const DISPLAY_ENVIRONMENT = /^(?:equation|align|alignat|flalign|gather|multline|eqnarray)\*?$|^CD$/;
const BEGIN = /^\\begin\{([A-Za-z]{2,10}\*?)\}/;
const BEGIN_LENGTH = 20;

/** An environment without delimiters around it, up to its own end: environments of one name may be in each other. */
function readEnvironment({ text, open, findCloser }: Source, start: number): Formula | undefined {
  const name = BEGIN.exec(text.slice(start, start + BEGIN_LENGTH))?.[1] ?? '';
  const isDisplay = DISPLAY_ENVIRONMENT.test(name);
  if (!isDisplay && !INLINE_ENVIRONMENT.test(name)) return undefined;
  const leads = startsLine(text, start);
  const opener = '\\';
  const end = findCloser(`\\end{${name}}`, start) === -1 ? -1 : endOfEnvironment(text, start, name);
  if (end === -1) {
    const waits = open && leads && text.length - start <= LONGEST_FORMULA;
    const source = text.slice(start);
    return waits
      ? { type: 'formula', opener, start, end: text.length, source, displayed: true, closed: false }
      : undefined;
  }
  const source = text.slice(start, end);
  if (!leads && BLANK_LINE.test(source)) return undefined;
  return { type: 'formula', opener, start, end, source, displayed: leads || isDisplay, closed: true };
}

function endOfEnvironment(text: string, start: number, name: string): number {
  const ends = new RegExp(`\\\\(begin|end)\\{${name.replace('*', '\\*')}\\}`, 'g');
  ends.lastIndex = start;
  let depth = 0;
  for (let found = ends.exec(text); found && found.index - start < LONGEST_FORMULA; found = ends.exec(text)) {
    depth += found[1] === 'begin' ? 1 : -1;
    if (depth === 0) return ends.lastIndex;
  }
  return -1;
}

/** A formula that holds what the typesetter refuses within a line is displayed, whatever stands around it. */
function isOnlyDisplayed(source: string): boolean {
  return [...source.matchAll(/\\begin\{([A-Za-z]+\*?)\}/g)].some(([, name = '']) => DISPLAY_ENVIRONMENT.test(name));
}

/** `\ce{..}` or `\pu{..}` in the midst of words, up to the brace that closes it in its line. */
function readChemistry(text: string, start: number): Formula | undefined {
  let depth = 0;
  for (let at = start + 3; at < text.length && at - start < LONGEST_CHEMISTRY && text[at] !== '\n'; at += 1) {
    if (text[at] === '{') depth += 1;
    if (text[at] === '}') depth -= 1;
    if (depth === 0) {
      const source = text.slice(start, at + 1);
      return { type: 'formula', opener: '\\', start, end: at + 1, source, displayed: false, closed: true };
    }
  }
  return undefined;
}

const LONGEST_CHEMISTRY = 500;

function readDollar(text: string, start: number): Formula | undefined {
  if (/\d/.test(text[start - 1] ?? '')) return undefined;
  const ticked = TICKED.exec(text.slice(start, start + LONGEST_CHEMISTRY))?.[1];
  const close = ticked === undefined ? closingDollar(text, start + 1) : start + ticked.length + 3;
  const source = ticked ?? text.slice(start + 1, close);
  if (close === -1 || source.trim() === '' || BLANK_LINE.test(source)) return undefined;
  if (NO_CLOSER_BEFORE.test(text.slice(close + 1, close + 3))) return undefined;
  if (/^[\s\d]|\s$/.test(source) && !isMath(source)) return undefined;
  return {
    type: 'formula',
    opener: '$',
    start,
    end: close + 1,
    source,
    displayed: isOnlyDisplayed(source),
    closed: true,
  };
}

/** The dollars of GitLab and GitHub, which have backticks inside. */
const TICKED = /^\$`([^`\n]+)`\$/;
const COMMAND = /\\(?:(?:text|mbox|mathrm|operatorname)[a-z]*\*?\s*\{[^{}]*\}|[a-zA-Z]+)/g;

/** Whether a text that begins with a digit, or is beside a space, can only be a formula: not prices and what is between. */
function isMath(source: string): boolean {
  const rest = source.replace(COMMAND, ' ');
  const hasCommand = rest !== source;
  if (/[a-zA-Z]{3}|[^\P{L}a-zA-Z\p{sc=Greek}]|["“”„’\p{Sc}]/u.test(rest)) return false;
  const isSpaced = /^\s/.test(source);
  if (isSpaced !== /\s$/.test(source)) return hasCommand;
  if (isSpaced) return hasCommand || (/[=^_<>≤≥≈+]/.test(rest) && !/[a-zA-Z]{2}/.test(rest));
  if (/[-+*/=<>,.;:([_^&|]$/.test(source)) return false;
  return hasCommand || /[=^_]/.test(rest) || !/[a-zA-Z]{2}|\s[a-zA-Z]+\s/.test(rest);
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
export function endOfOther(text: string, at: number): number {
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
export function startsLine(text: string, at: number): boolean {
  const before = text.slice(Math.max(0, at - LONGEST_LEAD), at);
  return at > LONGEST_LEAD ? LINE_LEAD.test(before) && before.includes('\n') : LINE_LEAD.test(before);
}
