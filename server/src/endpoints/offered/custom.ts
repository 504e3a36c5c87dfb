import type { Config } from '../../config.ts';
import type { Endpoint, Surroundings } from '../endpoint.ts';
import { knownProviderOf } from '../known-providers.ts';
import { ollamaModels, openAIModels } from '../model-sources.ts';
import { createModelList, type ModelSource, type UsersSource } from '../models.ts';
import { providers } from '../providers.ts';
import type { Upstream } from '../provider.ts';
import { reach } from './reach.ts';
import { openedByUser, withoutPrices } from './users-list.ts';

type Entry = Config['endpoints']['custom'][number];
type Reached = Pick<Upstream, 'baseURL' | 'apiKey' | 'fetch'>;

/** An endpoint of the yaml file. */
export function customEndpoint(entry: Entry, surroundings: Surroundings): Endpoint {
  const { site, onNotice } = surroundings;
  const { name, key, baseURL } = entry;
  const particulars = knownProviderOf(name, baseURL.from === 'server' ? baseURL.url : null);
  const aboutSite: Record<string, string> = particulars?.isToldSite
    ? { 'HTTP-Referer': site.url, 'X-Title': site.title }
    : {};
  return {
    name,
    type: 'custom',
    config: {
      type: 'custom',
      userProvide: key.from === 'user',
      userProvideURL: baseURL.from === 'user',
      ...(entry.modelDisplayLabel !== undefined && { modelDisplayLabel: entry.modelDisplayLabel }),
      ...(entry.iconURL !== undefined && { iconURL: entry.iconURL }),
      order: entry.order,
    },
    titles: entry.titles,
    summaries: entry.summaries,
    provider: particulars?.wire === 'cohere' ? providers.cohere : providers.custom,
    ...createModelList(name, entry.models.default, sourceOf(entry, surroundings), onNotice),
    async upstream(userId) {
      const { headers, addParams, dropParams, forcePrompt } = entry;
      return {
        endpoint: name,
        ...(await reach({ name, key, baseURL }, userId, surroundings)),
        // The configuration's may hold a key as well.
        headers: baseURL.from === 'user' ? aboutSite : { ...aboutSite, ...headers },
        addParams,
        dropParams,
        forcePrompt,
        ...(particulars && { particulars }),
      };
    },
  };
}

function sourceOf(entry: Entry, surroundings: Surroundings): ModelSource | UsersSource | null {
  const { name, key, baseURL, models } = entry;
  if (!models.fetch) return null;
  if (key.from === 'server' && baseURL.from === 'server')
    return listAt(entry, baseURL.url, { baseURL: baseURL.url, apiKey: key.apiKey });
  return openedByUser(async (userId) => {
    const reached = await reach({ name, key, baseURL }, userId, surroundings);
    const source = listAt(entry, baseURL.from === 'server' ? baseURL.url : null, reached);
    return source && baseURL.from === 'user' ? withoutPrices(source) : source;
  });
}

/** `known` is the address by which a provider is recognised. */
function listAt({ name, models }: Entry, known: string | null, reached: Reached): ModelSource | null {
  const { baseURL, apiKey, fetch } = reached;
  const own = { byUser: models.userIdQuery, ...(fetch && { fetch }) };
  switch (knownProviderOf(name, known)?.models) {
    case 'none':
      return null;
    case 'ollama':
      return { ...ollamaModels(baseURL), ...own, byUser: false };
    default:
      return { ...openAIModels(baseURL, apiKey), ...own };
  }
}
