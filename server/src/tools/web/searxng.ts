// A SearXNG of the operator's own, whose settings allow the format json.
import * as z from 'zod';
import { callServiceForJson, type Service } from '../call-service.ts';
import type { SearchRequest, SearchResult } from './search-result.ts';

const Reply = z.object({
  results: z.array(z.object({ title: z.string().catch(''), url: z.string(), content: z.string().catch('') })).catch([]),
});

/** @throws ServiceFailure */
export async function searchSearxng(
  service: Service,
  baseURL: string,
  { query, count, signal }: SearchRequest,
): Promise<SearchResult[]> {
  const found = await callServiceForJson(service, Reply, {
    url: `${baseURL}/search`,
    query: { q: query, format: 'json' },
    signal,
  });
  return found.results.slice(0, count).map(({ title, url, content }) => ({ title, url, snippet: content }));
}
