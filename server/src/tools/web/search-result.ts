import type { WebSource } from '@parley/schema/tools/web-sources';

/** A page that a search found, before it has its number. */
export type SearchResult = Omit<WebSource, 'n'>;

export interface SearchRequest {
  query: string;
  /** The most results. */
  count: number;
  signal: AbortSignal;
}
