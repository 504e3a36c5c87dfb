import { thinksFirst } from '@parley/schema/catalog/thinking-models';
import { addressOf, credentialOf, type Address, type Credential } from '../../config/credentials.ts';
import { toBaseUrl } from '../../config/addresses.ts';
import { credential, flag, list, providerUrl, text } from '../../config/env/env-readers.ts';
import { summariesOf, type Summaries } from '../../config/summaries.ts';
import { titleModelOf, type Titles } from '../../config/titles.ts';
import { defineProvider } from '../define-provider.ts';
import type { EndpointDefinition, EndpointDeps } from '../endpoint.ts';
import type { ModelSource, UserModelSource } from '../model-source.ts';
import type { ProviderTarget } from '../provider.ts';
import { resolveTarget } from '../resolve-target.ts';
import { nullWhenRefused, withoutPrices } from '../user-models.ts';
import { onlyChat, OPENAI_MODELS, openAIModels } from './models.ts';
import { needsResponses } from './responses.ts';
import { openAIStream } from './stream.ts';

interface OpenAIEntry {
  order: number;
  key: Credential;
  /** The provider's own when undefined. */
  baseURL: Address | undefined;
  organization: string | undefined;
  /** Fixed list; fetched from the provider when undefined. */
  models: string[] | undefined;
  titles: Titles;
  summaries: Summaries;
  /** Use the completions call instead of the chat. */
  forcePrompt: boolean;
  /** Use the Responses protocol instead of chat completions. */
  responses: boolean;
}

const URL = 'https://api.openai.com/v1';
const NAME = 'openAI';

export const openAI = defineProvider({
  type: NAME,
  env: {
    OPENAI_API_KEY: credential,
    OPENAI_REVERSE_PROXY: providerUrl,
    OPENAI_MODELS: list,
    OPENAI_ORGANIZATION: credential,
    OPENAI_FORCE_PROMPT: flag,
    OPENAI_RESPONSES: flag,
    OPENAI_SUMMARIZE: flag,
    OPENAI_SUMMARY_MODEL: text,
    OPENAI_TITLE_MODEL: text,
  },
  whyOff: 'OPENAI_API_KEY is not set',
  configure({ env, order, titlesEnabled }): OpenAIEntry | null {
    if (!env.OPENAI_API_KEY) return null;
    return {
      order,
      key: credentialOf(env.OPENAI_API_KEY),
      baseURL: env.OPENAI_REVERSE_PROXY ? addressOf(env.OPENAI_REVERSE_PROXY) : undefined,
      organization: env.OPENAI_ORGANIZATION,
      models: env.OPENAI_MODELS,
      titles: { enabled: titlesEnabled, method: 'functions', model: titleModelOf(env.OPENAI_TITLE_MODEL) },
      summaries: summariesOf(env.OPENAI_SUMMARIZE, env.OPENAI_SUMMARY_MODEL),
      forcePrompt: env.OPENAI_FORCE_PROMPT ?? false,
      responses: env.OPENAI_RESPONSES ?? false,
    };
  },
  warnings({ OPENAI_REVERSE_PROXY: url }) {
    const isUsual = url === undefined || !globalThis.URL.canParse(url) || toBaseUrl(url).endsWith('/v1');
    return isUsual ? [] : ['OPENAI_REVERSE_PROXY does not end in /v1; it is used as it is.'];
  },
  // A user who sets the address also brings the key.
  keySource: ({ key, baseURL }) => (baseURL?.from === 'user' ? 'user' : key.from),
  endpoint,
  stream: openAIStream('openAI'),
});

function endpoint(entry: OpenAIEntry, deps: EndpointDeps): EndpointDefinition {
  const { key, baseURL, organization, forcePrompt } = entry;
  const address = { name: NAME, key, baseURL: baseURL ?? { from: 'server' as const, url: URL } };
  const source = entry.models ? null : sourceOf(entry, (userId) => resolveTarget(address, userId, deps));
  return {
    name: NAME,
    config: {
      userProvide: key.from === 'user',
      ...(baseURL && { userProvideURL: baseURL.from === 'user' }),
      order: entry.order,
    },
    titles: entry.titles,
    summaries: entry.summaries,
    models: { known: entry.models ?? OPENAI_MODELS, source },
    async target(userId, model) {
      const resolved = await resolveTarget(address, userId, deps);
      return {
        endpoint: NAME,
        ...resolved,
        // The organization belongs to the server's key and never goes to a user's address.
        ...(baseURL?.from !== 'user' && { organization }),
        forcePrompt,
        ...(usesResponses(entry, model) && { responses: { baseURL: resolved.baseURL, model } }),
        ...(!baseURL && thinksFirst(model) && { responsesForTools: { baseURL: resolved.baseURL, model } }),
        headers: {},
        addParams: {},
        dropParams: [],
      };
    },
  };
}

/** A user's address is hardly OpenAI's; the operator's may be, as the variable says. */
function usesResponses({ responses, baseURL }: OpenAIEntry, model: string): boolean {
  if (baseURL?.from === 'user') return false;
  return responses || (baseURL === undefined && needsResponses(model));
}

type Resolved = Pick<ProviderTarget, 'baseURL' | 'apiKey' | 'fetch'>;

function sourceOf(
  { key, baseURL }: OpenAIEntry,
  resolve: (userId: string) => Promise<Resolved>,
): ModelSource | UserModelSource {
  if (key.from === 'server' && baseURL?.from !== 'user')
    return listAt(baseURL, { baseURL: baseURL?.url ?? URL, apiKey: key.apiKey });
  return nullWhenRefused(async (userId) => listAt(baseURL, await resolve(userId)));
}

function listAt(configured: Address | undefined, { baseURL, apiKey, fetch }: Resolved): ModelSource {
  const source = { ...openAIModels(baseURL, apiKey), ...(fetch && { fetch }) };
  if (!configured) return onlyChat(source);
  return configured.from === 'user' ? withoutPrices(source) : source;
}
