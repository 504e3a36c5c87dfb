// Orders what a search finds: chunks by the words they share with the question, and several orders into one.
import { foldText } from '@parley/schema/search/fold-text';
import { isUnsegmented, tokenize } from '../search/fold.ts';

/** The usual constants of BM25: how soon repetitions count less, and how much long texts are held back. */
const BM25_K1 = 1.2;
const BM25_B = 0.75;
/** Reciprocal rank fusion's constant: the higher it is, the less the first places count. */
const RRF_K = 60;
const WORDS_MAX = 48;
const RUN_MAX = 64;

/** The distinct words of a text, as the index splits them: pairs of characters in scripts without spaces. */
export function distinctWords(text: string): string[] {
  return [...new Set(textTokens(text))].slice(0, WORDS_MAX);
}

/** All words of a text in their order, with repetitions. */
export function textTokens(text: string): string[] {
  return tokenize(foldText(text)).flatMap((run) => {
    if (!isUnsegmented(run)) return run.length <= RUN_MAX ? [run] : [];
    const signs = [...run];
    return signs.length === 1 ? signs : signs.slice(1).map((sign, n) => `${signs[n]}${sign}`);
  });
}

export interface Scored<Item> {
  item: Item;
  score: number;
}

/**
 * Scores texts by BM25, highest first; those without any of the words are left out. `frequencies` counts in how many of
 * all `total` texts each word occurs.
 */
export function scoreByWords<Item extends { text: string }>(
  items: readonly Item[],
  words: readonly string[],
  { frequencies, total }: { frequencies: ReadonlyMap<string, number>; total: number },
): Scored<Item>[] {
  const tokens = items.map(({ text }) => textTokens(text));
  const mean = tokens.reduce((sum, list) => sum + list.length, 0) / Math.max(items.length, 1);
  const wanted = new Set(words);
  const scored = items.map((item, at) => {
    const counts = new Map<string, number>();
    const list = tokens[at] ?? [];
    for (const token of list) if (wanted.has(token)) counts.set(token, (counts.get(token) ?? 0) + 1);
    const norm = BM25_K1 * (1 - BM25_B + (BM25_B * list.length) / Math.max(mean, 1));
    let score = 0;
    for (const [word, count] of counts)
      score += rarity(frequencies.get(word) ?? 1, total) * ((count * (BM25_K1 + 1)) / (count + norm));
    return { item, score };
  });
  return scored.filter(({ score }) => score > 0).toSorted((a, b) => b.score - a.score);
}

function rarity(frequency: number, total: number): number {
  return Math.log(1 + (Math.max(total, frequency) - frequency + 0.5) / (frequency + 0.5));
}

/** Merges orders by reciprocal ranks: what is near the top of several comes first. */
export function fuse(orders: readonly (readonly string[])[]): string[] {
  const scores = new Map<string, number>();
  for (const order of orders)
    for (const [place, key] of order.entries()) scores.set(key, (scores.get(key) ?? 0) + 1 / (RRF_K + place + 1));
  return [...scores].toSorted(([, a], [, b]) => b - a).map(([key]) => key);
}
