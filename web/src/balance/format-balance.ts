/** A balance as the server tells it, with two decimals. Who never had any credits has none. */
export function formatBalance(told: string, locale: string): string {
  const credits = Number(told);
  const decimals = { minimumFractionDigits: 2, maximumFractionDigits: 2, useGrouping: false };
  return new Intl.NumberFormat(locale, decimals).format(Number.isFinite(credits) ? credits : 0);
}
