// Numbers of lists and clauses as programs show them.

/** How a number is written. Formats that are not known here are shown as decimals. */
export function formatNumber(number: number, format: string): string {
  switch (format) {
    case 'upperRoman':
      return romanOf(number);
    case 'lowerRoman':
      return romanOf(number).toLowerCase();
    case 'upperLetter':
      return lettersOf(number);
    case 'lowerLetter':
      return lettersOf(number).toLowerCase();
    case 'decimalZero':
      return String(number).padStart(2, '0');
    case 'ordinal':
      return `${number}${ordinalEnd(number)}`;
    case 'cardinalText':
      return cardinalOf(number);
    case 'ordinalText':
      return ordinalOf(number);
    case 'decimalEnclosedCircle':
      return number >= 1 && number <= 20 ? String.fromCharCode(0x2460 + number - 1) : String(number);
    case 'decimalEnclosedParen':
      return `(${number})`;
    case 'decimalEnclosedFullstop':
      return `${number}.`;
    case 'numberInDash':
      return `- ${number} -`;
    case 'decimalFullWidth':
      return [...String(number)].map((digit) => String.fromCharCode(digit.charCodeAt(0) + 0xfee0)).join('');
    case 'chineseCounting':
    case 'chineseCountingThousand':
    case 'japaneseCounting':
    case 'taiwaneseCounting':
    case 'taiwaneseCountingThousand':
      return ideographsOf(number);
    case 'ideographDigital':
    case 'japaneseDigitalTenThousand':
    case 'taiwaneseDigital':
      return [...String(number)].map((digit) => DIGITS[Number(digit)]).join('');
    case 'none':
      return '';
    default:
      return signOf(number, format) ?? paddedOf(number, format);
  }
}

/** Signs that follow each other as letters do; they begin anew behind the last. */
const SIGNS: Readonly<Record<string, string>> = {
  russianLower: 'абвгдежзиклмнопрстуфхцчшщыэюя',
  russianUpper: 'АБВГДЕЖЗИКЛМНОПРСТУФХЦЧШЩЫЭЮЯ',
  hebrew2: 'אבגדהוזחטיכלמנסעפצקרשת',
  ganada: '가나다라마바사아자차카타파하',
  chosung: 'ㄱㄴㄷㄹㅁㅂㅅㅇㅈㅊㅋㅌㅍㅎ',
  aiueoFullWidth: 'アイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワヲン',
  irohaFullWidth: 'イロハニホヘトチリヌルヲワカヨタレソツネナラムウヰノオクヤマケフコエテアサキユメミシヱヒモセス',
  ideographTraditional: '甲乙丙丁戊己庚辛壬癸',
  ideographZodiac: '子丑寅卯辰巳午未申酉戌亥',
};

function signOf(number: number, format: string): string | null {
  const signs = SIGNS[format];
  return signs === undefined || number < 1 ? null : (signs[(number - 1) % signs.length] ?? null);
}

/** A format of its own is told by its first number, such as '001'. */
function paddedOf(number: number, format: string): string {
  return String(number).padStart(/^0*1$/.test(format) ? format.length : 0, '0');
}

const CARDINALS =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  );
const TENS = ['', '', 'twenty', 'thirty', 'forty', 'fifty', 'sixty', 'seventy', 'eighty', 'ninety'];
/** The ends of words that are no cardinal with 'th'. */
const ORDINAL_ENDS: readonly [RegExp, string][] = [
  [/one$/, 'first'],
  [/two$/, 'second'],
  [/three$/, 'third'],
  [/ve$/, 'fth'],
  [/eight$/, 'eighth'],
  [/nine$/, 'ninth'],
  [/y$/, 'ieth'],
];

/** 'Twenty-one'; figures from 100 on. */
function cardinalOf(number: number): string {
  if (number < 0 || number > 99) return String(number);
  const word =
    CARDINALS[number] ?? `${TENS[Math.floor(number / 10)]}${number % 10 ? `-${CARDINALS[number % 10]}` : ''}`;
  return `${word.charAt(0).toUpperCase()}${word.slice(1)}`;
}

function ordinalOf(number: number): string {
  if (number < 1 || number > 99) return `${number}${ordinalEnd(number)}`;
  const word = cardinalOf(number).toLowerCase();
  const [end, shown] = ORDINAL_ENDS.find(([pattern]) => pattern.test(word)) ?? [/$/, 'th'];
  const ordinal = word.replace(end, shown);
  return `${ordinal.charAt(0).toUpperCase()}${ordinal.slice(1)}`;
}

const ROMAN: readonly [number, string][] = [
  [1000, 'M'],
  [900, 'CM'],
  [500, 'D'],
  [400, 'CD'],
  [100, 'C'],
  [90, 'XC'],
  [50, 'L'],
  [40, 'XL'],
  [10, 'X'],
  [9, 'IX'],
  [5, 'V'],
  [4, 'IV'],
  [1, 'I'],
];
/** Beyond this, Roman numbers have no usual signs. */
const ROMAN_MAX = 3999;

function romanOf(number: number): string {
  if (number < 1 || number > ROMAN_MAX) return String(number);
  let left = number;
  let text = '';
  for (const [value, sign] of ROMAN) {
    for (; left >= value; left -= value) text += sign;
  }
  return text;
}

/** A to Z, then AA to ZZ: the letter is repeated, as Word does it. */
function lettersOf(number: number): string {
  if (number < 1 || number > 26 * 30) return String(number);
  return String.fromCharCode(65 + ((number - 1) % 26)).repeat(Math.ceil(number / 26));
}

function ordinalEnd(number: number): string {
  const tens = number % 100;
  if (tens >= 11 && tens <= 13) return 'th';
  return ['th', 'st', 'nd', 'rd'][number % 10] ?? 'th';
}

const DIGITS = '〇一二三四五六七八九';

function ideographsOf(number: number): string {
  if (number < 1 || number > 99) return String(number);
  const [tens, ones] = [Math.floor(number / 10), number % 10];
  const high = tens === 0 ? '' : `${tens === 1 ? '' : DIGITS[tens]}十`;
  return `${high}${ones === 0 ? '' : DIGITS[ones]}`;
}
