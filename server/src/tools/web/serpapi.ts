// SerpAPI, which reads the pages of search engines.
import * as z from 'zod';
import { callServiceForJson, type Service } from '../call-service.ts';
import type { SearchRequest, SearchResult } from './search-result.ts';

export interface SerpapiSearch {
  baseURL: string;
  key: string;
  /** Where the search is done from, as `location`, `hl` and `gl`; SerpAPI's own choice when absent. */
  from?: { location: string; hl: string; gl: string };
}

const Reply = z.object({
  answer_box: z.object({ answer: z.string().optional(), snippet: z.string().optional() }).optional().catch(undefined),
  knowledge_graph: z.object({ description: z.string().optional() }).optional().catch(undefined),
  organic_results: z
    .array(z.object({ title: z.string().catch(''), link: z.string(), snippet: z.string().catch('') }))
    .catch([]),
});

/** What the page answers by itself, null when nothing, and its results. @throws ServiceFailure */
export async function searchSerpapi(
  service: Service,
  { baseURL, key, from }: SerpapiSearch,
  { query, count, signal }: SearchRequest,
): Promise<{ answer: string | null; results: SearchResult[] }> {
  const found = await callServiceForJson(service, Reply, {
    url: `${baseURL}/search`,
    query: { engine: 'google', q: query, ...from, api_key: key },
    signal,
  });
  const { answer_box: box, knowledge_graph: known, organic_results: results } = found;
  return {
    answer: box?.answer ?? box?.snippet ?? known?.description ?? null,
    results: results.slice(0, count).map(({ title, link, snippet }) => ({ title, url: link, snippet })),
  };
}
