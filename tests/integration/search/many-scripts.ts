/** Texts in many scripts, and such as are no text. */
export const SAMPLES = [
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

/** Texts of signs of scripts with and without spaces, mixed. */
export function mixedTexts(count: number): string[] {
  const signs = ['計', '算', 'カ', 'ท', '한', '☂', 'a', 'ж', '7', ' ', '-', '。', '«', '\n'];
  return Array.from({ length: count }, (_, seed) =>
    Array.from({ length: 60 }, (_unused, at) => signs[(seed * 31 + at * at * 7 + seed * at) % signs.length]).join(''),
  );
}

/** Every letter, also those that few know. */
export function allLetters(): string[] {
  const letters: string[] = [];
  for (let code = 1; code < 0x30_000; code++)
    if (code < 0xd800 || code > 0xdfff) letters.push(String.fromCodePoint(code));
  return letters;
}
