import type { Example, Settings } from '@parley/schema/catalog/params';
import { USER_PROVIDED, withoutTrailingSlash } from '../../config/addresses.ts';
import { credential, hostPart, httpUrl, list, text, flag, type EnvReader } from '../../config/env/env-readers.ts';
import type { Titles } from '../../config/titles.ts';
import { Refusal, refuse } from '../../platform/errors.ts';
import { defineProvider } from '../define-provider.ts';
import type { EndpointDefinition, EndpointDeps } from '../endpoint.ts';
import { NOTHING_ADDED } from '../provider.ts';
import { fixedModels } from '../saved/saved-provider.ts';
import { nullWhenRefused } from '../user-models.ts';
import { listFor, type Keys } from './models.ts';
import { readServiceKey, type ServiceKey, parseServiceKey } from './service-key.ts';
import { isPalm } from './palm-models.ts';
import { geminiPicture } from './pictures.ts';
import { askGoogle } from './stream.ts';
import { configError } from '../../config/config-error.ts';
import * as z from 'zod';
import { HeaderWord, parseUserKey } from '../user-key.ts';

/** The models offered when neither the configuration nor Gemini lists any (docs/rest-compat.md, Models and windows). */
export const GOOGLE_MODELS = [
  'gemini-pro',
  'gemini-pro-vision',
  'chat-bison',
  'chat-bison-32k',
  'codechat-bison',
  'codechat-bison-32k',
  'text-bison',
  'text-bison-32k',
  'text-unicorn',
  'code-gecko',
  'code-bison',
  'code-bison-32k',
];

const GoogleValue = z.object({
  GOOGLE_API_KEY: HeaderWord.or(z.literal('')).nullish(),
  GOOGLE_SERVICE_KEY: z.union([z.string(), z.record(z.string(), z.unknown())]).nullish(),
});

const KeyFile = z.record(z.string(), z.unknown());

const THRESHOLDS = ['OFF', 'BLOCK_NONE', 'BLOCK_ONLY_HIGH', 'BLOCK_MEDIUM_AND_ABOVE', 'BLOCK_LOW_AND_ABOVE'];

/** Words of other products' files, in Gemini's terms. */
const SAME: Readonly<Record<string, string>> = { BLOCK_ALL: 'BLOCK_LOW_AND_ABOVE', WARN_ONLY: 'BLOCK_NONE' };

/** In any case. `HARM_BLOCK_THRESHOLD_UNSPECIFIED` is Google's default, as an absent variable is. */
const threshold: EnvReader<string | undefined> = (value, name) => {
  const given = text(value)?.toUpperCase();
  if (given === undefined || given === 'HARM_BLOCK_THRESHOLD_UNSPECIFIED') return undefined;
  const word = SAME[given] ?? given;
  if (THRESHOLDS.includes(word)) return word;
  throw configError(`${name} must be one of ${THRESHOLDS.join(', ')}, but is ${JSON.stringify(given.slice(0, 80))}.`);
};

const SAFETY_VARIABLES = {
  GOOGLE_SAFETY_SEXUALLY_EXPLICIT: threshold,
  GOOGLE_SAFETY_HATE_SPEECH: threshold,
  GOOGLE_SAFETY_HARASSMENT: threshold,
  GOOGLE_SAFETY_DANGEROUS_CONTENT: threshold,
  GOOGLE_SAFETY_CIVIC_INTEGRITY: threshold,
  GOOGLE_EXCLUDE_SAFETY_SETTINGS: flag,
};

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
  pictures: geminiPicture,
  // Its models may think before they write.
  titleModel: { model: null, maxTokens: 1024 },
  context: { opensWithQuestion: true, instructions: examplesFor },
});

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
    config: { ...(keys.from === 'user' && { userProvide: true }), pictures: true, order: entry.order },
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

// What Gemini blocks (docs: "Safety settings" of the Gemini API). A category without a variable keeps Google's default.
interface SafetySetting {
  category: string;
  threshold: string;
}

type SafetyEnv = { readonly [Name in keyof typeof SAFETY_VARIABLES]: ReturnType<(typeof SAFETY_VARIABLES)[Name]> };

function safetySettings(env: SafetyEnv): SafetySetting[] {
  if (env.GOOGLE_EXCLUDE_SAFETY_SETTINGS) return [];
  const thresholds = {
    HARM_CATEGORY_SEXUALLY_EXPLICIT: env.GOOGLE_SAFETY_SEXUALLY_EXPLICIT,
    HARM_CATEGORY_HATE_SPEECH: env.GOOGLE_SAFETY_HATE_SPEECH,
    HARM_CATEGORY_HARASSMENT: env.GOOGLE_SAFETY_HARASSMENT,
    HARM_CATEGORY_DANGEROUS_CONTENT: env.GOOGLE_SAFETY_DANGEROUS_CONTENT,
    HARM_CATEGORY_CIVIC_INTEGRITY: env.GOOGLE_SAFETY_CIVIC_INTEGRITY,
  };
  return Object.entries(thresholds).flatMap(([category, word]) =>
    word === undefined ? [] : [{ category, threshold: word }],
  );
}

/** Google's API key, service key, or both. */
function googleKeysIn(value: string, endpoint: string) {
  const { GOOGLE_API_KEY: apiKey, GOOGLE_SERVICE_KEY: file } = parseUserKey(value, GoogleValue, endpoint);
  const serviceKey = isEmpty(file) ? undefined : serviceKeyIn(file, endpoint);
  return apiKey || serviceKey
    ? { apiKey: apiKey || undefined, serviceKey }
    : refuse({ type: 'invalid_user_key', endpoint });
}

/** Clients with a form for both send an empty field as an empty object, or as the text of one. */
function isEmpty(file: string | Record<string, unknown> | null | undefined): file is '' | null | undefined {
  return !file || (typeof file === 'string' ? /^\s*(?:\{\s*\}\s*)?$/.test(file) : Object.keys(file).length === 0);
}

/** A user's key file is always exchanged at Google's own address: it must not make the server call another one. */
function serviceKeyIn(file: string | Record<string, unknown>, endpoint: string): ServiceKey {
  const { token_uri: _elsewhere, ...own } = typeof file === 'string' ? parseUserKey(file, KeyFile, endpoint) : file;
  return parseServiceKey(JSON.stringify(own)) ?? refuse({ type: 'invalid_user_key', endpoint });
}
