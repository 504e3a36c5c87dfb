import { withoutTrailingSlash } from '../../config/addresses.ts';
import { readCredential, type Credential } from '../../config/credentials.ts';
import { cookies, httpUrl } from '../../config/env/env-readers.ts';
import type { Titles } from '../../config/titles.ts';
import { refuse } from '../../platform/errors.ts';
import { defineProvider } from '../define-provider.ts';
import type { EndpointDefinition, EndpointDeps } from '../endpoint.ts';
import { NOTHING_ADDED } from '../provider.ts';
import { instructionsOfBing } from './request.ts';
import { streamBingAI } from './stream.ts';

interface BingAIEntry {
  order: number;
  /** Cookies in place of a key. */
  key: Credential;
  /** Replaces Bing's hosts, including the chat's websocket; Bing's own when undefined. */
  host: string | undefined;
  titles: Titles;
}

const URL = 'https://www.bing.com';
const NAME = 'bingAI';
const MODELS = ['BingAI', 'Sydney'];

export const bingAI = defineProvider({
  type: NAME,
  env: { BINGAI_TOKEN: cookies, BINGAI_HOST: httpUrl },
  disabledReason: 'BINGAI_TOKEN is not set',
  configure({ env, order, titlesEnabled }): BingAIEntry | null {
    if (!env.BINGAI_TOKEN) return null;
    return {
      order,
      key: readCredential(env.BINGAI_TOKEN),
      host: env.BINGAI_HOST && withoutTrailingSlash(env.BINGAI_HOST),
      // Titles of Sydney conversations are written by the regular model too.
      titles: { enabled: titlesEnabled, method: 'completion', model: { use: 'named', name: 'BingAI' } },
    };
  },
  keySource: ({ key }) => key.from,
  endpoint,
  stream: streamBingAI,
  titleModel: { model: null, maxTokens: 1024, settings: { toneStyle: 'precise' } },
  context: { instructions: instructionsOfBing },
  restPath: { isLenient: true },
});

function endpoint({ key, host, order, titles }: BingAIEntry, { userKey, tunnelTo }: EndpointDeps): EndpointDefinition {
  return {
    name: NAME,
    config: { userProvide: key.from === 'user', order },
    titles,
    models: { known: MODELS, source: null },
    async target(userId) {
      const apiKey = key.from === 'server' ? key.apiKey : cookiesIn(await userKey(userId, NAME));
      const baseURL = host ?? URL;
      return { endpoint: NAME, baseURL, apiKey, tunnelTo, ...NOTHING_ADDED };
    },
  };
}

/** Users paste cookies, perhaps with a trailing line break, and the value becomes a header. */
function cookiesIn(value: string): string {
  const pasted = value.trim();
  return /^[\x20-\x7e]+$/.test(pasted) ? pasted : refuse({ type: 'invalid_user_key', endpoint: NAME });
}
