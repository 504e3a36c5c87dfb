// Brave's search.
import * as z from 'zod';
import { callServiceForJson, type Service } from '../call-service.ts';
import type { SearchRequest, SearchResult } from './search-result.ts';

const Reply = z.object({
  web: z
    .object({
      results: z
        .array(z.object({ title: z.string().catch(''), url: z.string(), description: z.string().catch('') }))
        .catch([]),
    })
    .catch({ results: [] }),
});

/** @throws ServiceFailure */
export async function searchBrave(
  service: Service,
  { baseURL, key }: { baseURL: string; key: string },
  { query, count, signal }: SearchRequest,
): Promise<SearchResult[]> {
  const found = await callServiceForJson(service, Reply, {
    url: `${baseURL}/res/v1/web/search`,
    query: { q: query, count },
    headers: { accept: 'application/json', 'x-subscription-token': key },
    signal,
  });
  const { web } = found;
  // Brave marks the words it found.
  return web.results.map(({ title, url, description }) => ({ title, url, snippet: withoutTags(description) }));
}

function withoutTags(text: string): string {
  return text.replaceAll(/<\/?strong>/g, '');
}
