// Tests of this room: tests/integration/catalog.

// Counts tokens. The tokenizer takes 250 ms and 60 MB to load, so it is loaded only when an exact count matters.
import { ownTurn } from '../platform/event-loop.ts';

/**
 * A one-pass estimate for texts far from any limit: four letters a token, as in English, and three bytes a token in any
 * other script.
 */
export function estimateTokens(text: string): number {
  let letters = 0;
  for (let index = 0; index < text.length; index++) if (text.charCodeAt(index) < 0x80) letters++;
  return Math.ceil(letters / 4 + (Buffer.byteLength(text) - letters) / 3);
}

/**
 * Splits before a space where possible, so that the pieces add up to the count of the whole. The tokenizer's time is
 * quadratic in an unbroken run: 40,000 equal letters at once would take two seconds.
 */
const PIECES = /[^]{1,500}(?=\s)|[^]{1,500}/gu;
/** Milliseconds of counting in one turn of the event loop, for all callers together; at worst one piece more. */
const AT_ONCE_MS = 5;

/** Counts as OpenAI's cl100k models do, close enough for the others, without blocking the event loop. */
export async function countTokens(text: string): Promise<number> {
  const count = await loadTokenCounter();
  let sum = 0;
  let since = performance.now();
  for (const [piece] of text.matchAll(PIECES)) {
    sum += count(piece);
    if (performance.now() - since < AT_ONCE_MS) continue;
    await ownTurn();
    since = performance.now();
  }
  return sum;
}

async function loadTokenCounter(): Promise<(text: string) => number> {
  const { countTokens: count } = await import('gpt-tokenizer/encoding/cl100k_base');
  // Text that looks like a control token is counted as text.
  const asText = { disallowedSpecial: new Set<string>() };
  return (text) => count(text, asText);
}
