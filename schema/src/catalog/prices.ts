// Prices of one's own: what administrators, and the yaml file, set for the models of a provider.
import type { ReportedRates } from './usage.ts';

/** In US dollars for a million tokens, which is also credits a token. */
export interface Price {
  input: number;
  /** Of input that is read from the provider's cache, and written to it; absent where they follow from `input`. */
  cachedRead?: number | undefined;
  cachedWrite?: number | undefined;
  output: number;
  /** Of a picture that it makes, in US dollars; without them a million pictures cost `input`. */
  pictures?: PicturePrices | undefined;
}

/** By quality, for a square picture and for any other shape. */
export type PicturePrices = Readonly<Record<'draft' | 'fine', readonly [square: number, other: number]>>;

/** By the name of the provider, then by that of the model or `EVERY_MODEL`. */
export type PricesByProvider = Readonly<Record<string, Readonly<Record<string, Readonly<Price>>>>>;

/** A higher price was meant for another number of tokens, or in another currency. */
export const PRICE_MAX = 10_000;
/** Of one picture. A higher price was meant for many of them. */
export const PICTURE_PRICE_MAX = 100;
/** In place of a model's name: the price of all models of the provider without one of their own. */
export const EVERY_MODEL = '*';
/** Prices of one provider. */
export const PRICES_MAX = 500;

export interface PriceRow {
  model: string;
  price: Price;
  /** The yaml file wins, and only its editor changes it. */
  source: 'saved' | 'yaml';
}

/** The prices of a provider, as the page of administrators shows them. */
export interface ProviderPrices {
  /** Of what is saved: 0 where nothing is. */
  version: number;
  /** Whether it runs on a server of the operator's own: its models are free until they have a price. */
  isLocal: boolean;
  /** By the names of the models; the one for every model first. */
  rows: PriceRow[];
}

/** The price as rates. What it does not say of the cache follows from the model's name, in `ratesOfCall`. */
export function ratesOfPrice({ input, cachedRead, cachedWrite, output }: Price): ReportedRates {
  return {
    prompt: input,
    completion: output,
    ...(cachedRead !== undefined && { cachedRead }),
    ...(cachedWrite !== undefined && { cachedWrite }),
  };
}
