const KILOBYTE = 1_024;
const MEGABYTE = 1_048_576;

/** The size of a file in megabytes with two decimals, as the table of files shows it. */
export function formatMegabytes(bytes: number, locale: string): string {
  const format = (value: number) =>
    new Intl.NumberFormat(locale, { minimumFractionDigits: 2, maximumFractionDigits: 2 }).format(value);
  const megabytes = bytes / MEGABYTE;
  return megabytes < 0.01 ? `< ${format(0.01)} MB` : `${format(megabytes)} MB`;
}

/** The size of a file in few characters: bytes, kilobytes or megabytes. */
export function formatBytes(bytes: number, locale: string): string {
  const format = (value: number, digits: number) =>
    new Intl.NumberFormat(locale, { maximumFractionDigits: digits }).format(value);
  if (bytes < KILOBYTE) return `${format(bytes, 0)} B`;
  if (bytes < MEGABYTE) return `${format(bytes / KILOBYTE, 0)} KB`;
  return `${format(bytes / MEGABYTE, 1)} MB`;
}
