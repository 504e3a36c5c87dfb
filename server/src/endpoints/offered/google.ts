import type { Config } from '../../config.ts';
import { Refusal } from '../../errors.ts';
import { GOOGLE_MODELS } from '../default-models.ts';
import type { Endpoint, Surroundings } from '../endpoint.ts';
import { isPalm } from '../google/palm-models.ts';
import { geminiModels } from '../model-sources.ts';
import { createModelList } from '../models.ts';
import { providers } from '../providers.ts';
import { googleKeysIn } from '../user-key.ts';

const GEMINI_URL = 'https://generativelanguage.googleapis.com';
const VERTEX_URL = 'https://us-central1-aiplatform.googleapis.com';
const NAME = 'google';

type Entry = Extract<Config['endpoints']['google'], { enabled: true }>;
type Keys = Pick<ReturnType<typeof googleKeysIn>, 'serviceKey'>;

export function googleEndpoint(entry: Entry, { userKey, onNotice }: Surroundings): Endpoint {
  const { keys, geminiURL = GEMINI_URL, vertexURL = VERTEX_URL } = entry;
  const serverKey = keys.from === 'server' && !keys.serviceKey ? keys.apiKey : undefined;
  const keysOf = async (userId: string) =>
    keys.from === 'server' ? keys : googleKeysIn(await userKey(userId, NAME), NAME);
  const source = serverKey !== undefined && !entry.models ? geminiModels(geminiURL, serverKey) : null;
  const list = createModelList(NAME, entry.models ?? GOOGLE_MODELS, source, onNotice);
  return {
    name: NAME,
    type: 'google',
    config: { ...(keys.from === 'user' && { userProvide: true }), order: entry.order },
    titles: entry.titles,
    provider: providers.google,
    told: list.told,
    models: async (userId) => {
      const offered = await list.models(userId);
      // What the operator named is offered as it is.
      return entry.models || !(await isApiKeyAlone(keysOf(userId))) ? offered : offered.filter((one) => !isPalm(one));
    },
    async upstream(userId, model) {
      const { apiKey, serviceKey } = await keysOf(userId);
      const common = { endpoint: NAME, headers: {}, addParams: {}, dropParams: [] };
      // With both keys each model is asked where it surely answers.
      const isForGemini = apiKey !== undefined && (!serviceKey || model.includes('gemini'));
      return isForGemini
        ? { ...common, baseURL: geminiURL, apiKey }
        : { ...common, baseURL: vertexURL, apiKey: '', ...(serviceKey && { serviceKey }) };
    },
  };
}

/** Whether there is an API key and no service key; who has no good key yet has neither. */
async function isApiKeyAlone(reading: Promise<Keys>): Promise<boolean> {
  try {
    return (await reading).serviceKey === undefined;
  } catch (error) {
    if (error instanceof Refusal) return false;
    throw error;
  }
}
