// The prices of one's own in memory: those of the yaml file, and under them those that administrators save. They hold for
// the next call, in every process; an answer that runs keeps the prices it began with.
import type { Db, Query } from '@parley/db/client';
import { serverSettings } from '@parley/db/tables/administration';
import {
  EVERY_MODEL,
  PRICES_MAX,
  ratesOfPrice,
  type PicturePrices,
  type Price,
  type PricesByProvider,
} from '@parley/schema/catalog/prices';
import { pictureCredits, type PictureOptions } from '@parley/schema/pictures/models';
import { PriceInput } from '@parley/schema/catalog/saved-providers';
import type { ReportedRates } from '@parley/schema/catalog/usage';
import { eq, sql } from 'drizzle-orm';
import * as z from 'zod';

/** Told when a price has changed. */
export const PRICES_TOPIC = 'settings:prices';

export const NO_COST: ReportedRates = { prompt: 0, completion: 0, cachedRead: 0, cachedWrite: 0 };

export interface ModelPrices {
  /**
   * Of a model's own name, else the one for every model; undefined where there is neither. Of such a picture, where the
   * price says what pictures cost.
   */
  find(endpoint: string, model: string, picture?: PricedPicture): ReportedRates | undefined;
  /** Those of the yaml file, by model. */
  fixed(endpoint: string): ReadonlyMap<string, Price>;
  /** Reads what is saved. Never rejects: what cannot be read stays as it was. */
  reload(): Promise<void>;
}

export type PricedPicture = Pick<PictureOptions, 'size' | 'quality'>;

interface Parts {
  db: Db;
  /** Those of the yaml file. */
  ofFile: PricesByProvider;
  /** The endpoint whose prices hold for an endpoint that has no provider of its own. */
  priceOf: (endpoint: string) => string;
  onFault: (error: unknown) => void;
}

/** By endpoint, whose name counts in any case. */
type ByEndpoint = ReadonlyMap<string, ReadonlyMap<string, Price>>;

const PREFIX = 'prices:';

/** Already with what is saved. */
export async function createModelPrices({ db, ofFile, priceOf, onFault }: Parts): Promise<ModelPrices> {
  const fixed = new Map(Object.entries(ofFile).map(([endpoint, prices]) => [keyOf(endpoint), mapOf(prices)]));
  let all = withFixed(await readAll(db.query), fixed);
  let reloading = Promise.resolve();
  return {
    find(endpoint, model, picture) {
      const prices = all.size === 0 ? undefined : all.get(keyOf(priceOf(endpoint)));
      const price = prices?.get(model) ?? prices?.get(EVERY_MODEL);
      if (!price) return undefined;
      return picture && price.pictures ? pictureRates(price.pictures, picture) : ratesOfPrice(price);
    },
    fixed: (endpoint) => fixed.get(keyOf(endpoint)) ?? new Map(),
    reload: () => (reloading = reloading.then(look).catch(onFault)),
  };

  async function look(): Promise<void> {
    all = withFixed(await readAll(db.query), fixed);
  }
}

const CREDITS_PER_DOLLAR = 1_000_000;

/** A picture is counted as a token of the prompt. */
function pictureRates(pictures: PicturePrices, picture: PricedPicture): ReportedRates {
  const dollars = pictureCredits({ credits: pictures }, picture) ?? 0;
  return { prompt: Math.round(dollars * CREDITS_PER_DOLLAR), completion: 0 };
}

/** The name of the setting that has the prices of an endpoint. */
export function pricesSetting(endpoint: string): string {
  return PREFIX + keyOf(endpoint);
}

/** Version 0 where none are saved. */
export async function readPrices(
  query: Query,
  endpoint: string,
): Promise<{ prices: ReadonlyMap<string, Price>; version: number }> {
  const [row] = await query
    .select()
    .from(serverSettings)
    .where(eq(serverSettings.name, pricesSetting(endpoint)));
  return { prices: row ? pricesIn(row.value) : new Map(), version: row?.version ?? 0 };
}

/** As they are stored: a list, since models may have any name. */
export function storedPrices(prices: ReadonlyMap<string, Price>): Record<string, unknown> {
  return { models: [...prices].map(([model, price]) => ({ model, ...price })) };
}

const Stored = z.object({ models: z.array(PriceInput.extend({ model: z.string() })).max(PRICES_MAX) });

function pricesIn(value: unknown): ReadonlyMap<string, Price> {
  const { data } = Stored.safeParse(value);
  return new Map(data?.models.map(({ model, ...price }) => [model, price]));
}

async function readAll(query: Query): Promise<ByEndpoint> {
  const rows = await query
    .select()
    .from(serverSettings)
    .where(sql`starts_with(${serverSettings.name}, ${PREFIX})`);
  return new Map(rows.map(({ name, value }) => [name.slice(PREFIX.length), pricesIn(value)]));
}

/** A model that the file names has the price of the file. */
function withFixed(saved: ByEndpoint, fixed: ByEndpoint): ByEndpoint {
  const all = new Map(saved);
  for (const [endpoint, prices] of fixed) all.set(endpoint, new Map([...(saved.get(endpoint) ?? []), ...prices]));
  return all;
}

function mapOf(prices: PricesByProvider[string]): ReadonlyMap<string, Price> {
  return new Map(Object.entries(prices));
}

function keyOf(endpoint: string): string {
  return endpoint.toLowerCase();
}
