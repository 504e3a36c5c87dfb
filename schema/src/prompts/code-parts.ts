// Tests of this room: tests/unit/schema.

// Where the text of a prompt is code or a formula, in which two braces have a meaning of their own.

/** In characters: how far before a pair of braces it is looked for what makes them code. */
const LOOK_BACK = 500;
/** A longer one on one line is no formula. */
const FORMULA_MAX = 2000;

/**
 * Behind the code that begins here: a fence, a span between backticks, or a formula. `at` where none begins.
 * Called once for each place that no earlier part covers.
 */
export function skipCode(body: string, at: number): number {
  switch (body[at]) {
    case '`':
      return skipFence(body, at) ?? skipSpan(body, at);
    case '~':
      return skipFence(body, at) ?? at;
    case '$':
      return skipDollars(body, at);
    case '\\':
      return skipBracketed(body, at);
    default:
      return at;
  }
}

/** Whether the braces at `open` are code by what stands before them, such as `${{ x }}` or `style={{color}}`. */
export function isCodeBrace(body: string, open: number): boolean {
  const before = body.slice(Math.max(0, open - LOOK_BACK), open);
  const isTriple = before.endsWith('{') || body.startsWith('{{{', open);
  return isTriple || /[$^]$/.test(before) || isOfElement(before) || isArgument(before);
}

/** A fence is the first on its line but for quotes, lists and spaces; one that is not closed ends with the text. */
function skipFence(body: string, at: number): number | null {
  const sign = body[at] ?? '';
  const length = runLength(body, at);
  if (length < 3) return null;
  const before = body.slice(Math.max(0, at - LOOK_BACK), at);
  if (!/^(?:[\s>]|[-*+] |\d{1,9}[.)] )*$/.test(before.slice(before.lastIndexOf('\n') + 1))) return null;
  const firstLine = lineEnd(body, at + length);
  if (sign === '`' && body.slice(at + length, firstLine).includes('`')) return null;
  for (let line = firstLine + 1; line <= body.length; line = lineEnd(body, line) + 1) {
    const end = lineEnd(body, line);
    const text = body
      .slice(line, end)
      .replace(/^[\s>]*/, '')
      .trimEnd();
    if (text.length >= length && text === sign.repeat(text.length)) return end;
  }
  return body.length;
}

/** Between two runs of as many backticks within a paragraph. A run that nothing closes is skipped alone. */
function skipSpan(body: string, at: number): number {
  const length = runLength(body, at);
  for (let next = at + length; (next = body.indexOf('`', next)) >= 0;) {
    const found = runLength(body, next);
    if (found === length) return isOneParagraph(body.slice(at, next)) ? next + found : at + length;
    next += found;
  }
  return at + length;
}

/** `$$…$$` within a paragraph, and `$…$` on a line, where it is no price: no space within, no letter or digit around. */
function skipDollars(body: string, at: number): number {
  // What GitHub's workflows write is no formula.
  if (body.startsWith('${{', at)) return at;
  if (body.startsWith('$$', at)) return closedAt(body, '$$', at + 2) ?? at + 2;
  if (/[\p{L}\p{N}\\]/u.test(body[at - 1] ?? '') || /^\s?$/.test(body[at + 1] ?? '')) return at;
  const end = Math.min(lineEnd(body, at), at + FORMULA_MAX);
  const close = body.indexOf('$', at + 1);
  const isFormula = close >= 0 && close < end && !/[\s\\{]/.test(body[close - 1] ?? '');
  return isFormula && !/[\p{L}\p{N}{]/u.test(body[close + 1] ?? '') ? close + 1 : at;
}

/** `\(…\)` and `\[…\]`. */
function skipBracketed(body: string, at: number): number {
  const close = { '(': '\\)', '[': '\\]' }[body[at + 1] ?? ''];
  if (close === undefined || body[at - 1] === '\\') return at;
  return closedAt(body, close, at + 2) ?? at;
}

/** An attribute in a tag that is open: `<div style={{ color }}`. */
function isOfElement(before: string): boolean {
  if (!/[\w:-]\s*=\s*$/.test(before)) return false;
  const tag = before.slice(before.lastIndexOf('<'));
  return /^<[a-z]/i.test(tag) && !tag.replaceAll('=>', '').includes('>');
}

/** Of a command of LaTeX, of which braces and brackets follow one another: `\frac{{a}}{{b}}`. `\n` before a field is none. */
function isArgument(before: string): boolean {
  let end = before.length;
  while (before[end - 1] === '}' || before[end - 1] === ']') {
    const start = groupStart(before, end);
    if (start === null) return false;
    end = start;
  }
  return /\\[a-z]{2,32}\*?$/i.test(before.slice(Math.max(0, end - 40), end));
}

/** Where the group begins that ends before `end`; null where it does not begin in the text. */
function groupStart(text: string, end: number): number | null {
  let depth = 0;
  for (let at = end - 1; at >= 0; at--) {
    if (text[at] === '}' || text[at] === ']') depth++;
    if ((text[at] === '{' || text[at] === '[') && --depth === 0) return at;
  }
  return null;
}

/** Behind the sign, within the paragraph. */
function closedAt(body: string, sign: string, from: number): number | null {
  const inner = body.slice(from, from + FORMULA_MAX);
  const close = inner.indexOf(sign);
  return close >= 0 && isOneParagraph(inner.slice(0, close)) ? from + close + sign.length : null;
}

/** How often the sign at `at` follows itself. */
function runLength(body: string, at: number): number {
  let end = at;
  while (end < body.length && body[end] === body[at]) end++;
  return end - at;
}

function lineEnd(body: string, from: number): number {
  const end = body.indexOf('\n', from);
  return end < 0 ? body.length : end;
}

function isOneParagraph(text: string): boolean {
  return !/\n[ \t\r]*\n/.test(text);
}
