import { createHash } from 'node:crypto';
import type { Rates } from '@parley/schema/rates';
import * as z from 'zod';

const TIMEOUT_MS = 5000;
const FRESH_MS = 10 * 60_000;
/** After a failure the provider is asked again sooner. */
const RETRY_MS = 60_000;
/** Users whose own lists are remembered. */
const USERS_MAX = 1000;
/** More models than this, and longer names, are of no use to anybody. */
const MODELS_MAX = 2000;
const NAME_MAX = 256;
/** In bytes; a list is the answer of a server that may be a user's. */
const ANSWER_MAX = 16 * 1024 * 1024;
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
  /** Where a provider tells what holds for the models that it runs; what it has told before holds on. */
  running?: { url: string; read(answer: unknown): ReadonlyMap<string, ModelFacts> };
  /** The list differs between users, who are named in the query. */
  byUser?: boolean;
  /** Calls in the place of the platform's. */
  fetch?: typeof fetch;
}

/** Where a user's own key opens a list; null for who has none that could be used. */
export type UsersSource = (userId: string) => Promise<ModelSource | null>;

/** The models of an endpoint, from a cache that is filled when first asked for. */
export interface ModelList {
  /** What is on offer for this user. */
  models(userId: string): Promise<readonly string[]>;
  /** What the provider tells of them, by their names. */
  told(userId: string): Promise<ReadonlyMap<string, ModelFacts>>;
  /** Whether a model may be asked though a user's own list lacks it: clients know it from before there was a key. */
  takes(model: string): boolean;
}

/**
 * The models of an endpoint for a user: fetched when there is a source, otherwise and when that fails the given ones.
 * A user's id matters only where lists differ between users. What one user's key has opened is shown to nobody else, and
 * not to that user either once the key is another.
 */
export function createModelList(
  endpoint: string,
  given: readonly string[],
  source: ModelSource | UsersSource | null,
  onNotice: (text: string) => void,
): ModelList {
  const read = createReader(endpoint, { ids: given, told: new Map() }, source, onNotice);
  return {
    models: async (userId) => (await read(userId)).ids,
    told: async (userId) => (await read(userId)).told,
    takes: (model) => typeof source === 'function' && given.includes(model),
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
  source: ModelSource | UsersSource | null,
  onNotice: (text: string) => void,
): (userId: string) => Promise<Listed> {
  if (!source) return async () => usual;
  const newList = () => createList(endpoint, usual, onNotice);
  if (typeof source === 'function') {
    const listOf = rememberLists(newList);
    return async (userId) => {
      const own = await source(userId);
      return own ? listOf(userId, markOf(own))(forUser(own, userId)) : usual;
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

/** Gives each user a list, a new one when its mark is another. */
function rememberLists(newList: () => List): (userId: string, mark: string) => List {
  const lists = new Map<string, { mark: string; list: List }>();
  return (userId, mark) => {
    const known = lists.get(userId);
    const mine = known?.mark === mark ? known : { mark, list: newList() };
    // What was asked for last stands last, so that the oldest goes first.
    lists.delete(userId);
    lists.set(userId, mine);
    const [oldest] = lists.keys();
    if (lists.size > USERS_MAX && oldest !== undefined) lists.delete(oldest);
    return mine.list;
  };
}

/** Tells sources apart without keeping their keys. */
function markOf({ url, headers }: ModelSource): string {
  return createHash('sha256')
    .update(JSON.stringify([url, headers]))
    .digest('base64');
}

function forUser(source: ModelSource, userId: string): ModelSource {
  if (!source.byUser) return source;
  return { ...source, url: `${source.url}?${new URLSearchParams({ user: userId }).toString()}` };
}

function createList(endpoint: string, usual: Listed, onNotice: (text: string) => void): List {
  let known = usual;
  let staleAt = 0;
  let fetching: Promise<Listed> | null = null;
  return async (source) => {
    if (Date.now() < staleAt) return known;
    fetching ??= refresh(source).finally(() => (fetching = null));
    return fetching;
  };

  async function refresh(source: ModelSource): Promise<Listed> {
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
export async function fetchModels(source: ModelSource, timeoutMs: number): Promise<ListedModel[]> {
  const { url, headers, read, fetch: call = fetch } = source;
  const response = await call(url, { headers, signal: AbortSignal.timeout(timeoutMs) });
  if (!response.ok) throw new Error(`status ${response.status}`);
  const models = read(await jsonOf(response)).filter(({ id }) => id !== '' && id.length <= NAME_MAX);
  if (models.length === 0) throw new Error('the list is empty');
  return models.slice(0, MODELS_MAX);
}

/** The models with what is told of each apart. What cannot be had in time is not known, which is no failure. */
async function describe(models: ListedModel[], source: ModelSource): Promise<ListedModel[]> {
  const { description, running, headers, fetch: call = fetch } = source;
  if (!description) return models;
  const { url, body, read } = description;
  const signal = AbortSignal.timeout(DESCRIBE_MS);
  const now = running && factsRun(running);
  const waiting = models.entries();
  const described = [...models];
  await Promise.all(Array.from({ length: DESCRIBED_AT_ONCE }, describeNext));
  return described;

  async function describeNext(): Promise<void> {
    for (const [place, model] of waiting)
      described[place] = { ...model, ...(await factsTold(model.id)), ...(await now)?.get(model.id) };
  }

  async function factsTold(id: string): Promise<ModelFacts> {
    try {
      const response = await call(url, { method: 'POST', headers, body: JSON.stringify(body(id)), signal });
      return response.ok ? read(await jsonOf(response)) : {};
    } catch {
      return {};
    }
  }

  async function factsRun({ url: place, read: readRunning }: NonNullable<ModelSource['running']>) {
    try {
      const response = await call(place, { headers, signal });
      return response.ok ? readRunning(await jsonOf(response)) : null;
    } catch {
      return null;
    }
  }
}

/** Reads no more than a list may have. */
async function jsonOf({ body }: Response): Promise<unknown> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.length;
    if (size > ANSWER_MAX) throw new Error('the answer is too long');
    chunks.push(chunk);
  }
  return JSON.parse(Buffer.concat(chunks).toString());
}

function textOf(error: unknown): string {
  if (error instanceof z.ZodError) return 'the answer is no model list';
  return error instanceof Error ? error.message : String(error);
}
