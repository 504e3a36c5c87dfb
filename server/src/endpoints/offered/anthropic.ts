import type { Config } from '../../config.ts';
import { ANTHROPIC_MODELS } from '../default-models.ts';
import type { Endpoint, Surroundings } from '../endpoint.ts';
import { anthropicModels } from '../model-sources.ts';
import { createModelList } from '../models.ts';
import { providers } from '../providers.ts';
import { bareKeyIn } from '../user-key.ts';
import { openedByUser } from './users-list.ts';

const URL = 'https://api.anthropic.com';
const NAME = 'anthropic';

type Entry = Extract<Config['endpoints']['anthropic'], { enabled: true }>;

export function anthropicEndpoint(entry: Entry, { userKey, onNotice }: Surroundings): Endpoint {
  const { key, forcePrompt } = entry;
  const baseURL = entry.baseURL ?? URL;
  const keyOf = async (userId: string) =>
    key.from === 'server' ? key.apiKey : bareKeyIn(await userKey(userId, NAME), NAME);
  const source =
    key.from === 'server'
      ? anthropicModels(baseURL, key.apiKey)
      : openedByUser(async (userId) => anthropicModels(baseURL, await keyOf(userId)));
  return {
    name: NAME,
    type: 'anthropic',
    config: {
      userProvide: key.from === 'user',
      ...(entry.baseURL !== undefined && { userProvideURL: false }),
      order: entry.order,
    },
    titles: entry.titles,
    provider: providers.anthropic,
    ...createModelList(NAME, entry.models ?? ANTHROPIC_MODELS, entry.models ? null : source, onNotice),
    async upstream(userId) {
      return {
        endpoint: NAME,
        baseURL,
        apiKey: await keyOf(userId),
        forcePrompt,
        headers: {},
        addParams: {},
        dropParams: [],
      };
    },
  };
}
