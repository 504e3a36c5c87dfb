// The server folds what is searched for, the database what was written: both must come to the same.
import { foldText } from '@parley/schema/search/fold-text';
import { isUnsegmented, tokenize } from '@parley/server/search/fold';
import { isKnown } from '@parley/server/search/mirror';
import { eachWord } from '@parley/server/search/tokenize';
import { createWordNumbers } from '@parley/server/search/word-number';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase } from '../../support/database.ts';
import { allLetters, mixedTexts, SAMPLES } from './many-scripts.ts';

let database: Awaited<ReturnType<typeof createTestDatabase>>;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

describe('folding', () => {
  it.each(SAMPLES)('of %s is the same in the database and in the schema', async (sample) => {
    const [row] = await database.db.sql`select search_fold(${sample}) as folded`;
    expect(row?.folded).toBe(foldText(sample));
  });

  it('is the same for nearly every letter', async () => {
    const letters = allLetters();
    const rows = await database.db.sql<{ folded: string }[]>`
      select search_fold(letter) as folded from unnest(${letters}::text[]) with ordinality as l (letter, n) order by n`;
    const different = letters.filter((letter, n) => rows[n]?.folded !== foldText(letter));
    // Those that one of the two versions of Unicode does not know yet.
    expect(different.length).toBeLessThan(400);
    expect(different.filter((letter) => (letter.codePointAt(0) ?? 0) < 0x0530)).toEqual([]);
    expect(different.filter(isKnown)).toEqual([]);
  });

  it('makes case, accents and widths the same', () => {
    expect(foldText('STRASSE')).toBe(foldText('Straße'));
    expect(foldText('Café')).toBe(foldText('cafe\u0301'));
    expect(foldText('ＡＢＣ ｶﾞ')).toBe(foldText('abc ガ'));
    expect(foldText('مُحَمَّد')).toBe(foldText('محمد'));
    expect(foldText('ガラス')).not.toBe(foldText('カラス'));
  });
});

describe('words', () => {
  it.each(SAMPLES)('of %s are the same in the database and in the schema', async (sample) => {
    const folded = foldText(sample);
    const [row] = await database.db.sql`select coalesce(search_tokens(search_fold(${sample})), '{}') as tokens`;
    const words = tokenize(folded).filter((run) => !isUnsegmented(run) && run.length <= 64);
    expect(row?.tokens).toEqual(expect.arrayContaining(words));
    for (const run of tokenize(folded).filter(isUnsegmented)) {
      const signs = [...run];
      const pairs = signs.map((sign, n) => sign + (signs[n + 1] ?? ''));
      expect(row?.tokens).toEqual(expect.arrayContaining(pairs));
    }
  });

  it('of texts that mix scripts with and without spaces are whole runs and pairs of signs, and nothing else', async () => {
    const texts = mixedTexts(300);
    const rows = await database.db.sql<{ tokens: string[] }[]>`
      select coalesce(search_tokens(search_fold(sample)), '{}') as tokens
      from unnest(${texts}::text[]) with ordinality as given (sample, place) order by place`;
    const expected = texts.map((text) => new Set(tokenize(foldText(text)).flatMap(piecesOf)));
    expect(rows.map(({ tokens }) => new Set(tokens))).toEqual(expected);
  });

  it('of a run without spaces are few and short', async () => {
    const [row] = await database.db.sql<{ tokens: string[] }[]>`
      select search_tokens(${Array.from({ length: 9000 }, (_, n) => n).join('')}) as tokens`;
    expect(row?.tokens.length).toBeLessThanOrEqual(32);
    expect(Math.max(...(row?.tokens.map((token) => token.length) ?? []))).toBe(64);
  });
});

describe('entries', () => {
  const LONG = [31, 64, 65, 95, 96, 97, 1023, 1024, 1025, 1056, 3000].flatMap((length) => [
    Array.from({ length }, (_, at) => (at % 36).toString(36)).join(''),
    '𝛼'.repeat(length),
    '한'.repeat(length),
  ]);

  it('have the same words and numbers in the database and in the server', async () => {
    const owner = '2f1e8a90-7c55-4e0b-9d11-ffee00112233';
    const texts = [...SAMPLES, ...mixedTexts(100), ...LONG];
    const rows = await database.db.sql<{ tokens: string[]; numbers: number[] }[]>`
      select coalesce(tokens, '{}') as tokens, coalesce(search_hashes(tokens, ${owner}), '{}') as numbers
      from unnest(${texts}::text[]) with ordinality as given (sample, place),
        search_tokens(search_fold(sample)) as tokens
      order by place`;
    const numberOf = createWordNumbers(owner);
    for (const [at, { tokens, numbers }] of rows.entries()) {
      const words = new Set<string>();
      eachWord(foldText(texts[at] ?? ''), (word) => words.add(word));
      expect(words).toEqual(new Set(tokens));
      expect(tokens.map(numberOf)).toEqual(numbers);
    }
  });
});

function piecesOf(run: string): string[] {
  const signs = [...run];
  return isUnsegmented(run) ? signs.map((sign, at) => sign + (signs[at + 1] ?? '')) : [run];
}
