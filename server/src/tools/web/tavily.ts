// Tavily's search.
import * as z from 'zod';
import { callServiceForJson, type Service } from '../call-service.ts';
import type { SearchRequest, SearchResult } from './search-result.ts';

export interface TavilySearch {
  baseURL: string;
  key: string;
  depth?: 'basic' | 'advanced';
  includeImages?: boolean;
  includeAnswer?: boolean;
}

const Reply = z.object({
  answer: z.string().nullish().catch(null),
  images: z.array(z.union([z.string(), z.object({ url: z.string() }).transform(({ url }) => url)])).catch([]),
  results: z.array(z.object({ title: z.string().catch(''), url: z.string(), content: z.string().catch('') })).catch([]),
});

/** @throws ServiceFailure */
export async function searchTavily(
  service: Service,
  { baseURL, key, depth, includeImages, includeAnswer }: TavilySearch,
  { query, count, signal }: SearchRequest,
): Promise<{ answer: string | null; images: string[]; results: SearchResult[] }> {
  const found = await callServiceForJson(service, Reply, {
    url: `${baseURL}/search`,
    // Servers of before the header read the key from the body.
    headers: { authorization: `Bearer ${key}` },
    body: {
      api_key: key,
      query,
      max_results: count,
      ...(depth && { search_depth: depth }),
      ...(includeImages !== undefined && { include_images: includeImages }),
      ...(includeAnswer !== undefined && { include_answer: includeAnswer }),
    },
    signal,
  });
  const { answer = null, images, results } = found;
  return { answer, images, results: results.map(({ title, url, content }) => ({ title, url, snippet: content })) };
}
