import { Lexer } from 'marked';
import { findMath, LONGEST_FORMULA } from './math/find-math.ts';

export interface Split {
  text: string;
  /** The top-level blocks in order; joined they equal the text. */
  blocks: string[];
  /** UTF-16 units read since the previous split: the cost of this step. */
  lexed: number;
}

/**
 * Splits markdown into its top-level blocks. If the text continues that of the previous split, only the last two blocks
 * are read again: a step costs the length of the last two blocks and the new text, however long the rest. Two, because
 * new text can change the last block and the end of the one before it, never more.
 */
export function splitBlocks(previous: Split | null, received: string): Split {
  const text = received.includes('\r') ? received.replace(/\r\n?/g, '\n') : received;
  if (previous?.text === text) return previous;
  const goesOn = previous !== null && text.startsWith(previous.text);
  const remaining = goesOn ? previous.blocks.slice(0, -REOPENED_BLOCKS) : [];
  const reopened = goesOn ? previous.blocks.slice(-REOPENED_BLOCKS) : [];
  const from = goesOn ? previous.text.length - lengthOf(reopened) : 0;
  const tail = text.slice(from);
  return { text, blocks: remaining.concat(glueFormulas(lexBlocks(tail))), lexed: tail.length };
}

const REOPENED_BLOCKS = 2;

function lengthOf(parts: string[]): number {
  return parts.reduce((sum, part) => sum + part.length, 0);
}

/**
 * Blank lines belong to the block before them, so that no block is blank (unless the text is). Only the lengths of the
 * lexer's tokens are used: it rewrites white space in some.
 */
function lexBlocks(text: string): string[] {
  const blocks: string[] = [];
  let from = 0;
  for (const length of lexLengths(text)) {
    const piece = text.slice(from, from + length);
    const last = blocks.at(-1);
    if (last !== undefined && (piece.trim() === '' || last.trim() === '')) blocks[blocks.length - 1] = last + piece;
    else blocks.push(piece);
    from += length;
  }
  return from === text.length ? blocks : [text];
}

/**
 * A hundred lists or quotes within each other. The lexer takes a second and more for them, and overflows its stack for a
 * few thousand; nobody writes such text, a runaway model does.
 */
const TOO_DEEP = /^[ \t]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+|>[ \t]*){100}|^[ \t]{200,}(?:[-*+]|\d{1,9}[.)])[ \t]/m;

/** Whether text is better shown as it is than as lists in lists. */
export function isTooDeep(text: string): boolean {
  return TOO_DEEP.test(text);
}

function lexLengths(text: string): number[] {
  if (isTooDeep(text)) return [text.length];
  try {
    return new Lexer({ gfm: true }).blockTokens(text, []).map(({ raw }) => raw.length);
  } catch {
    // Thousands of nested quotes overflow the lexer's stack.
    return [text.length];
  }
}

/** A display formula may contain blank lines and lines that look like lists or headings: this merges its blocks. */
function glueFormulas(blocks: string[]): string[] {
  const glued: string[] = [];
  for (let index = 0; index < blocks.length; index += 1) {
    const count = spannedBlocks(blocks, index);
    glued.push(blocks.slice(index, index + count).join(''));
    index += count - 1;
  }
  return glued;
}

/**
 * How many blocks from this one on share a formula: 1, or up to the closing delimiter, or all if it is still to come.
 */
function spannedBlocks(blocks: string[], index: number): number {
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

function findUnclosed(block: string): { source: string; closer: string } | undefined {
  if (!block.includes('$$') && !block.includes('\\[')) return undefined;
  const last = findMath(block, true).at(-1);
  if (last?.type !== 'formula' || last.closed) return undefined;
  return { source: last.source, closer: last.opener === '$$' ? '$$' : '\\]' };
}
