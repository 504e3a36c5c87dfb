/** A number with the digits and separators of a language, and at most three decimals. */
export function formatNumber(value: number, locale: string): string {
  return value.toLocaleString(locale);
}

/** A number as it is typed into a field: without separators between thousands, and with all of its decimals. */
export function formatTyped(value: number, locale: string): string {
  return value.toLocaleString(locale, { useGrouping: false, maximumFractionDigits: 20 });
}

/**
 * A typed number with ASCII digits, minus and point: some languages have digits of their own, or write the minus as a sign
 * of its own, or with an invisible mark of direction before it.
 */
export function withAsciiSigns(text: string): string {
  const zero = '٠'.charCodeAt(0);
  return text
    .replace(/[\u061C\u200E\u200F]/g, '')
    .replace('\u2212', '-')
    .replace(/[٠-٩]/g, (digit) => String(digit.charCodeAt(0) - zero))
    .replace('٫', '.');
}

/** Two or three figures of a large number: "128K", and in languages without a sign for a thousand "128.000". */
export function formatThousands(value: number, locale: string): string {
  const unit = value < 1_000_000 ? 1000 : 100_000;
  const rounded = Math.round(value / unit) * unit;
  return rounded.toLocaleString(locale, { notation: 'compact', maximumSignificantDigits: 3, useGrouping: true });
}

/** A share of 1 as whole percents. */
export function formatPercent(share: number, locale: string): string {
  return share.toLocaleString(locale, { style: 'percent', maximumFractionDigits: 0 });
}

/** Where one is among several: "2 / 3". */
export function formatPosition(position: number, count: number, locale: string): string {
  return `${formatNumber(position, locale)} / ${formatNumber(count, locale)}`;
}

/** Credits in a US dollar. */
export const DOLLAR = 1_000_000;
/** Significant digits of an amount below one cent. */
const FIGURES = 2;

/** In which money people see amounts, and how much of it a US dollar is. */
export interface Currency {
  code: string;
  perDollar: number;
}

const DOLLARS: Currency = { code: 'USD', perDollar: 1 };
let currency = DOLLARS;

/** Of this site; US dollars where it names none. */
export function setCurrency(named: Currency | undefined): void {
  currency = named ?? DOLLARS;
}

export function currentCurrency(): Currency {
  return currency;
}

/** An amount in US dollars, as people of this site see it. */
export function formatDollars(dollars: number, language: string): string {
  const amount = dollars * currency.perDollar;
  const digits = amount > 0 && amount < 0.01 ? { maximumSignificantDigits: FIGURES } : {};
  return amount.toLocaleString(language, { style: 'currency', currency: currency.code, ...digits });
}

/** A price as providers name it, in US dollars, whatever the money of this site is. */
export function formatUsDollars(dollars: number, language: string): string {
  return dollars.toLocaleString(language, { style: 'currency', currency: 'USD', maximumFractionDigits: 6 });
}

/** Credits by what they are worth: people see money in one unit. */
export function formatCredits(credits: number, language: string): string {
  return formatDollars(credits / DOLLAR, language);
}
