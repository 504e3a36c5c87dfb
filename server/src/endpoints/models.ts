import type { Rates } from '@parley/schema/rates';
import * as z from 'zod';

const TIMEOUT_MS = 5000;
const FRESH_MS = 10 * 60_000;
/** After a failure the provider is asked again sooner. */
const RETRY_MS = 60_000;
/** Users whose own lists are remembered. */
const USERS_MAX = 1000;
/** What a list does not tell of its models is asked for of so many at the same time, and waited for no longer. */
const DESCRIBED_AT_ONCE = 8;
const DESCRIBE_MS = 2000;

/** What a provider tells of one of its models; absent where it tells nothing of use. */
export interface ModelFacts {
  /** The context window in tokens. */
  window?: number | undefined;
  rates?: Rates | undefined;
}

/** A model of a provider's list. */
export interface ListedModel extends ModelFacts {
  id: string;
}

/** Where models are listed, and how the answer is read. */
export interface ModelSource {
  url: string;
  headers: Record<string, string>;
  /** The models of an answer; throws a ZodError for one that is no list. */
  read(answer: unknown): ListedModel[];
  /** Where a provider tells of each model apart. */
  description?: { url: string; body(id: string): unknown; read(answer: unknown): ModelFacts };
  /** The list differs between users, who are named in the query. */
  byUser?: boolean;
}

/** The models of an endpoint, from a cache that is filled when first asked for. */
export interface ModelList {
  /** What is on offer for this user. */
  models(userId: string): Promise<readonly string[]>;
  /** What the provider tells of them, by their names. */
  told(userId: string): Promise<ReadonlyMap<string, ModelFacts>>;
}

/**
 * The models of an endpoint for a user: fetched when there is a source, otherwise and when that fails the given ones.
 * A user's id matters only where lists differ between users.
 */
export function createModelList(
  endpoint: string,
  given: readonly string[],
  source: ModelSource | null,
  onNotice: (text: string) => void,
): ModelList {
  const read = createReader(endpoint, { ids: given, told: new Map() }, source, onNotice);
  return {
    models: async (userId) => (await read(userId)).ids,
    told: async (userId) => (await read(userId)).told,
  };
}

/** What is told of one model; nothing of one that is not listed. */
export async function factsOf({ told }: Pick<ModelList, 'told'>, userId: string, model: string): Promise<ModelFacts> {
  return (await told(userId)).get(model) ?? {};
}

interface Listed {
  ids: readonly string[];
  told: ReadonlyMap<string, ModelFacts>;
}

function createReader(
  endpoint: string,
  usual: Listed,
  source: ModelSource | null,
  onNotice: (text: string) => void,
): (userId: string) => Promise<Listed> {
  if (!source) return async () => usual;
  if (!source.byUser) {
    const list = createList(endpoint, usual, source, onNotice);
    return () => list();
  }
  const lists = new Map<string, () => Promise<Listed>>();
  return (userId) => {
    const url = `${source.url}?${new URLSearchParams({ user: userId }).toString()}`;
    const list = lists.get(userId) ?? createList(endpoint, usual, { ...source, url }, onNotice);
    // What was asked for last stands last, so that the oldest goes first.
    lists.delete(userId);
    lists.set(userId, list);
    const [oldest] = lists.keys();
    if (lists.size > USERS_MAX && oldest !== undefined) lists.delete(oldest);
    return list();
  };
}

function createList(
  endpoint: string,
  usual: Listed,
  source: ModelSource,
  onNotice: (text: string) => void,
): () => Promise<Listed> {
  let known = usual;
  let staleAt = 0;
  let fetching: Promise<Listed> | null = null;
  return async () => {
    if (Date.now() < staleAt) return known;
    fetching ??= refresh().finally(() => (fetching = null));
    return fetching;
  };

  async function refresh(): Promise<Listed> {
    try {
      const models = await describe(await fetchModels(source, TIMEOUT_MS), source);
      known = { ids: models.map(({ id }) => id), told: new Map(models.map(({ id, ...facts }) => [id, facts])) };
      staleAt = Date.now() + FRESH_MS;
    } catch (error) {
      onNotice(`The models of ${endpoint} could not be fetched, so its known ones are offered: ${textOf(error)}`);
      staleAt = Date.now() + RETRY_MS;
    }
    return known;
  }
}

/** Asks once; throws when no list of at least one model comes in time. */
export async function fetchModels({ url, headers, read }: ModelSource, timeoutMs: number): Promise<ListedModel[]> {
  const response = await fetch(url, { headers, signal: AbortSignal.timeout(timeoutMs) });
  if (!response.ok) throw new Error(`status ${response.status}`);
  const models = read(await response.json());
  if (models.length === 0) throw new Error('the list is empty');
  return models;
}

/** The models with what is told of each apart. What cannot be had in time is not known, which is no failure. */
async function describe(models: ListedModel[], { description, headers }: ModelSource): Promise<ListedModel[]> {
  if (!description) return models;
  const { url, body, read } = description;
  const signal = AbortSignal.timeout(DESCRIBE_MS);
  const waiting = models.entries();
  const described = [...models];
  await Promise.all(Array.from({ length: DESCRIBED_AT_ONCE }, describeNext));
  return described;

  async function describeNext(): Promise<void> {
    for (const [place, model] of waiting) described[place] = { ...model, ...(await factsTold(model.id)) };
  }

  async function factsTold(id: string): Promise<ModelFacts> {
    try {
      const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body(id)), signal });
      return response.ok ? read(await response.json()) : {};
    } catch {
      return {};
    }
  }
}

function textOf(error: unknown): string {
  if (error instanceof z.ZodError) return 'the answer is no model list';
  return error instanceof Error ? error.message : String(error);
}
