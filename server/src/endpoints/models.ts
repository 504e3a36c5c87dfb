import * as z from 'zod';

const TIMEOUT_MS = 5000;
const FRESH_MS = 10 * 60_000;
/** After a failure the provider is asked again sooner. */
const RETRY_MS = 60_000;
/** Users whose own lists are remembered. */
const USERS_MAX = 1000;

/** Where models are listed, and how the answer is read. */
export interface ModelSource {
  url: string;
  headers: Record<string, string>;
  /** The models of an answer; throws a ZodError for one that is no list. */
  read(answer: unknown): string[];
  /** The list differs between users, who are named in the query. */
  byUser?: boolean;
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
): (userId: string) => Promise<readonly string[]> {
  if (!source) return async () => given;
  if (!source.byUser) {
    const list = createList(endpoint, given, source, onNotice);
    return () => list();
  }
  const lists = new Map<string, () => Promise<readonly string[]>>();
  return (userId) => {
    const url = `${source.url}?${new URLSearchParams({ user: userId }).toString()}`;
    const list = lists.get(userId) ?? createList(endpoint, given, { ...source, url }, onNotice);
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
  given: readonly string[],
  source: ModelSource,
  onNotice: (text: string) => void,
): () => Promise<readonly string[]> {
  let known: readonly string[] = given;
  let staleAt = 0;
  let fetching: Promise<readonly string[]> | null = null;
  return async () => {
    if (Date.now() < staleAt) return known;
    fetching ??= refresh().finally(() => (fetching = null));
    return fetching;
  };

  async function refresh(): Promise<readonly string[]> {
    try {
      known = await fetchModels(source, TIMEOUT_MS);
      staleAt = Date.now() + FRESH_MS;
    } catch (error) {
      onNotice(`The models of ${endpoint} could not be fetched, so its known ones are offered: ${textOf(error)}`);
      staleAt = Date.now() + RETRY_MS;
    }
    return known;
  }
}

/** Asks once; throws when no list of at least one model comes in time. */
export async function fetchModels({ url, headers, read }: ModelSource, timeoutMs: number): Promise<string[]> {
  const response = await fetch(url, { headers, signal: AbortSignal.timeout(timeoutMs) });
  if (!response.ok) throw new Error(`status ${response.status}`);
  const ids = read(await response.json());
  if (ids.length === 0) throw new Error('the list is empty');
  return ids;
}

function textOf(error: unknown): string {
  if (error instanceof z.ZodError) return 'the answer is no model list';
  return error instanceof Error ? error.message : String(error);
}
