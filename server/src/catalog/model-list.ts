// Lists the models of each endpoint, from a cache filled at the first read.
import { createHash } from 'node:crypto';
import type { ReportedRates } from '@parley/schema/catalog/usage';
import * as z from 'zod';
import type { ModelOffer } from '../providers/endpoint.ts';
import type { ModelMetadata } from '../providers/model-metadata.ts';
import type { ModelSource, UserModelSource } from '../providers/model-source.ts';
import { fetchModels, withMetadata } from './fetch-models.ts';
import type { PricedPicture } from './prices/model-prices.ts';

const FRESH_MS = 10 * 60_000;
/** Retry interval after a failure. */
const RETRY_MS = 60_000;
/** How many users' own lists are cached. */
const USERS_MAX = 1000;

export interface ModelList {
  /** The models on offer for this user. */
  models(userId: string): Promise<readonly string[]>;
  /** The metadata that the provider's list has, by model. */
  fetched(userId: string): Promise<ReadonlyMap<string, ModelMetadata>>;
  /** Why the list that is everybody's could not be fetched the last time; null where it was, or is not fetched. */
  failure(): ListFailure | null;
  /** Whether to accept a model missing from a user's own list: clients know it from before there was a key. */
  accepts(userId: string, model: string): Promise<boolean>;
}

export interface Pricing {
  /**
   * The prices of a call that are given: those of one's own, else those that the provider reports, else zero on a local
   * server. Undefined where they follow from the model's name. Of a picture, those of one's own may be by picture.
   */
  ratesOf(model: string, reported?: ReportedRates, picture?: PricedPicture): ReportedRates | undefined;
}

export interface ListFailure {
  error: unknown;
  /** The first failure of those in a row. */
  since: Date;
}

/**
 * The models of an endpoint for a user: fetched if there is a source, otherwise, or if that fails, the known models.
 * Lists may differ between users. A list opened with one user's key is shown to no other user, and not to that user
 * either once the key changes.
 */
export function createModelList(
  endpoint: string,
  { known, source, usable, acceptsUnlisted = () => true }: ModelOffer,
  onNotice: (text: string) => void,
  timeoutMs: number,
): ModelList {
  const fallback = { ids: known, fetched: new Map() };
  let failure: ListFailure | null = null;
  const isShared = source !== null && typeof source !== 'function' && !source.byUser;
  const onFetched = (error?: unknown) => {
    if (isShared) failure = error === undefined ? null : { error, since: failure?.since ?? new Date() };
  };
  const newList = () => createList(endpoint, fallback, onNotice, timeoutMs, onFetched);
  const read = createReader(newList, fallback, source);
  return {
    async models(userId) {
      const { ids } = await read(userId);
      return usable ? usable(userId, ids) : ids;
    },
    fetched: async (userId) => (await read(userId)).fetched,
    failure: () => failure,
    accepts: async (_userId, model) => typeof source === 'function' && known.includes(model) && acceptsUnlisted(model),
  };
}

/** What is known of one model: what its list says, and its prices, of which those of one's own come first. */
export async function findModelMetadata(
  { fetched, ratesOf }: Pick<ModelList, 'fetched'> & Pricing,
  userId: string,
  model: string,
): Promise<ModelMetadata> {
  const { rates: reported, ...rest } = (await fetched(userId)).get(model) ?? {};
  const rates = ratesOf(model, reported);
  return { ...rest, ...(rates && { rates }) };
}

interface Listed {
  ids: readonly string[];
  fetched: ReadonlyMap<string, ModelMetadata>;
}

function createReader(
  newList: () => List,
  fallback: Listed,
  source: ModelSource | UserModelSource | null,
): (userId: string) => Promise<Listed> {
  if (!source) return async () => fallback;
  if (typeof source === 'function') {
    const listOf = rememberLists(newList);
    return async (userId) => {
      const own = await source(userId);
      return own ? listOf(userId, fingerprintOf(own))(forUser(own, userId)) : fallback;
    };
  }
  if (source.byUser) {
    const listOf = rememberLists(newList);
    return (userId) => listOf(userId, '')(forUser(source, userId));
  }
  const list = newList();
  return () => list(source);
}

type List = (source: ModelSource) => Promise<Listed>;

/** Keeps a list for each user, and starts a new one when the fingerprint of its source changes. */
function rememberLists(newList: () => List): (userId: string, fingerprint: string) => List {
  const lists = new Map<string, { fingerprint: string; list: List }>();
  return (userId, fingerprint) => {
    const known = lists.get(userId);
    const mine = known?.fingerprint === fingerprint ? known : { fingerprint, list: newList() };
    // A map keeps the order of insertion: the least recently used list comes first and is evicted first.
    lists.delete(userId);
    lists.set(userId, mine);
    const [oldest] = lists.keys();
    if (lists.size > USERS_MAX && oldest !== undefined) lists.delete(oldest);
    return mine.list;
  };
}

/** Identifies a source without keeping its key. */
function fingerprintOf({ url, headers }: ModelSource): string {
  return createHash('sha256')
    .update(JSON.stringify([url, headers]))
    .digest('base64');
}

function forUser(source: ModelSource, userId: string): ModelSource {
  if (!source.byUser) return source;
  return { ...source, url: `${source.url}?${new URLSearchParams({ user: userId }).toString()}` };
}

function createList(
  endpoint: string,
  fallback: Listed,
  onNotice: (text: string) => void,
  timeoutMs: number,
  onFetched: (error?: unknown) => void,
): List {
  let known = fallback;
  let staleAt = 0;
  let fetching: Promise<Listed> | null = null;
  return async (source) => {
    if (Date.now() < staleAt) return known;
    fetching ??= refresh(source).finally(() => (fetching = null));
    return fetching;
  };

  async function refresh(source: ModelSource): Promise<Listed> {
    try {
      const models = await withMetadata(await fetchModels(source, timeoutMs), source);
      known = {
        ids: models.map(({ id }) => id),
        fetched: new Map(models.map(({ id, ...metadata }) => [id, metadata])),
      };
      staleAt = Date.now() + FRESH_MS;
      onFetched();
    } catch (error) {
      onFetched(error);
      onNotice(`The models of ${endpoint} could not be fetched, so its known ones are offered: ${textOf(error)}`);
      staleAt = Date.now() + RETRY_MS;
    }
    return known;
  }
}

function textOf(error: unknown): string {
  if (error instanceof z.ZodError) return 'the answer is no model list';
  return error instanceof Error ? error.message : String(error);
}
