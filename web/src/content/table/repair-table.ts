// The rows of tables as models mean them: a pipe in code or in a formula divides no cells, and a row may have more cells
// than the head. Markdown cuts cells at every pipe and drops what the head has no column for.
import { findMath } from '../math/find-math.ts';
import { withoutPipes } from '../math/normalise-math.ts';

/** Tables with more cells than this are not widened: the surplus of a row stays in its last cell. */
const MOST_CELLS = 20_000;
const MOST_ADDED = 30;

const LEAD = /^[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*/;
const DELIMITERS = /^[ \t>]*(?:\|[ \t]*)?:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*(?:\|[ \t]*)?$/;
const MAY_HOLD_TABLE = /^[ \t>]*[|:-][ \t|:-]*$/m;
const FENCE = /^[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*(`{3,}|~{3,})/;
const LIST_MARK = /^[ \t>]*(?:[-*+]|\d{1,9}[.)])[ \t]/;
const BEGINS_BLOCK = /^[ \t]*(?:#{1,6}\s|>|`{3}|~{3}|[-*+]\s|\d{1,9}[.)]\s|(?:[-*_][ \t]*){3,}$)/;

/** The text with its tables so written that Markdown reads them as they are meant. */
export function repairTables(text: string): string {
  if (!text.includes('|') || !MAY_HOLD_TABLE.test(text)) return text;
  const lines = text.split('\n');
  let fence = '';
  let isInList = false;
  for (let index = 0; index < lines.length; index += 1) {
    const line = lines[index] ?? '';
    const [, marks = ''] = FENCE.exec(line) ?? [];
    if (fence !== '') fence = marks.startsWith(fence) ? '' : fence;
    else if (marks !== '') fence = marks;
    else if (isHead(line, lines[index + 1], isInList)) index = repairTable(lines, index) - 1;
    isInList ||= LIST_MARK.test(line);
  }
  return lines.join('\n');
}

function isHead(line: string, next: string | undefined, isInList: boolean): boolean {
  if (next === undefined || !line.includes('|') || !next.includes('|') || !DELIMITERS.test(next)) return false;
  return isInList || !/^(?: {4}|\t)/.test(line);
}

/** Rewrites the lines of a table from its head on; returns the index of the line after it. */
function repairTable(lines: string[], start: number): number {
  const width = readRow(lines[start + 1] ?? '', Infinity).cells;
  const isFramed = /^[ \t>]*\|/.test(lines[start + 1] ?? '');
  let end = start + 2;
  while (end < lines.length && isRow(lines[end] ?? '')) end += 1;
  const rows = [start, ...Array.from({ length: end - start - 2 }, (_, index) => start + 2 + index)].map((index) => ({
    index,
    ...readRow(lines[index] ?? '', width),
  }));
  const [head] = rows;
  // Without pipes at its ends, a line over dashes is more often a heading.
  if (!head || (head.cells !== width && !isFramed)) return end;
  const most = rows.reduce((cells, row) => Math.max(cells, row.cells), width);
  const isTooWide = most > width + MOST_ADDED || most * rows.length > MOST_CELLS;
  const columns = isTooWide ? Math.max(width, head.cells) : most;
  for (const { index, text, pipes } of rows) lines[index] = withoutSurplus(text, pipes, columns);
  lines[start] = widened(lines[start] ?? '', columns - head.cells, ' ');
  lines[start + 1] = widened(lines[start + 1] ?? '', columns - width, '---');
  return end;
}

function isRow(line: string): boolean {
  const row = line.replace(/^[ \t>]+/, '');
  return row !== '' && !BEGINS_BLOCK.test(row);
}

function widened(line: string, added: number, cell: string): string {
  if (added <= 0) return line;
  const row = line.trimEnd();
  return `${row}${row.endsWith('|') && !row.endsWith('\\|') ? '' : ' |'}${`${cell}|`.repeat(added)}`;
}

interface Row {
  /** With each pipe escaped that divides nothing. */
  text: string;
  cells: number;
  /** The offsets of the pipes between cells. */
  pipes: number[];
}

/** A row of a table of `width` columns. */
function readRow(line: string, width: number): Row {
  const plain = scanRow(line, () => false);
  if (!line.includes('`') && !line.includes('$') && !line.includes('\\(')) return plain;
  return scanRow(line, (code) => plain.cells > width || !/^\s/.test(code));
}

function scanRow(line: string, isCode: (code: string) => boolean): Row {
  const lead = LEAD.exec(line)?.[0].length ?? 0;
  const formulas = findMath(line, false).filter(({ type }) => type === 'formula');
  const pipes: number[] = [];
  let text = line.slice(0, lead);
  const mark = /\\[^]|`+|[|$]/g;
  let from = lead;
  mark.lastIndex = lead;
  for (let found = mark.exec(line); found; found = mark.exec(line)) {
    const at = found.index;
    const formula = formulas.find(({ start }) => start === at);
    const end = formula?.end ?? endOfCode(line, at, found[0]);
    text += line.slice(from, at);
    from = at;
    if (found[0] === '|') pipes.push(text.length);
    if (end !== undefined && (formula ?? isCode(line.slice(at + found[0].length, end - found[0].length)))) {
      const span = line.slice(at, end);
      text += formula ? withoutPipes(span) : span.replace(/(?<!\\)\|/g, '\\|');
      from = end;
      mark.lastIndex = end;
    }
  }
  text += line.slice(from);
  const row = text.slice(lead);
  const hasFirst = row.startsWith('|');
  const hasLast = pipes.length > (hasFirst ? 1 : 0) && text.slice((pipes.at(-1) ?? 0) + 1).trim() === '';
  const between = pipes.slice(hasFirst ? 1 : 0, hasLast ? -1 : undefined);
  return { text, cells: between.length + 1, pipes: between };
}

/** The end of a code span that marks open. */
function endOfCode(line: string, at: number, marks: string): number | undefined {
  if (!marks.startsWith('`')) return undefined;
  const closing = new RegExp(`(?<!\`)${marks}(?!\`)`, 'g');
  closing.lastIndex = at + marks.length;
  return closing.exec(line) ? closing.lastIndex : undefined;
}

/** Escapes the pipes after the last column. */
function withoutSurplus(text: string, pipes: readonly number[], columns: number): string {
  let written = '';
  let from = 0;
  for (const at of pipes.slice(columns - 1)) {
    written += `${text.slice(from, at)}\\`;
    from = at;
  }
  return written + text.slice(from);
}
