import type { Config } from '../../config.ts';
import type { Endpoint, Surroundings } from '../endpoint.ts';
import { knownProviderOf } from '../known-providers.ts';
import { ollamaModels, openAIModels } from '../model-sources.ts';
import { createModelList, type ModelSource } from '../models.ts';
import { providers } from '../providers.ts';
import { reach } from './reach.ts';

type Entry = Config['endpoints']['custom'][number];

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
    ...createModelList(name, entry.models.default, sourceOf(entry), onNotice),
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

function sourceOf({ name, key, baseURL, models }: Entry): ModelSource | null {
  if (!models.fetch || key.from === 'user' || baseURL.from === 'user') return null;
  switch (knownProviderOf(name, baseURL.url)?.models) {
    case 'none':
      return null;
    case 'ollama':
      return ollamaModels(baseURL.url);
    default:
      return { ...openAIModels(baseURL.url, key.apiKey), byUser: models.userIdQuery };
  }
}
