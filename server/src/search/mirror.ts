// Whether the server may make search entries itself, which costs a fraction of what the database needs for them.
import { isDeepStrictEqual } from 'node:util';
import type { Db } from '@parley/db/client';
import { foldText } from '@parley/schema/search/fold-text';
import { eachWord } from './tokenize.ts';
import { createWordNumbers } from './word-number.ts';

/**
 * Letters that all versions of Unicode in use fold alike: those that are known since Unicode 6. Of scripts that got
 * capitals later, and of what few texts have, the database makes the entries.
 */
const KNOWN =
  // oxlint-disable-next-line no-control-regex, no-misleading-character-class -- the ranges are the point
  /^[\u0001-\u001d\u001f-\u0377\u037a-\u037e\u0384-\u0527\u0531-\u06ff\u0901-\u0df4\u0e01-\u0eff\u1000-\u109f\u10d0-\u11ff\u1780-\u17f9\u1e00-\u2064\u206a-\u20bf\u2100-\u2188\u2190-\u2bff\u3000-\u31ba\u3200-\u32fe\u3300-\u9fff\uac00-\ud7a3\ufe0f\uff01-\uffbe\ufffd\u{1f1e6}-\u{1f1ff}\u{1f300}-\u{1faff}]*$/u;

/** Whether every sign of a text is one that the server folds as any database does that `mirrorsDatabase`. */
export function isKnown(text: string): boolean {
  return KNOWN.test(text);
}

/**
 * Asks the database for the entry of a text with all known letters, and compares it with the server's. They differ
 * where the operator's PostgreSQL has other tables of letters, or runs on a machine with another order of bytes.
 */
export async function mirrorsDatabase(db: Pick<Db, 'sql'>): Promise<boolean> {
  const owner = 'b1c0ffee-5eed-4bad-8f00-0123456789ab';
  const text = `${knownLetters().join(' ')} ${'long'.repeat(50)} ${knownLetters().slice(0, 500).join('')}`;
  const [row] = await db.sql<{ body: string; words: number[] }[]>`
    select body, search_hashes(search_tokens(body), ${owner}::uuid) as words
    from (select search_fold(${text}) as body) as folded`;
  const body = foldText(text);
  const words = new Set<string>();
  eachWord(body, (word) => words.add(word));
  const numbers = [...words].toSorted().map(createWordNumbers(owner));
  return row?.body === body && isDeepStrictEqual(row.words, numbers);
}

/** Of the thousands of Chinese and Korean signs a few. */
function knownLetters(): string[] {
  const letters: string[] = [];
  for (let code = 1; code < 0x1fb00; code += code > 0x3400 && code < 0xd700 ? 97 : 1) {
    const letter = String.fromCodePoint(code);
    if (isKnown(letter)) letters.push(letter);
  }
  return letters;
}
