import type { Config } from '../../config.ts';
import { refuse } from '../../errors.ts';
import { OPENAI_MODELS } from '../default-models.ts';
import type { Endpoint, Surroundings } from '../endpoint.ts';
import { onlyChat, openAIModels } from '../model-sources.ts';
import { createModelList } from '../models.ts';
import { providers } from '../providers.ts';
import { openAIKeyIn } from '../user-key.ts';

const URL = 'https://api.openai.com/v1';
const NAME = 'openAI';

type Entry = Extract<Config['endpoints']['openAI'], { enabled: true }>;

export function openAIEndpoint(entry: Entry, { userKey, onNotice }: Surroundings): Endpoint {
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
    models: createModelList(NAME, entry.models ?? OPENAI_MODELS, source, onNotice),
    async upstream(userId) {
      if (baseURL?.from === 'user') refuse({ type: 'no_base_url', endpoint: NAME });
      const apiKey = key.from === 'server' ? key.apiKey : openAIKeyIn(await userKey(userId, NAME), NAME);
      const url = baseURL?.url ?? URL;
      return { endpoint: NAME, baseURL: url, apiKey, organization, forcePrompt, ...unchanged };
    },
  };
}

const unchanged = { headers: {}, addParams: {}, dropParams: [] };

function sourceOf({ key, baseURL }: Entry) {
  if (key.from === 'user' || baseURL?.from === 'user') return null;
  const source = openAIModels(baseURL?.url ?? URL, key.apiKey);
  return baseURL ? source : onlyChat(source);
}
