import { DEEPEST_HTML } from './tags.ts';
import { endOfOther, startsLine } from '../math/find-math.ts';

/** The longest text that is folded, in UTF-16 units: it is one block, which is read again as it grows. */
export const LONGEST_DETAILS = 50_000;

const START = /^(?:[ \t]*\n)* {0,3}<details(\s+open)?\s*>/i;
const SUMMARY = /^\s*<summary\s*>([^]*?)<\/summary\s*>/i;

/** Whether a block begins with details to be folded. */
export function beginsDetails(block: string): boolean {
  return block.includes('<') && START.test(block);
}

/**
 * The offset after the end tag of the details that a text begins with; undefined where it is not in the text. Tags in code
 * do not count.
 */
export function endOfDetails(text: string): number | undefined {
  return scanDetails(text).end;
}

/** `depth`: how many details are within each other. */
function scanDetails(text: string): { end: number | undefined; depth: number } {
  const mark = /[\\`~]|<(\/?)details(?:\s+open)?\s*>/gi;
  let open = 0;
  let depth = 0;
  for (let found = mark.exec(text); found; found = mark.exec(text)) {
    const [tag, slash] = found;
    if (slash === undefined) mark.lastIndex = endOfOther(text, found.index);
    else if (slash === '' && startsLine(text, found.index)) open += 1;
    else if (slash !== '') open -= 1;
    depth = Math.max(depth, open);
    if (open === 0 && slash !== undefined) return { end: found.index + tag.length, depth };
  }
  return { end: undefined, depth };
}

export interface Details {
  isOpen: boolean;
  /** Markdown. */
  summary: string;
  text: string;
  /** What follows it in the block. */
  rest: string;
}

/** The parts of details that a block begins with; undefined if there are none, or too many within each other. */
export function readDetails(block: string): Details | undefined {
  if (!beginsDetails(block)) return undefined;
  const [start = '', open] = START.exec(block) ?? [];
  const { end, depth } = scanDetails(block);
  if (depth > DEEPEST_HTML) return undefined;
  const inner = block.slice(start.length, end).replace(end === undefined ? '' : /<\/details\s*>$/i, '');
  const [named = '', summary = ''] = SUMMARY.exec(inner) ?? [];
  return {
    isOpen: open !== undefined,
    summary: summary.trim(),
    text: inner.slice(named.length),
    rest: end === undefined ? '' : block.slice(end),
  };
}
