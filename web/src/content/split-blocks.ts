import { Lexer, type Token } from 'marked';
import { repairFences, type Insertion } from './fences/repair-fences.ts';
import { beginsDetails, endOfDetails, LONGEST_DETAILS } from './html/details.ts';
import { tagsAsMarkdown } from './html/tags.ts';
import { findMath, LONGEST_FORMULA, type Formula } from './math/find-math.ts';
import { FOUND_NOTHING, findReferences, joinReferences, NO_REFERENCES } from './references/references.ts';
import type { Found, References } from './references/references.ts';

export interface Split {
  text: string;
  /** The top-level blocks in order; joined they equal the text. */
  blocks: string[];
  /** What each block defines and mentions, and all of it together. */
  found: Found[];
  references: References;
  /** How it was read, and whether that makes a difference to it. */
  isComplete: boolean;
  isUncertain: boolean;
  /** UTF-16 units read since the previous split: the cost of this step. */
  lexed: number;
}

/**
 * Splits markdown into its top-level blocks. If the text continues that of the previous split, only the last two blocks
 * are read again: a step costs the length of the last two blocks and the new text, however long the rest. Two, because
 * new text can change the last block and the end of the one before it, never more. Once the text is complete, fences that
 * stayed open are read anew.
 */
export function splitBlocks(previous: Split | null, received: string, isComplete = false): Split {
  const text = received.includes('\r') ? received.replace(/\r\n?/g, '\n') : received;
  const isRereading = previous?.isUncertain === true && (isComplete || previous.isComplete);
  if (previous?.text === text && (!isRereading || previous.isComplete === isComplete)) return previous;
  const goesOn = previous !== null && !isRereading && text.startsWith(previous.text);
  const remaining = goesOn ? previous.blocks.slice(0, -REOPENED_BLOCKS) : [];
  const reopened = goesOn ? previous.blocks.slice(-REOPENED_BLOCKS) : [];
  const from = goesOn ? previous.text.length - reopened.reduce((sum, part) => sum + part.length, 0) : 0;
  const tail = text.slice(from);
  const { blocks, isUncertain } = lexBlocks(tail, isComplete);
  const read = glueSpans(blocks);
  const found = (goesOn ? previous.found.slice(0, remaining.length) : []).concat(read.map(findReferences));
  return {
    text,
    blocks: remaining.concat(read),
    found,
    references:
      previous && isSameFound(previous, found)
        ? previous.references
        : joinReferences(found, previous?.references ?? NO_REFERENCES),
    isComplete,
    isUncertain,
    lexed: tail.length,
  };
}

/** Most blocks define and mention nothing, and what is not read again is the same. */
function isSameFound({ found: before }: Split, after: readonly Found[]): boolean {
  const longer = Math.max(before.length, after.length);
  for (let index = 0; index < longer; index += 1)
    if ((before[index] ?? FOUND_NOTHING) !== (after[index] ?? FOUND_NOTHING)) return false;
  return true;
}

const REOPENED_BLOCKS = 2;

/**
 * Blank lines belong to the block before them, so that no block is blank (unless the text is). Only the lengths of the
 * lexer's tokens are used: it rewrites white space in some.
 */
function lexBlocks(text: string, isComplete: boolean): { blocks: string[]; isUncertain: boolean } {
  const repaired = repairFences(text, isComplete);
  const said = saidOffsets(repaired.insertions);
  const blocks: string[] = [];
  let from = 0;
  let lexed = 0;
  for (const token of lex(repaired.text)) {
    lexed += token.raw.length;
    const to = said(lexed);
    const piece = text.slice(from, to);
    const last = blocks.at(-1);
    const isGlued = last !== undefined && (piece.trim() === '' || last.trim() === '' || goesOnInFootnote(last, token));
    if (isGlued) blocks[blocks.length - 1] = last + piece;
    else blocks.push(piece);
    from = to;
  }
  return { blocks: from === text.length ? blocks : [text], isUncertain: repaired.isUncertain };
}

/** Where an offset of the repaired text is in the text as it was said. Call with rising offsets. */
function saidOffsets(insertions: readonly Insertion[]) {
  let next = 0;
  let inserted = 0;
  return (offset: number): number => {
    for (let one = insertions[next]; one && one.at + one.length <= offset; one = insertions[next]) {
      inserted += one.length;
      next += 1;
    }
    return offset - inserted - Math.max(0, offset - (insertions[next]?.at ?? offset));
  };
}

type Lexed = Pick<Token, 'type' | 'raw'> & { codeBlockStyle?: unknown };

const NESTED_MAX = 100;
/** The mark of a list or quote, with the space around it. */
const MARK = /[ \t]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+|>[ \t]*)/y;
const FAR_IN = /^[ \t]{200,}(?:[-*+]|\d{1,9}[.)])[ \t]/;
const FENCE = /^[ \t>]*(`{3,}|~{3,})/;

/**
 * Whether a block is better shown as it is than as lists in lists: the lexer takes a second and more for a hundred lists
 * or quotes within each other, and overflows its stack for a few thousand; nobody writes such text, a runaway model does.
 */
export function isTooDeep(text: string): boolean {
  let fence = '';
  for (const line of text.split('\n')) {
    const [, marks = ''] = FENCE.exec(line) ?? [];
    if (fence !== '') fence = marks.startsWith(fence) ? '' : fence;
    else if (marks !== '') fence = marks;
    else if (isDeepLine(line)) return true;
  }
  return false;
}

/** A list or quote in a hundred others, or by indentation; but not a line of dashes only, which is a rule. */
function isDeepLine(line: string): boolean {
  if (line.length < NESTED_MAX) return false;
  let marks = 0;
  for (MARK.lastIndex = 0; marks < NESTED_MAX && MARK.test(line);) marks += 1;
  if (marks < NESTED_MAX && !FAR_IN.test(line)) return false;
  const signs = new Set(line.replaceAll(/[ \t]/g, ''));
  return signs.size > 1 || !/[-*_]/.test(line);
}

/**
 * The lexer does not know footnotes: what it reads instead is a heading, which also begins on any line and is a block of
 * its own. Allowed tags, which begin no block of HTML, are replaced likewise. What is nested too deep it reads as words.
 * All of them have the length that they have.
 */
function lex(text: string): Lexed[] {
  const noted = text.includes('[^') ? text.replace(/^( {0,3})\[\^(?=[^\]\s]+\]:)/gm, '$1# ') : text;
  const known = tagsAsMarkdown(noted);
  const lines = known.split('\n');
  const isShallow = !lines.some(isDeepLine);
  const shallow = isShallow
    ? known
    : lines.map((line) => (isDeepLine(line) ? 'x'.repeat(line.length) : line)).join('\n');
  try {
    return new Lexer({ gfm: true }).blockTokens(shallow, []);
  } catch {
    // Thousands of nested marks overflow the lexer's stack.
    return [{ type: 'paragraph', raw: text }];
  }
}

/** What cannot interrupt a paragraph goes on in a footnote's, and indented code is more of the footnote. */
function goesOnInFootnote(last: string, { type, raw, codeBlockStyle }: Lexed): boolean {
  if (!/^\s* {0,3}\[\^[^\]\s]+\]:/.test(last)) return false;
  if (type === 'code') return codeBlockStyle === 'indented';
  if (/\n[ \t]*\n$/.test(last)) return false;
  return type === 'paragraph' || type === 'table' || type === 'def' || (type === 'heading' && !/^ {0,3}#/.test(raw));
}

/**
 * A display formula may contain blank lines and lines that look like lists or headings, and details any blocks: this
 * merges their blocks.
 */
function glueSpans(blocks: string[]): string[] {
  const glued: string[] = [];
  for (let index = 0; index < blocks.length; index += 1) {
    const count = spannedBlocks(blocks, index);
    glued.push(blocks.slice(index, index + count).join(''));
    index += count - 1;
  }
  return glued;
}

/**
 * How many blocks from this one on share a formula, or details: 1, or up to the closing delimiter, or all if it is still
 * to come.
 */
function spannedBlocks(blocks: string[], index: number): number {
  if (beginsDetails(blocks[index] ?? '')) return blocksOfDetails(blocks, index);
  const opener = findUnclosed(blocks[index] ?? '');
  if (!opener) return 1;
  let ahead = opener.source;
  for (let count = 1; ahead.length <= LONGEST_FORMULA; count += 1) {
    const next = blocks[index + count];
    if (next === undefined) return count;
    ahead += next;
    if (ahead.slice(0, LONGEST_FORMULA + 1).includes(opener.closer)) return count + 1;
  }
  return 1;
}

function blocksOfDetails(blocks: string[], index: number): number {
  let text = '';
  let next = index;
  for (; next < blocks.length && text.length <= LONGEST_DETAILS; next += 1) text += blocks[next];
  const end = endOfDetails(text);
  if (end === undefined) return text.length <= LONGEST_DETAILS ? blocks.length - index : 1;
  let count = 0;
  for (let length = 0; length < end; count += 1) length += blocks[index + count]?.length ?? end;
  return count;
}

function findUnclosed(block: string): { source: string; closer: string } | undefined {
  if (!/\$\$|\\\[|\\begin\{/.test(block)) return undefined;
  const last = findMath(block, true).at(-1);
  if (last?.type !== 'formula' || last.closed) return undefined;
  return { source: last.source, closer: closerOf(last) };
}

function closerOf({ opener, source }: Formula): string {
  if (opener === '\\') return source.slice(0, source.indexOf('}') + 1).replace('begin', 'end');
  return opener === '$$' ? '$$' : '\\]';
}
