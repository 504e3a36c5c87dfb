// Which service the built-in search asks: the first that the operator has set up.
import type { DeepReadonly } from '../../config/freeze.ts';
import type { PluginsConfig } from '../../config/parts/plugins.ts';
import type { Service } from '../call-service.ts';
import { searchBrave } from './brave.ts';
import { searchGoogle } from './google.ts';
import type { SearchRequest, SearchResult } from './search-result.ts';
import { searchSearxng } from './searxng.ts';
import { searchSerpapi } from './serpapi.ts';
import { searchTavily } from './tavily.ts';

export interface SearchProvider {
  name: string;
  /** @throws ServiceFailure */
  search(request: SearchRequest): Promise<SearchResult[]>;
}

/** Null when none is set up. */
export function chooseSearchProvider(
  config: DeepReadonly<PluginsConfig>,
  egress: Service['egress'] = null,
): SearchProvider | null {
  const { fields, services, braveKey, searxngURL, saved } = config;
  const { TAVILY_API_KEY: tavily, SERPAPI_API_KEY: serpapi } = fields;
  const { GOOGLE_SEARCH_API_KEY: google, GOOGLE_CSE_ID: engineId } = fields;
  if (tavily) {
    const at = { baseURL: services.TAVILY_BASE_URL, key: tavily };
    return provider('Tavily', [tavily], async (service, request) => (await searchTavily(service, at, request)).results);
  }
  if (google && engineId) {
    const at = { baseURL: services.GOOGLE_SEARCH_BASE_URL, key: google, engineId };
    return provider('Google', [google, engineId], (service, request) => searchGoogle(service, at, request));
  }
  if (serpapi) {
    const at = { baseURL: services.SERPAPI_BASE_URL, key: serpapi };
    return provider(
      'SerpAPI',
      [serpapi],
      async (service, request) => (await searchSerpapi(service, at, request)).results,
    );
  }
  if (braveKey) {
    const at = { baseURL: services.BRAVE_BASE_URL, key: braveKey };
    return provider('Brave', [braveKey], (service, request) => searchBrave(service, at, request));
  }
  if (!searxngURL) return null;
  const guard = saved?.includes('SEARXNG_URL') ? egress : null;
  return provider('SearXNG', [], (service, request) =>
    searchSearxng({ ...service, egress: guard }, searxngURL, request),
  );
}

function provider(
  name: string,
  secrets: string[],
  search: (service: Service, request: SearchRequest) => Promise<SearchResult[]>,
): SearchProvider {
  return { name, search: (request) => search({ name, secrets, egress: null }, request) };
}
