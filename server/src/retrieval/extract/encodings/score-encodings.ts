// Which of the older encodings makes plausible words of a few bytes. Statistics need more text than a short table of
// names has; a wrong encoding shows sooner: capitals inside words, letters of two scripts in one word, letters that no
// language has together, characters that make up no word.
import { decodeBytes } from './decode-bytes.ts';

interface Candidate {
  /** As `TextDecoder` calls it. */
  encoding: string;
  /** What its letters count; 1 unless it is seldom used, or has letters for the usual signs of others. */
  weight?: number;
  /** The letters beside ASCII of the languages that are written in it, a language a string. */
  alphabets?: readonly string[];
}

const WESTERN = ['äöüß', 'éèêëàâçîïôûùœæÿ', 'áéíóúüñ', 'áâãàçéêíóôõú', 'àèéìòùî', 'æøåéö', 'åäöé', 'ëïéèöüê'];
/** Its letters are those of the Turkish code page, where they are far more often meant. */
const ICELANDIC = 'áðéíóúýþæö';
const CENTRAL = ['ąćęłńóśźż', 'áčďéěíňóřšťúůýžĺľŕôä', 'áéíóöőúüű', 'ăâîșțşţ', 'čćđšž', 'äöüß'];
const TURKISH = ['çğıöşüâîû'];
const BALTIC = ['ąčęėįšųūž', 'āčēģīķļņšūž', 'äõöüšž'];

/** Of those that are as plausible the first counts. */
const CANDIDATES: readonly Candidate[] = [
  { encoding: 'windows-1252', alphabets: WESTERN },
  { encoding: 'windows-1251' },
  { encoding: 'windows-1250', alphabets: CENTRAL },
  { encoding: 'shift_jis' },
  { encoding: 'gb18030' },
  { encoding: 'euc-kr' },
  { encoding: 'big5' },
  { encoding: 'euc-jp' },
  { encoding: 'koi8-u' },
  { encoding: 'windows-1253' },
  { encoding: 'windows-1254', alphabets: TURKISH, weight: 0.95 },
  { encoding: 'windows-1255' },
  { encoding: 'windows-1256' },
  { encoding: 'windows-1257', alphabets: BALTIC, weight: 0.92 },
  { encoding: 'windows-1252', alphabets: [ICELANDIC], weight: 0.88 },
  { encoding: 'windows-874' },
  { encoding: 'iso-8859-2', alphabets: CENTRAL },
  { encoding: 'ibm866', weight: 0.8 },
  { encoding: 'macintosh', alphabets: WESTERN, weight: 0.5 },
  { encoding: 'iso-8859-5', weight: 0.8 },
];

/** What each place in the list costs a candidate: less than any sign of the text itself. */
const PLACE_COST = 0.001;

/** Below this, and below half of the best, no word is one of the encoding's languages. */
const SCORE_MIN = 0.2;

/** Encodings in which all bytes may be text, the most plausible first. @param sample of whole lines, or a whole file */
export function rankEncodings(sample: Uint8Array): string[] {
  const scored = CANDIDATES.flatMap(({ encoding, alphabets, weight = 1 }, place) => {
    const text = decodeStrictly(sample, encoding);
    return text === null ? [] : [{ encoding, score: weight * scoreOf(text, alphabets) - place * PLACE_COST }];
  });
  const best = Math.max(...scored.map(({ score }) => score));
  const plausible = scored.filter(({ score }) => score >= Math.max(SCORE_MIN, best / 2));
  return plausible.toSorted((one, other) => other.score - one.score).map(({ encoding }) => encoding);
}

function decodeStrictly(sample: Uint8Array, encoding: string): string | null {
  try {
    return decodeBytes(sample, encoding, { fatal: true });
  } catch {
    return null;
  }
}

const RUN = /[\p{L}\p{M}]+|[^\p{L}\p{M}]+/gu;
const BEYOND_ASCII = /[^\p{ASCII}]/gu;

/** From below 0 to 1: the mean of all characters beside ASCII. */
function scoreOf(text: string, alphabets: readonly string[] | undefined): number {
  const latin = new Set(text.toLowerCase().match(/(?![a-z])\p{Script=Latin}/gu));
  const isOneLanguage = alphabets?.some((letters) => [...latin].every((letter) => letters.includes(letter))) ?? false;
  const isEastAsian = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u.test(text);
  let [sum, count] = [0, 0];
  for (const [run] of text.matchAll(RUN)) {
    const others = run.match(BEYOND_ASCII)?.length ?? 0;
    if (others === 0) continue;
    count += others;
    sum += /\p{L}/u.test(run) ? scoreOfWord(run, isOneLanguage) : scoreOfSigns(run, isEastAsian);
  }
  sum -= (text.match(SIGNS_IN_WORDS)?.length ?? 0) * 1.5;
  return count === 0 ? 0 : sum / count;
}

/** Signs that stand between words, never in them, and some that never stand before one. */
const SIGNS_IN_WORDS =
  /(?<=[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}])[^\p{L}\p{M}\p{ASCII}’‘·\u00ad](?=\p{Ll})|[£¤¥¦¬¶±¼½¾¹²³¢¸¨´¯÷×§](?=\p{Ll})/gu;
const USUAL_SIGNS = /[“”„‘’‚–—…•€£§©®°«»¿¡№™\u00a0]/u;
const EAST_ASIAN_SIGNS = /[\u3000-\u303f\uff01-\uff65￥]/u;

function scoreOfSigns(run: string, isEastAsian: boolean): number {
  let sum = 0;
  for (const [sign] of run.matchAll(BEYOND_ASCII)) {
    if (EAST_ASIAN_SIGNS.test(sign)) sum += isEastAsian ? 0.8 : 0.1;
    else sum += USUAL_SIGNS.test(sign) ? 0.6 : 0.05;
  }
  return sum;
}

/** The letters of scripts from the most to the least frequent in texts. */
const FREQUENT: readonly [RegExp, string][] = [
  [/\p{Script=Cyrillic}/u, 'оеаинтсрвлкмдпуяызьбгчйхжюшцщіїєґэфъёўљњћџ'],
  [/\p{Script=Greek}/u, 'αοιετσνηυρπκμλςόάδίήγέωθχφύώβξζψϊΐ'],
  [/\p{Script=Hebrew}/u, 'יוהלאמרבתשנדםפעקחטסכןצגזףךץ'],
  [/\p{Script=Arabic}/u, 'اليمنرتوبعدسفهقحكةجشصخطىذضزثغظءأإئؤآپچگ'],
  [/\p{Script=Thai}/u, 'านรกอเงมยลวดทสตะปบคหแจพชขใไโผซถศธณฟษภญฤฉฝฎฐฮฏฆฌ'],
];

function scoreOfWord(word: string, isOneLanguage: boolean): number {
  if (/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u.test(word))
    return scoreEastAsian(word);
  const others = word.match(/[^\p{ASCII}]/gu) ?? [];
  const isMixed = others.length < [...word].length;
  const script = FREQUENT.find(([pattern]) => pattern.test(word));
  if (script) {
    if (isMixed || !others.every((letter) => script[0].test(letter) || /\p{M}/u.test(letter))) return 0;
    const share = others.reduce((sum, letter) => sum + commonness(letter.toLowerCase(), script[1]), 0);
    const isLoud = word.length > 1 && word === word.toUpperCase() && word !== word.toLowerCase();
    return (
      (isCasedWell(word) ? 1 : 0.2) *
      (isLoud ? 0.92 : 1) *
      (isPronounced(word) ? 1 : 0.8) *
      (word.length > 1 ? 1 : 0.6) *
      share
    );
  }
  if (!/\p{Script=Latin}/u.test(word)) return 0;
  const isForeign = others.length >= 4 && others.length > 0.6 * word.length;
  const score = isForeign ? 0.1 : isOneLanguage ? 1 : 0.35;
  // Hardly a language begins words so, and Turkish often with what has the same bytes.
  const isRareStart = /^[ÝÐÞ]/.test(word);
  return others.length * score * (isCasedWell(word) ? 1 : 0.2) * (isRareStart ? 0.9 : 1);
}

/** From 1 for the most frequent letter to 0.2 for the rarest; marks that are no letters of their own are usual. */
function commonness(letter: string, frequent: string): number {
  const rank = frequent.indexOf(letter);
  if (rank < 0) return /\p{M}/u.test(letter) ? 0.7 : 0.1;
  return 1 - (0.8 * rank) / frequent.length;
}

const CONSONANTS_MAX = 4;

/** Whether a word of Cyrillic or Greek letters has vowels, and is not written in capitals alone, which few are. */
function isPronounced(word: string): boolean {
  if (!/[\p{Script=Cyrillic}\p{Script=Greek}]/u.test(word) || word.length < 3) return true;
  const runs = word.toLowerCase().split(/[аеиоуыэюяёіїєαεηιουωάέήίόύώϊ]/);
  return runs.length > 1 && runs.every((run) => run.length <= CONSONANTS_MAX);
}

/** Small letters, capitals, or a capital and small ones. */
function isCasedWell(word: string): boolean {
  return !/\p{Ll}\p{M}*\p{Lu}|^\p{Lu}\p{Lu}+\p{Ll}/u.test(word);
}

let segmenter: Intl.Segmenter | null = null;

/** Words of several characters are in the dictionary of Chinese and Japanese that the runtime brings. */
function scoreEastAsian(word: string): number {
  segmenter ??= new Intl.Segmenter('ja', { granularity: 'word' });
  let sum = 0;
  for (const { segment } of segmenter.segment(word)) {
    const isWord = [...segment].length > 1;
    for (const character of segment) sum += scoreOfCharacter(character, isWord);
  }
  return /\p{Script=Hangul}/u.test(word) && /\p{Script=Han}/u.test(word) ? sum / 2 : sum;
}

/** The most frequent syllables of Korean texts and names. */
const SYLLABLES = new Set(
  '이다는을의가에고하지로은사기도리대자한서그어나시인들과여부전아해것일정보만장원상구수주제적성동연라유선안경공중소면니' +
    '관신방물모되생발회국조용치세금무진계산영김박최강윤임오권황송류홍철희민준현우호길숙미혜울광역특별군읍명문격번량견요' +
    '녕습름편택품입출표약및메노매판운행체화업육학교실과위법비료외내재본점분당단달말음마간야와를으며니까바반배백북분불' +
    '새색석설속손스식심악알양언얼업열예올왕웅월음응의점조존종죄질집차찬창책천청초총추충취측층치친카크타태터토통투트특' +
    '파패퍼페편평폐포표풍프피필함항허험형혼환활황후훈휘흐흥력록론릭림링레렌렉락란람랑래량려련령례뉴님났남난날네넷년',
);
/** The most frequent characters that are words of their own. */
const SINGLES = new Set(
  '的一是了在人有我他这这個个们们中来來上大为為和国國地到以说說时時要就出会會可也你对對生能而子那得于於着下自之年日月火水木金土' +
    '元円圆件号號名市区區県省町村男女计計税店社部品数數小高新不と分前后後学學王李张張刘劉陈陳杨楊黄黃赵趙吴吳周徐孙孫马馬' +
    '朱胡林郭何罗羅郑鄭梁谢謝宋唐许許邓鄧韩韓冯馮曹曾田山本中村川口東西南北太郎花子京州海江河湖安平明文德',
);

function scoreOfCharacter(character: string, isWord: boolean): number {
  if (/[\uff61-\uff9f]/.test(character)) return 0.25;
  if (/\p{Script=Hangul}/u.test(character)) return SYLLABLES.has(character) ? 1 : 0.3;
  if (/[\p{Script=Hiragana}\p{Script=Katakana}ー]/u.test(character)) return 0.9;
  if (/\p{Script=Han}/u.test(character)) return isWord ? 1 : SINGLES.has(character) ? 0.75 : 0.2;
  return /\p{ASCII}/u.test(character) ? -0.5 : 0;
}
