/** A duration in milliseconds as minutes and seconds: `1:05`. */
export function formatClock(ms: number, language: string): string {
  const seconds = Math.floor(ms / 1000);
  const digits = new Intl.NumberFormat(language, { useGrouping: false });
  const two = new Intl.NumberFormat(language, { minimumIntegerDigits: 2 });
  return `${digits.format(Math.floor(seconds / 60))}:${two.format(seconds % 60)}`;
}
