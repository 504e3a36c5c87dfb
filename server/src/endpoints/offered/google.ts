import type { Config } from '../../config.ts';
import { GOOGLE_MODELS } from '../default-models.ts';
import type { Endpoint, Surroundings } from '../endpoint.ts';
import { geminiModels } from '../model-sources.ts';
import { createModelList } from '../models.ts';
import { providers } from '../providers.ts';
import { googleKeysIn } from '../user-key.ts';

const GEMINI_URL = 'https://generativelanguage.googleapis.com';
const VERTEX_URL = 'https://us-central1-aiplatform.googleapis.com';
const NAME = 'google';

type Entry = Extract<Config['endpoints']['google'], { enabled: true }>;

export function googleEndpoint(entry: Entry, { userKey, onNotice }: Surroundings): Endpoint {
  const { keys, geminiURL = GEMINI_URL, vertexURL = VERTEX_URL } = entry;
  const serverKey = keys.from === 'server' && !keys.serviceKey ? keys.apiKey : undefined;
  const source = serverKey !== undefined && !entry.models ? geminiModels(geminiURL, serverKey) : null;
  return {
    name: NAME,
    type: 'google',
    config: { ...(keys.from === 'user' && { userProvide: true }), order: entry.order },
    titles: entry.titles,
    provider: providers.google,
    ...createModelList(NAME, entry.models ?? GOOGLE_MODELS, source, onNotice),
    async upstream(userId, model) {
      const { apiKey, serviceKey } = keys.from === 'server' ? keys : googleKeysIn(await userKey(userId, NAME), NAME);
      const common = { endpoint: NAME, headers: {}, addParams: {}, dropParams: [] };
      // With both keys each model is asked where it surely answers.
      const isForGemini = apiKey !== undefined && (!serviceKey || model.includes('gemini'));
      return isForGemini
        ? { ...common, baseURL: geminiURL, apiKey }
        : { ...common, baseURL: vertexURL, apiKey: '', ...(serviceKey && { serviceKey }) };
    },
  };
}
