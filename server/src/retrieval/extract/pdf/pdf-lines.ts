// Lines and paragraphs of a PDF page, from the runs of text that stand on it.

/** As pdf.js reports them, in the order of the page's content. */
export interface TextRun {
  str: string;
  /** 'rtl' for Arabic, Hebrew and the like. */
  dir: string;
  /** Whether a line ends behind it. */
  hasEOL: boolean;
  /** The last two are where it begins, from the lower left corner. */
  transform: number[];
  width: number;
  height: number;
}

interface Line {
  text: string;
  y: number;
  height: number;
}

/** Lines further apart than this many of their heights are of different paragraphs. */
const PARAGRAPH_GAP = 1.7;
/** A line shorter than this part of the longest is the last of its paragraph, or a line of its own. */
const FULL_LINE_SHARE_MIN = 0.6;

/** Paragraphs divided by empty lines. Lines of running text are joined, words that were divided at their ends too. */
export function linesOfPage(runs: readonly TextRun[]): string {
  const lines = readLines(runs);
  let longest = 0;
  for (const { text } of lines) longest = Math.max(longest, text.length);
  let page = '';
  let before: Line | null = null;
  for (const line of lines) {
    page = before ? joinLine(page, before, line, longest) : line.text;
    before = line;
  }
  return page;
}

function joinLine(page: string, before: Line, line: Line, longest: number): string {
  const gap = Math.abs(before.y - line.y);
  if (gap > PARAGRAPH_GAP * Math.max(before.height, line.height)) return `${page}\n\n${line.text}`;
  if (before.text.length < FULL_LINE_SHARE_MIN * longest) return `${page}\n${line.text}`;
  const isDivided = /\p{L}-$/u.test(before.text) && /^\p{Ll}/u.test(line.text);
  return isDivided ? page.slice(0, -1) + line.text : `${page} ${line.text}`;
}

function readLines(runs: readonly TextRun[]): Line[] {
  const lines: Line[] = [];
  let line: TextRun[] = [];
  for (const [index, run] of runs.entries()) {
    line.push(run);
    if (!run.hasEOL && index < runs.length - 1) continue;
    const text = textOfLine(line).trim();
    const height = line.reduce((most, one) => Math.max(most, one.height), 0);
    if (text !== '') lines.push({ text, y: line[0]?.transform[5] ?? 0, height });
    line = [];
  }
  return lines;
}

/** Letters in the shape that they have inside a word; nobody searches for those. */
const SHAPED = /[\ufb1d-\ufdff\ufe70-\ufefc]+/g;

function textOfLine(runs: readonly TextRun[]): string {
  let text = '';
  for (const { str } of inReadingOrder(runs)) text += str;
  return text.replace(SHAPED, (shaped) => shaped.normalize('NFKC'));
}

/** Some writers store what is read from the right as it stands on the page, from the left. */
function inReadingOrder(runs: readonly TextRun[]): readonly TextRun[] {
  const fromRight = runs.filter(isFromRight);
  if (!standsLeftToRight(fromRight)) return runs;
  const fromLeft = runs.filter(isFromLeft);
  if (lengthOf(fromRight) <= lengthOf(fromLeft)) return reverseStretches(runs, isFromRight);
  return reverseStretches(runs.toReversed(), isFromLeft);
}

function isFromRight({ dir }: TextRun): boolean {
  return dir === 'rtl';
}

function isFromLeft(run: TextRun): boolean {
  return !isFromRight(run) && /[\p{L}\p{N}]/u.test(run.str);
}

function standsLeftToRight(runs: readonly TextRun[]): boolean {
  let balance = 0;
  for (const [index, { transform }] of runs.entries()) {
    const before = runs[index - 1]?.transform[4];
    if (before !== undefined) balance += Math.sign((transform[4] ?? 0) - before);
  }
  return balance > 0;
}

function lengthOf(runs: readonly TextRun[]): number {
  return runs.reduce((sum, { str }) => sum + str.length, 0);
}

/** Reverses each stretch of runs of one direction; what has none belongs to a stretch that surrounds it. */
function reverseStretches(runs: readonly TextRun[], isOfIt: (run: TextRun) => boolean): TextRun[] {
  let ordered: TextRun[] = [];
  let stretch: TextRun[] = [];
  let gap: TextRun[] = [];
  const end = () => {
    ordered = ordered.concat(stretch.reverse(), gap);
    stretch = [];
    gap = [];
  };
  for (const run of runs) {
    if (isOfIt(run)) {
      if (stretch.length === 0) end();
      stretch.push(...gap, run);
      gap = [];
    } else if (isFromLeft(run) || isFromRight(run)) {
      end();
      ordered.push(run);
    } else {
      gap.push(run);
    }
  }
  end();
  return ordered;
}
