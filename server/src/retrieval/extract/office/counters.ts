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
    case 'chineseCounting':
    case 'chineseCountingThousand':
    case 'japaneseCounting':
    case 'ideographDigital':
    case 'taiwaneseCountingThousand':
      return ideographsOf(number);
    case 'none':
      return '';
    default:
      return String(number);
  }
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
