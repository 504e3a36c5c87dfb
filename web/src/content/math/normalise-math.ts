import { findMath, type Formula, type StrayDollars } from './find-math.ts';

/** Prefix of a display formula's source; a private use character, which no ordinary text contains. */
export const DISPLAY_MARK = '\uE000';

/** Stands after it where brackets enclose the formula, so that it can be shown as it was written. */
export const BRACKET_MARK = '\uE004';

/** Stands there instead for a formula without delimiters. */
export const BARE_MARK = '\uE005';

/**
 * Rewrites the formulas of a piece of markdown into the only form the parser accepts: `$$ source $$` on a single line,
 * with the prefix DISPLAY_MARK for display math, then BRACKET_MARK for `\(..\)` and `\[..\]`, or BARE_MARK for source
 * without delimiters. One line, because the parser would read blank lines, list markers and quote marks inside a formula as markdown. Every other dollar stays
 * text: prices, ranges, shell variables, code. With `open` (more text is coming) an unclosed display formula is closed
 * at the end.
 */
export function normaliseMath(text: string, open = false): string {
  if (!/\$|\\(?:[([]|begin\{|ce\{|pu\{)/.test(text) || isIndentedCode(text)) return text;
  let written = '';
  let from = 0;
  for (const span of findMath(text, open)) {
    written +=
      text.slice(from, span.start) + (span.type === 'formula' ? writeFormula(text, span) : escaped(text, span));
    from = span.end;
  }
  return written + text.slice(from);
}

function isIndentedCode(text: string): boolean {
  return text.split('\n').every((line) => line === '' || /^(?: {4}|\t)/.test(line));
}

function escaped(text: string, { start, end }: StrayDollars): string {
  return text.slice(start, end).replaceAll('$', '\\$');
}

function writeFormula(text: string, span: Formula): string {
  const line = text.slice(text.lastIndexOf('\n', span.start - 1) + 1, span.start);
  const source = inTableRow(line) ? withoutPipes(oneLine(span.source, line)) : oneLine(span.source, line);
  const marks = (span.displayed ? DISPLAY_MARK : '') + delimiterMark(span);
  return source === '' ? '' : `$$ ${marks}${source} $$`;
}

function delimiterMark({ opener }: Formula): string {
  if (opener === '\\') return BARE_MARK;
  return opener.startsWith('\\') ? BRACKET_MARK : '';
}

/** A displayed formula in the normal form, of source that needs no delimiters, as in a block of code that is one. */
export function displayedSource(source: string): string {
  return `${DISPLAY_MARK}${BARE_MARK}${oneLine(source, '')}`;
}

/**
 * A comment ends with its line, and quote marks start each line of a quote: remove both before joining the lines. A
 * percent sign after a digit, or in a formula of one line, is a percent sign.
 */
function oneLine(source: string, lineBefore: string): string {
  const isOne = !source.trim().includes('\n');
  const lines = source
    .split('\n')
    .map((line) => line.replace(isOne ? /(?<!\\)%/g : /(?<=\d ?)%/g, '\\%').replace(/(?<!\\)%.*/, ''));
  const quoted = lineBefore.trimStart().startsWith('>');
  return lines
    .map((line, index) => (quoted && index > 0 ? line.replace(/^[ \t>]+/, '') : line).trim())
    .join(' ')
    .trim();
}

function inTableRow(lineBefore: string): boolean {
  return lineBefore.trimStart().startsWith('|');
}

/** The source of a formula for a cell of a table. */
export function withoutPipes(source: string): string {
  return source.replaceAll('\\|', '\\Vert ').replaceAll('|', '\\vert ');
}
