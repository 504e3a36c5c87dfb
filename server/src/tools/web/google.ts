// Google's programmable search.
import * as z from 'zod';
import { callServiceForJson, type Service } from '../call-service.ts';
import type { SearchRequest, SearchResult } from './search-result.ts';

export interface GoogleSearch {
  /** Without the path. */
  baseURL: string;
  key: string;
  engineId: string;
}

const RESULTS_MAX = 10;

const Reply = z.object({
  items: z.array(z.object({ title: z.string().catch(''), link: z.string(), snippet: z.string().catch('') })).catch([]),
});

/** @throws ServiceFailure */
export async function searchGoogle(
  service: Service,
  { baseURL, key, engineId }: GoogleSearch,
  { query, count, signal }: SearchRequest,
): Promise<SearchResult[]> {
  const found = await callServiceForJson(service, Reply, {
    url: `${baseURL}/customsearch/v1`,
    query: { key, cx: engineId, q: query, num: Math.min(count, RESULTS_MAX) },
    signal,
  });
  return found.items.map(({ title, link, snippet }) => ({ title, url: link, snippet }));
}
