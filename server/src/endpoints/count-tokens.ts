import { setImmediate as breathe } from 'node:timers/promises';
import { loadTokenCounter } from './tokens.ts';

/**
 * Pieces that end before a space where they can, so that the sum is what the whole has. The tokenizer's time grows with
 * the square of an unbroken run: 40,000 equal letters at once would take two seconds.
 */
const PIECES = /[^]{1,500}(?=\s)|[^]{1,500}/gu;
/** Pieces counted before other work gets its turn; a few milliseconds at worst. */
const AT_ONCE = 20;

/** Counts the tokens of a text of any length, without keeping the process from its other work. */
export async function countTokens(text: string): Promise<number> {
  const count = await loadTokenCounter();
  const pieces = text.match(PIECES) ?? [];
  let sum = 0;
  for (const [index, piece] of pieces.entries()) {
    if (index % AT_ONCE === 0) await breathe();
    sum += count(piece);
  }
  return sum;
}
