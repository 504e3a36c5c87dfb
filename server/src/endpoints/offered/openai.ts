import type { Config } from '../../config.ts';
import { OPENAI_MODELS } from '../default-models.ts';
import type { Endpoint, Surroundings } from '../endpoint.ts';
import { onlyChat, openAIModels } from '../model-sources.ts';
import { createModelList, type ModelSource, type UsersSource } from '../models.ts';
import type { Upstream } from '../provider.ts';
import { providers } from '../providers.ts';
import { reach } from './reach.ts';
import { openedByUser, withoutPrices } from './users-list.ts';

const URL = 'https://api.openai.com/v1';
const NAME = 'openAI';

type Entry = Extract<Config['endpoints']['openAI'], { enabled: true }>;
type Reached = Pick<Upstream, 'baseURL' | 'apiKey' | 'fetch'>;

export function openAIEndpoint(entry: Entry, surroundings: Surroundings): Endpoint {
  const { key, baseURL, organization, forcePrompt } = entry;
  const place = { name: NAME, key, baseURL: baseURL ?? { from: 'server' as const, url: URL } };
  const source = entry.models ? null : sourceOf(entry, (userId) => reach(place, userId, surroundings));
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
      const reached = await reach(place, userId, surroundings);
      // Ours, too, and nothing to somebody else's server.
      const ours = baseURL?.from === 'user' ? {} : { organization };
      return { endpoint: NAME, ...reached, ...ours, forcePrompt, ...unchanged };
    },
  };
}

const unchanged = { headers: {}, addParams: {}, dropParams: [] };

function sourceOf({ key, baseURL }: Entry, reached: (userId: string) => Promise<Reached>): ModelSource | UsersSource {
  if (key.from === 'server' && baseURL?.from !== 'user')
    return listAt(baseURL, { baseURL: baseURL?.url ?? URL, apiKey: key.apiKey });
  return openedByUser(async (userId) => listAt(baseURL, await reached(userId)));
}

function listAt(given: Entry['baseURL'], { baseURL, apiKey, fetch }: Reached): ModelSource {
  const source = { ...openAIModels(baseURL, apiKey), ...(fetch && { fetch }) };
  if (!given) return onlyChat(source);
  return given.from === 'user' ? withoutPrices(source) : source;
}
