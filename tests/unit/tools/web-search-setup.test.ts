// The page asks whether a search is set up, the tools ask which one: both read the same configuration.
import { expect, it } from 'vitest';
import { hasWebSearch, pluginsConfig } from '../../../server/src/config/parts/plugins.ts';
import { chooseSearchProvider } from '../../../server/src/tools/web/search-providers.ts';

const none = pluginsConfig({} as Parameters<typeof pluginsConfig>[0], {}, []);

it.each([
  [{}, null],
  [{ fields: { TAVILY_API_KEY: 'k' } }, 'Tavily'],
  [{ fields: { GOOGLE_SEARCH_API_KEY: 'k' } }, null],
  [{ fields: { GOOGLE_SEARCH_API_KEY: 'k', GOOGLE_CSE_ID: 'c' } }, 'Google'],
  [{ fields: { SERPAPI_API_KEY: 'k' } }, 'SerpAPI'],
  [{ braveKey: 'k' }, 'Brave'],
  [{ searxngURL: 'https://search.example' }, 'SearXNG'],
])('%j is known as a search: %s', (changes, name) => {
  const config = { ...none, ...changes };
  expect(chooseSearchProvider(config)?.name ?? null).toBe(name);
  expect(hasWebSearch(config)).toBe(name !== null);
});
