import type { Config } from '../../config.ts';
import { refuse } from '../../errors.ts';
import { BING_MODELS } from '../default-models.ts';
import type { Endpoint, Surroundings } from '../endpoint.ts';
import { createModelList } from '../models.ts';
import { providers } from '../providers.ts';

const URL = 'https://www.bing.com';
const NAME = 'bingAI';

type Entry = Extract<Config['endpoints']['bingAI'], { enabled: true }>;

export function bingAIEndpoint(entry: Entry, { userKey, onNotice }: Surroundings): Endpoint {
  const { key, host } = entry;
  return {
    name: NAME,
    type: 'bingAI',
    config: { userProvide: key.from === 'user', order: entry.order },
    titles: entry.titles,
    provider: providers.bingAI,
    ...createModelList(NAME, BING_MODELS, null, onNotice),
    async upstream(userId) {
      const cookies = key.from === 'server' ? key.apiKey : cookiesIn(await userKey(userId, NAME));
      return { endpoint: NAME, baseURL: host ?? URL, apiKey: cookies, headers: {}, addParams: {}, dropParams: [] };
    },
  };
}

/** They are pasted, perhaps with a line break at their end, and go into a header. */
function cookiesIn(value: string): string {
  const cookies = value.trim();
  return /^[\x20-\x7e]+$/.test(cookies) ? cookies : refuse({ type: 'invalid_user_key', endpoint: NAME });
}
