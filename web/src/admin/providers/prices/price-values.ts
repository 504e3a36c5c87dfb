// The fields of a price: as they are typed, and as they are saved.
import { PRICE_MAX, type Price } from '@parley/schema/catalog/prices';
import { formatTyped, withAsciiSigns } from '../../../lib/format-number.ts';

export const PRICE_FIELDS = ['input', 'cachedRead', 'cachedWrite', 'output'] as const satisfies (keyof Price)[];
export type PriceField = (typeof PRICE_FIELDS)[number];
export type TypedPrice = Record<PriceField, string>;

/** Empty where there is none. */
export function typedPrice(dollars: number | undefined, language: string): string {
  return dollars === undefined ? '' : formatTyped(dollars, language);
}

export function typedPrices(price: Price | undefined, language: string): TypedPrice {
  return {
    input: typedPrice(price?.input, language),
    cachedRead: typedPrice(price?.cachedRead, language),
    cachedWrite: typedPrice(price?.cachedWrite, language),
    output: typedPrice(price?.output, language),
  };
}

/** Null for what is no price. */
export function readDollars(typed: string): number | null {
  const text = withAsciiSigns(typed.trim()).replace(',', '.');
  if (!/^(?:\d{1,6}(?:\.\d{0,9})?|\.\d{1,9})$/.test(text)) return null;
  return Number(text) <= PRICE_MAX ? Number(text) : null;
}

/** Prices of the cache may be left empty. */
export function isWrong(name: PriceField, typed: string): boolean {
  const mayBeEmpty = name === 'cachedRead' || name === 'cachedWrite';
  return mayBeEmpty && typed.trim() === '' ? false : readDollars(typed) === null;
}

/** Null while a field is wrong. */
export function readPrice(typed: TypedPrice): Price | null {
  if (PRICE_FIELDS.some((name) => isWrong(name, typed[name]))) return null;
  const [input, cachedRead, cachedWrite, output] = PRICE_FIELDS.map((name) => readDollars(typed[name]));
  return {
    input: input ?? 0,
    ...(cachedRead != null && { cachedRead }),
    ...(cachedWrite != null && { cachedWrite }),
    output: output ?? 0,
  };
}
