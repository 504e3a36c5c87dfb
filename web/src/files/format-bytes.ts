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

/** With the digits and the unit of the language; bytes have no abbreviation that everybody knows. */
function formatSize(value: number, unit: Unit, locale: string, decimals = 0): string {
  return new Intl.NumberFormat(locale, {
    style: 'unit',
    unit,
    unitDisplay: unit === 'byte' ? 'long' : 'short',
    maximumFractionDigits: decimals,
  }).format(value);
}
