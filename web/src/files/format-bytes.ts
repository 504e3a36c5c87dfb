const KILOBYTE = 1_024;
export const MEGABYTE = KILOBYTE ** 2;
const GIGABYTE = KILOBYTE ** 3;

type Unit = 'byte' | 'kilobyte' | 'megabyte' | 'gigabyte';

/** The size of a file as people say it: 31 bytes, 48 kB, 2.1 MB, 5 GB. */
export function formatBytes(bytes: number, locale: string): string {
  if (bytes < KILOBYTE) return formatSize(bytes, 'byte', locale);
  if (bytes < MEGABYTE) return formatSize(bytes / KILOBYTE, 'kilobyte', locale);
  const [size, unit] = bytes < GIGABYTE ? ([MEGABYTE, 'megabyte'] as const) : ([GIGABYTE, 'gigabyte'] as const);
  return formatSize(bytes / size, unit, locale, 1);
}

/** What is smaller has no size in whole hundredths of a megabyte. */
const SMALLEST = MEGABYTE / 100;

/** The size of a file in megabytes with two decimals, so that the sizes of a column compare; null below 0.01 MB. */
export function formatMegabytes(bytes: number, locale: string): string | null {
  return bytes < SMALLEST ? null : formatSize(bytes / MEGABYTE, 'megabyte', locale, 2, 2);
}

/** With the digits and the unit of the language; bytes have no abbreviation that everybody knows. */
function formatSize(value: number, unit: Unit, locale: string, decimals = 0, least = 0): string {
  return new Intl.NumberFormat(locale, {
    style: 'unit',
    unit,
    unitDisplay: unit === 'byte' ? 'long' : 'short',
    maximumFractionDigits: decimals,
    minimumFractionDigits: least,
  }).format(value);
}
