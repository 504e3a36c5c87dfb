/** Formats the server's balance with two decimals. A user without any credits has a balance of 0. */
export function formatBalance(reported: string, locale: string): string {
  const credits = Number(reported);
  const decimals = { minimumFractionDigits: 2, maximumFractionDigits: 2, useGrouping: false };
  return new Intl.NumberFormat(locale, decimals).format(Number.isFinite(credits) ? credits : 0);
}
