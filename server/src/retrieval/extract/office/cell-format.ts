// Numbers of spreadsheets as their formats show them. Dates are told in one form whatever their format, since a day and a
// month in figures can be taken for each other; lengths of time, percentages, currencies and the rest as they are shown.

/** The part of the library that is used here; it comes without types. */
interface Format {
  format(code: FormatCode, value: number, options: { date1904: boolean }): unknown;
}

/** A code such as '0.00', or the number of one that is built in. */
export type FormatCode = string | number;

/** Longer codes are not Excel's. */
const CODE_LENGTH = 255;

/** Which part of the work a code needs; 'general' shows a number as it is. */
type Kind = 'general' | 'date' | 'other';

export interface CellFormats {
  number(value: number, code: FormatCode): string;
  text(value: string, code: FormatCode): string;
}

/** Loads the library that knows Excel's formats only where some of these need it. */
export async function loadFormats(codes: Iterable<FormatCode>, isFrom1904 = false): Promise<CellFormats> {
  const kinds = new Map<FormatCode, Kind>();
  for (const code of codes) if (!kinds.has(code)) kinds.set(code, kindOf(code));
  const isPlain = [...kinds.values()].every((kind) => kind !== 'other');
  const library: Format | null = isPlain ? null : (await import('@e965/xlsx')).SSF;
  return {
    number(value, code) {
      const kind = kinds.get(code) ?? kindOf(code);
      if (kind === 'date') return dateOf(value, isFrom1904) ?? plainNumber(value);
      const shown = kind === 'general' || !library ? null : formatted(library, value, code, isFrom1904);
      return shown ?? plainNumber(value);
    },
    text: (value, code) => (typeof code === 'string' ? textIn(code, value) : value),
  };
}

/** Fifteen digits are what Excel keeps; the rest is how binary numbers are written. */
function plainNumber(value: number): string {
  return String(Number(value.toPrecision(15)));
}

/** Null for what the library cannot show. */
function formatted(library: Format, value: number, code: FormatCode, isFrom1904: boolean): string | null {
  try {
    const shown = library.format(fitted(code, value), value, { date1904: isFrom1904 });
    return typeof shown === 'string' && !/^#+$/.test(shown) ? shown.trim() : null;
  } catch {
    return null;
  }
}

/** The library drops what stands beside 'General'. */
function fitted(code: FormatCode, value: number): FormatCode {
  if (typeof code === 'number') return code;
  return /general/i.test(code) ? code.replaceAll(/general/gi, Number.isInteger(value) ? '0' : '0.##########') : code;
}

/** A part of a code: what is quoted, escaped, a space of a sign's width, a filling sign, a colour, or a sign. */
const PART = /"([^"]*)"?|\\(.)|_.|\*.|\[[^\]]*\]?|(.)/gs;

/** A text as the fourth part of a code shows it, or the only part if that is for texts. */
function textIn(code: string, value: string): string {
  if (!code.includes('@') || code.length > CODE_LENGTH) return value;
  const sections: string[] = [''];
  let isOfText = false;
  for (const [, quoted, escaped, sign] of code.matchAll(PART)) {
    if (sign === ';') {
      sections.push('');
      isOfText = false;
    } else {
      isOfText ||= sign === '@';
      sections[sections.length - 1] += sign === '@' ? value : (quoted ?? escaped ?? sign ?? '');
    }
  }
  return isOfText && (sections.length === 1 || sections.length === 4) ? (sections.at(-1) ?? value) : value;
}

/** Built-in formats of dates, East Asian ones included; those of times alone are 18 to 21 and 45 to 47. */
const DATES = [14, 15, 16, 17, 22, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 50, 51, 52, 53, 54, 55, 56, 57, 58];

function kindOf(code: FormatCode): Kind {
  if (typeof code === 'number') {
    if (code === 0 || code === 49) return 'general';
    return DATES.includes(code) ? 'date' : 'other';
  }
  if (code === '' || code.length > CODE_LENGTH || /^(general|@)$/i.test(code)) return 'general';
  const letters = lettersOf(code).replaceAll(/general|am\/pm/gi, '');
  // Months, which minutes beside hours or seconds are not.
  if (/[yd]|m{3}/i.test(letters)) return 'date';
  return /m/i.test(letters) && !/[hs]/i.test(letters) && !/\[[hms]+\]/i.test(code) ? 'date' : 'other';
}

/** What stands outside the quotes, colours, conditions and escapes of a format. */
function lettersOf(code: string): string {
  let letters = '';
  let closing = '';
  for (let at = 0; at < code.length; at++) {
    const sign = code[at] ?? '';
    if (closing !== '') closing = sign === closing ? '' : closing;
    else if (sign === '"') closing = '"';
    else if (sign === '[') closing = ']';
    else if (sign === '\\' || sign === '_' || sign === '*') at++;
    else letters += sign;
  }
  return letters;
}

const DAY_MS = 86_400_000;
/** Day 60 is the 29th of February 1900, which never was; what comes before it is a day off, in Excel too. */
const EPOCH_1900 = Date.UTC(1899, 11, 30);
const EPOCH_1904 = Date.UTC(1904, 0, 1);

/** '2024-03-05', with the time where there is one, the time alone for a part of a day. Null outside Excel's dates. */
function dateOf(days: number, isFrom1904: boolean): string | null {
  if (days < 0 || days >= 2_958_466) return null;
  const at = (isFrom1904 ? EPOCH_1904 : EPOCH_1900) + Math.round((days * DAY_MS) / 1000) * 1000;
  const [date = '', time = ''] = new Date(at).toISOString().replace('.000Z', '').split('T');
  if (days < 1) return time;
  return time === '00:00:00' ? date : `${date} ${time}`;
}
