import type { Config } from '../../config.ts';
import { Refusal } from '../../errors.ts';
import { GOOGLE_MODELS } from '../default-models.ts';
import type { Endpoint, Surroundings } from '../endpoint.ts';
import { isPalm } from '../google/palm-models.ts';
import { geminiModels } from '../model-sources.ts';
import { createModelList, type ModelSource } from '../models.ts';
import { providers } from '../providers.ts';
import { googleKeysIn } from '../user-key.ts';
import { openedByUser } from './users-list.ts';

const GEMINI_URL = 'https://generativelanguage.googleapis.com';
const VERTEX_URL = 'https://us-central1-aiplatform.googleapis.com';
const NAME = 'google';

type Entry = Extract<Config['endpoints']['google'], { enabled: true }>;
type Keys = { apiKey?: string | undefined; serviceKey?: unknown };

export function googleEndpoint(entry: Entry, { userKey, onNotice }: Surroundings): Endpoint {
  const { keys, geminiURL = GEMINI_URL, vertexURL = VERTEX_URL } = entry;
  const keysOf = async (userId: string) =>
    keys.from === 'server' ? keys : googleKeysIn(await userKey(userId, NAME), NAME);
  const source =
    keys.from === 'server'
      ? listFor(keys, geminiURL)
      : openedByUser(async (userId) => listFor(await keysOf(userId), geminiURL));
  const list = createModelList(NAME, entry.models ?? GOOGLE_MODELS, entry.models ? null : source, onNotice);
  return {
    name: NAME,
    type: 'google',
    config: { ...(keys.from === 'user' && { userProvide: true }), order: entry.order },
    titles: entry.titles,
    provider: providers.google,
    told: list.told,
    takes: (model) => list.takes(model) && !isPalm(model),
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

/** Vertex has no list, and what a service key opens is not in that of Gemini. */
function listFor({ apiKey, serviceKey }: Keys, geminiURL: string): ModelSource | null {
  return apiKey !== undefined && !serviceKey ? geminiModels(geminiURL, apiKey) : null;
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
