import type { Example, Settings } from '@parley/schema/catalog/params';
import { USER_PROVIDED, withoutTrailingSlash } from '../../config/addresses.ts';
import { credential, hostPart, httpUrl, list, text } from '../../config/env/env-readers.ts';
import type { Titles } from '../../config/titles.ts';
import { Refusal } from '../../platform/errors.ts';
import { defineProvider } from '../define-provider.ts';
import type { EndpointDefinition, EndpointDeps } from '../endpoint.ts';
import type { ModelSource } from '../model-source.ts';
import { NOTHING_ADDED } from '../provider.ts';
import { fixedModels } from '../saved/saved-provider.ts';
import { nullWhenRefused } from '../user-models.ts';
import { SAFETY_VARIABLES, safetySettings, type SafetySetting } from './safety.ts';
import { readServiceKey, type ServiceKey } from './service-key.ts';
import { geminiModels, GOOGLE_MODELS } from './models.ts';
import { isPalm } from './palm-models.ts';
import { askGoogle } from './stream.ts';
import { googleKeysIn } from './user-key.ts';

/** The server's keys, at least one, or keys that each user saves. */
type GoogleKeys = { from: 'server'; apiKey: string | undefined; serviceKey: ServiceKey | undefined } | { from: 'user' };

interface GoogleEntry {
  order: number;
  keys: GoogleKeys;
  /** Replaces the Gemini host; Google's own when undefined. */
  geminiURL: string | undefined;
  /** Replaces the Vertex host; Google's own when undefined. */
  vertexURL: string | undefined;
  /** The region of Vertex, or `global`. */
  location: string;
  /** What Gemini blocks; its own defaults for what is absent. */
  safety: SafetySetting[];
  /** Fixed list; fetched from Gemini when undefined. */
  models: string[] | undefined;
  titles: Titles;
}

const GEMINI_URL = 'https://generativelanguage.googleapis.com';
/** Where Vertex answers unless GOOGLE_LOC says otherwise. */
const LOCATION = 'us-central1';
const NAME = 'google';

export const google = defineProvider({
  type: NAME,
  env: {
    GOOGLE_KEY: credential,
    GOOGLE_SERVICE_KEY_FILE: text,
    GOOGLE_REVERSE_PROXY: httpUrl,
    GOOGLE_VERTEX_REVERSE_PROXY: httpUrl,
    GOOGLE_MODELS: list,
    GOOGLE_LOC: hostPart,
    ...SAFETY_VARIABLES,
  },
  disabledReason: 'neither GOOGLE_KEY nor the key file of a service account is there',
  async configure({ env, order, titlesEnabled, cwd, dataDir }): Promise<GoogleEntry | null> {
    const serviceKey = await readServiceKey(env.GOOGLE_SERVICE_KEY_FILE, { cwd, dataDir });
    const { GOOGLE_KEY: apiKey } = env;
    if (!apiKey && !serviceKey) return null;
    return {
      order,
      keys: apiKey === USER_PROVIDED ? { from: 'user' } : { from: 'server', apiKey, serviceKey },
      geminiURL: env.GOOGLE_REVERSE_PROXY && withoutTrailingSlash(env.GOOGLE_REVERSE_PROXY),
      vertexURL: env.GOOGLE_VERTEX_REVERSE_PROXY && withoutTrailingSlash(env.GOOGLE_VERTEX_REVERSE_PROXY),
      location: env.GOOGLE_LOC ?? LOCATION,
      safety: safetySettings(env),
      models: env.GOOGLE_MODELS,
      titles: { enabled: titlesEnabled, method: 'completion', model: { use: 'current' } },
    };
  },
  savedVariables: ({ apiKey, ...saved }) => ({ GOOGLE_KEY: apiKey, GOOGLE_MODELS: fixedModels(saved) }),
  keySource: ({ keys }) => keys.from,
  endpoint,
  stream: askGoogle,
  // Its models may think before they write.
  titleModel: { model: null, maxTokens: 1024 },
  context: { opensWithQuestion: true, instructions: examplesFor },
});

type Keys = { apiKey?: string | undefined; serviceKey?: ServiceKey | undefined };

function endpoint(entry: GoogleEntry, { userKey }: EndpointDeps): EndpointDefinition {
  const { keys, location, safety, geminiURL = GEMINI_URL, vertexURL = vertexURLOf(location) } = entry;
  const keysOf = async (userId: string): Promise<Keys> =>
    keys.from === 'server' ? keys : googleKeysIn(await userKey(userId, NAME), NAME);
  const source =
    keys.from === 'server'
      ? listFor(keys, geminiURL)
      : nullWhenRefused(async (userId) => listFor(await keysOf(userId), geminiURL));
  return {
    name: NAME,
    config: { ...(keys.from === 'user' && { userProvide: true }), order: entry.order },
    titles: entry.titles,
    models: {
      known: entry.models ?? GOOGLE_MODELS,
      source: entry.models ? null : source,
      // Configured models are always offered.
      usable: async (userId, models) =>
        entry.models || !(await isApiKeyAlone(keysOf(userId))) ? models : models.filter((one) => !isPalm(one)),
      acceptsUnlisted: (model) => !isPalm(model),
    },
    async target(userId, model) {
      const { apiKey, serviceKey } = await keysOf(userId);
      const google = { location, safety };
      const common = { endpoint: NAME, ...NOTHING_ADDED, google };
      // With both keys, each model uses the one that is sure to work.
      const isForGemini = apiKey !== undefined && (!serviceKey || model.includes('gemini'));
      return isForGemini
        ? { ...common, baseURL: geminiURL, apiKey }
        : { ...common, baseURL: vertexURL, apiKey: '', ...(serviceKey && { serviceKey }) };
    },
  };
}

/** Source: "Endpoints" of the Vertex AI documentation; `global` has a host without a region. */
function vertexURLOf(location: string): string {
  return `https://${location === 'global' ? '' : `${location}-`}aiplatform.googleapis.com`;
}

/** Vertex has no model list, and Gemini's does not show what a service key can use. */
function listFor({ apiKey, serviceKey }: Keys, geminiURL: string): ModelSource | null {
  return apiKey !== undefined && !serviceKey ? geminiModels(geminiURL, apiKey) : null;
}

/** Whether there is an API key and no service key; a user without a valid key has neither. */
async function isApiKeyAlone(reading: Promise<Keys>): Promise<boolean> {
  try {
    return (await reading).serviceKey === undefined;
  } catch (error) {
    if (error instanceof Refusal) return false;
    throw error;
  }
}

/** Examples are only for PaLM's chat models. */
function examplesFor({ model, settings: { examples } }: { model: string; settings: Settings }): string[] {
  if (!model.startsWith('chat-') || !Array.isArray(examples)) return [];
  return (examples as Example[]).flatMap(({ input, output }) => [input.content, output.content]);
}
