import type { Config } from '../../config.ts';
import { OPENAI_MODELS } from '../default-models.ts';
import type { Endpoint, Surroundings } from '../endpoint.ts';
import { onlyChat, openAIModels } from '../model-sources.ts';
import { createModelList } from '../models.ts';
import { providers } from '../providers.ts';
import { reach } from './reach.ts';

const URL = 'https://api.openai.com/v1';
const NAME = 'openAI';

type Entry = Extract<Config['endpoints']['openAI'], { enabled: true }>;

export function openAIEndpoint(entry: Entry, surroundings: Surroundings): Endpoint {
  const { key, baseURL, organization, forcePrompt } = entry;
  const source = entry.models ? null : sourceOf(entry);
  return {
    name: NAME,
    type: 'openAI',
    config: {
      userProvide: key.from === 'user',
      ...(baseURL && { userProvideURL: baseURL.from === 'user' }),
      order: entry.order,
    },
    titles: entry.titles,
    summaries: entry.summaries,
    provider: providers.openAI,
    ...createModelList(NAME, entry.models ?? OPENAI_MODELS, source, surroundings.onNotice),
    async upstream(userId) {
      const place = { name: NAME, key, baseURL: baseURL ?? { from: 'server' as const, url: URL } };
      const reached = await reach(place, userId, surroundings);
      // Ours, too, and nothing to somebody else's server.
      const ours = baseURL?.from === 'user' ? {} : { organization };
      return { endpoint: NAME, ...reached, ...ours, forcePrompt, ...unchanged };
    },
  };
}

const unchanged = { headers: {}, addParams: {}, dropParams: [] };

function sourceOf({ key, baseURL }: Entry) {
  if (key.from === 'user' || baseURL?.from === 'user') return null;
  const source = openAIModels(baseURL?.url ?? URL, key.apiKey);
  return baseURL ? source : onlyChat(source);
}
