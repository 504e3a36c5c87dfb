const KILOBYTE = 1_024;
const MEGABYTE = 1_048_576;

type Unit = 'byte' | 'kilobyte' | 'megabyte';

/** The size of a file in megabytes with two decimals, as the table of files shows it. */
export function formatMegabytes(bytes: number, locale: string): string {
  const format = (value: number) => formatSize(value, 'megabyte', locale, { minimumFractionDigits: 2 });
  const megabytes = bytes / MEGABYTE;
  return megabytes < 0.01 ? `< ${format(0.01)}` : format(megabytes);
}

/** The size of a file in few characters: bytes, kilobytes or megabytes. */
export function formatBytes(bytes: number, locale: string): string {
  if (bytes < KILOBYTE) return formatSize(bytes, 'byte', locale);
  if (bytes < MEGABYTE) return formatSize(bytes / KILOBYTE, 'kilobyte', locale);
  return formatSize(bytes / MEGABYTE, 'megabyte', locale, { maximumFractionDigits: 1 });
}

/** With the digits and the unit of the language; bytes have no abbreviation that everybody knows. */
function formatSize(value: number, unit: Unit, locale: string, digits: Intl.NumberFormatOptions = {}): string {
  return new Intl.NumberFormat(locale, {
    style: 'unit',
    unit,
    unitDisplay: unit === 'byte' ? 'long' : 'short',
    maximumFractionDigits: digits.minimumFractionDigits ?? 0,
    ...digits,
  }).format(value);
}
