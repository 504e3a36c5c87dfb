// Text as people and models write it: a few words very often, most seldom, in several languages, with code and addresses.

/** Frequent words of each language; the seldom ones are made of its syllables. */
const LANGUAGES = [
  {
    words:
      'the of and to a in is that it for you with on as are this be have or can not your from by we if which more will one an there time use when data value other change first set number need file case work system code two same make way each name list part call example function result into these then should also only add them',
    syllables:
      'ter con ing re ation al ment ver ther sta pro com per ar in tion ble der ist over li men tra pre ous ness',
  },
  {
    words:
      'der die und in den von zu das mit sich des auf für ist im dem nicht ein eine als auch es an werden aus er hat dass sie nach wird bei einer um am sind noch wie einem über einen so zum war haben nur oder aber vor zur bis mehr durch man sein wurde sei wenn ihre kann unter kein beispiel datei wert funktion ergebnis',
    syllables: 'ver gen schaft heit ung auf ein aus keit lich be stell wert ent über haus zeit rech nung bau vor nach',
  },
  {
    words:
      'de la le et les des en un du une que est pour qui dans a par plus pas au sur ne se ce il sont avec son cette ou être comme mais nous tout on fait ils aux même ont bien leur peut ces entre après sans deux autre encore donc fichier valeur fonction exemple résultat données',
    syllables: 'ment tion re ce eur ais com par ver sion que ble able ter cou pré dé ité ance eux oir age',
  },
  {
    words:
      'de la que el en y a los se del las un por con no una su para es al lo como más o pero sus le ha me si sin sobre este ya entre cuando todo esta ser son dos también fue había era muy hasta desde está valor archivo ejemplo función resultado datos',
    syllables: 'ción mente ar er es tra con dad pre ver do ra ta ble miento ador ista eza illo al ano',
  },
  {
    words:
      'и в не на я что с по это как но а он к у из за от то же все так его для мы вы был если или когда можно нужно только еще уже бы чтобы при до есть ли раз быть время значение файл функция пример данные система также',
    syllables: 'ство ние пере ость тель при раз вы про ный ская ован ить ка во ни ста пре от по дер',
  },
  {
    words:
      'これ それ この では から まで など ため こと もの とき です ます した して いる ある なる できる 場合 使う 値 関数 例',
    syllables: '計 算 結 果 処 理 設 定 変 更 確 認 情 報 方 法 問 題 開 発 環 境 接 続 検 索 保 存',
  },
  {
    words:
      '的 是 在 了 和 有 我 你 这 个 可以 需要 使用 如果 一个 我们 数据 函数 文件 例如 结果 或者 因为 所以 但是 没有',
    syllables: '系 统 程 序 设 置 运 行 错 误 请 求 返 回 对 象 方 法 类 型 参 数 测 试 代 码 部 署',
  },
].map(({ words, syllables }) => ({ words: words.split(' '), syllables: syllables.split(' ') }));

/** Words of a language that occur at all. */
const VOCABULARY = 30_000;
const CODE_EVERY = 8;
const ADDRESS_EVERY = 12;

/** The number of English. */
export const ENGLISH = 0;

/** The same seed gives the same text. Any number stands for a language. */
export function naturalText(seed: number, count: number, language: number): string {
  const random = randomFrom(seed);
  const words = Array.from({ length: count }, (_, at) => {
    const word = wordOf(languageOf(language), zipf(random, VOCABULARY));
    return at % 14 === 13 ? `${word}.` : word;
  });
  const extras = [
    ...(seed % ADDRESS_EVERY === 0 ? [`https://example.com/docs/${seed.toString(36)}/page?id=${seed % 997}`] : []),
    ...(count > 60 && seed % CODE_EVERY === 0 ? [codeOf(random)] : []),
  ];
  return [words.join(' '), ...extras].join('\n\n');
}

/** A rank by Zipf's law: that of the n-th word is n times as rare as the first. */
function zipf(random: () => number, most: number): number {
  return Math.floor(Math.exp(random() * Math.log(most)));
}

type Language = (typeof LANGUAGES)[number];

function languageOf(number: number): Language {
  return LANGUAGES[number % LANGUAGES.length] ?? { words: [], syllables: [] };
}

function wordOf({ words, syllables }: Language, rank: number): string {
  const frequent = words[rank - 1];
  if (frequent !== undefined) return frequent;
  const made: string[] = [];
  for (let left = rank; left > 0; left = Math.floor(left / syllables.length))
    made.push(syllables[left % syllables.length] ?? '');
  return made.join('');
}

function codeOf(random: () => number): string {
  const name = () => wordOf(languageOf(ENGLISH), zipf(random, VOCABULARY));
  const lines = Array.from(
    { length: 6 },
    () => `  const ${name()}_${name()} = await ${name()}(${name()}, ${zipf(random, 500)});`,
  );
  return ['```ts', `export async function ${name()}() {`, ...lines, '}', '```'].join('\n');
}

/** Mulberry32: small, fast and the same everywhere. */
function randomFrom(seed: number): () => number {
  let state = seed + 0x6d2b79f5;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
