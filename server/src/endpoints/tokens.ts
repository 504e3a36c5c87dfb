// Counting tokens. The tokenizer takes a quarter of a second and 60 MB to load, so it is loaded when a count matters.
import { setImmediate as breathe } from 'node:timers/promises';

/** A bound that costs nothing: a token is at least one byte of UTF-8. */
export function atMostTokens(text: string): number {
  return Buffer.byteLength(text);
}

/**
 * A guess for what is far from any limit, at the cost of a look at each character: four letters a token, as English has
 * it, and three bytes of any other script.
 */
export function aboutTokens(text: string): number {
  let letters = 0;
  for (let index = 0; index < text.length; index++) if (text.charCodeAt(index) < 0x80) letters++;
  return Math.ceil(letters / 4 + (Buffer.byteLength(text) - letters) / 3);
}

/**
 * Pieces that end before a space where they can, so that the sum is what the whole has. The tokenizer's time grows with
 * the square of an unbroken run: 40,000 equal letters at once would take two seconds.
 */
const PIECES = /[^]{1,500}(?=\s)|[^]{1,500}/gu;
/** Pieces counted before other work gets its turn; a few milliseconds at worst. */
const AT_ONCE = 20;

/** Counts as OpenAI's cl100k models do, close enough for the others, without keeping the process from its other work. */
export async function countTokens(text: string): Promise<number> {
  const count = await loadTokenCounter();
  let sum = 0;
  for (const [index, piece] of (text.match(PIECES) ?? []).entries()) {
    if (index > 0 && index % AT_ONCE === 0) await breathe();
    sum += count(piece);
  }
  return sum;
}

async function loadTokenCounter(): Promise<(text: string) => number> {
  const { countTokens: count } = await import('gpt-tokenizer/encoding/cl100k_base');
  // What looks like a control token in a person's text is text.
  const asText = { disallowedSpecial: new Set<string>() };
  return (text) => count(text, asText);
}
