// The server folds what is searched for, the database what was written: both must come to the same.
import { foldText, isJoined, runsOf } from '@parley/server/search/fold';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase } from '../../support/database.ts';

let database: Awaited<ReturnType<typeof createTestDatabase>>;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const SAMPLES = [
  'Straße, STRASSE und Fuß',
  'Crème brûlée à la carte',
  'Ещё один чай, НЕТ',
  'العَرَبِيَّة كتــاب',
  '東京都庁へ行きました。ガラス ｶﾞﾗｽ ＡＢＣ',
  '日本語とEnglishとfoo_barの混在',
  '대한민국 서울',
  'ภาษาไทยไม่มีช่องว่าง',
  'ΟΔΟΣ οδός',
  'İstanbul ﬁnal ½ ² ℃',
  'const x = useEffect(() => {}, []);\n\tsrc/app/main.ts#L10',
  'Ünïcödé 🎉🎊 party 👩‍👩‍👧',
  'नमस्ते दुनिया',
  'x'.repeat(500),
  '…—„“',
];

describe('folding', () => {
  it.each(SAMPLES)('of %s is the same in the database and in the schema', async (sample) => {
    const [row] = await database.db.sql`select search_fold(${sample}) as folded`;
    expect(row?.folded).toBe(foldText(sample));
  });

  it('is the same for nearly every letter', async () => {
    const letters: string[] = [];
    for (let code = 1; code < 0x30_000; code++)
      if (code < 0xd800 || code > 0xdfff) letters.push(String.fromCodePoint(code));
    const rows = await database.db.sql<{ folded: string }[]>`
      select search_fold(letter) as folded from unnest(${letters}::text[]) with ordinality as l (letter, n) order by n`;
    const different = letters.filter((letter, n) => rows[n]?.folded !== foldText(letter));
    // Those that one of the two versions of Unicode does not know yet.
    expect(different.length).toBeLessThan(400);
    expect(different.filter((letter) => (letter.codePointAt(0) ?? 0) < 0x0530)).toEqual([]);
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
    const words = runsOf(folded).filter((run) => !isJoined(run) && run.length <= 64);
    expect(row?.tokens).toEqual(expect.arrayContaining(words));
    for (const run of runsOf(folded).filter(isJoined)) {
      const signs = [...run];
      const pairs = signs.map((sign, n) => sign + (signs[n + 1] ?? ''));
      expect(row?.tokens).toEqual(expect.arrayContaining(pairs));
    }
  });

  it('of texts that mix scripts with and without spaces are whole runs and pairs of signs, and nothing else', async () => {
    const signs = ['計', '算', 'カ', 'ท', '한', '☂', 'a', 'ж', '7', ' ', '-', '。', '«', '\n'];
    const texts = Array.from({ length: 300 }, (_, seed) =>
      Array.from({ length: 60 }, (_unused, at) => signs[(seed * 31 + at * at * 7 + seed * at) % signs.length]).join(''),
    );
    const rows = await database.db.sql<{ tokens: string[] }[]>`
      select coalesce(search_tokens(search_fold(sample)), '{}') as tokens
      from unnest(${texts}::text[]) with ordinality as given (sample, place) order by place`;
    const expected = texts.map((text) => new Set(runsOf(foldText(text)).flatMap(piecesOf)));
    expect(rows.map(({ tokens }) => new Set(tokens))).toEqual(expected);
  });

  it('of a run without spaces are few and short', async () => {
    const [row] = await database.db.sql<{ tokens: string[] }[]>`
      select search_tokens(${Array.from({ length: 9000 }, (_, n) => n).join('')}) as tokens`;
    expect(row?.tokens.length).toBeLessThanOrEqual(32);
    expect(Math.max(...(row?.tokens.map((token) => token.length) ?? []))).toBe(64);
  });
});

function piecesOf(run: string): string[] {
  const signs = [...run];
  return isJoined(run) ? signs.map((sign, at) => sign + (signs[at + 1] ?? '')) : [run];
}
