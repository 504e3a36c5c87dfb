import { withoutTrailingSlash } from '../../config/addresses.ts';
import { readCredential, type Credential } from '../../config/credentials.ts';
import { credential, flag, httpUrl, list, text } from '../../config/env/env-readers.ts';
import { titleModelOf, type Titles } from '../../config/titles.ts';
import { defineProvider } from '../define-provider.ts';
import type { EndpointDefinition, EndpointDeps } from '../endpoint.ts';
import { NOTHING_ADDED } from '../provider.ts';
import { fixedModels } from '../saved/saved-provider.ts';
import { bareKeyIn } from '../user-key.ts';
import { nullWhenRefused } from '../user-models.ts';
import { formatWay } from './answer-schema.ts';
import { ANTHROPIC_MODELS, anthropicModels } from './models.ts';
import { withAnswerTool } from '../answers/answer-tool.ts';
import { withForcedCalls } from '../answers/forced-call.ts';
import { toolDialects } from '../tools/dialects.ts';
import { withFittedTools } from '../tools/with-fitted-tools.ts';
import { streamAnthropic } from './stream.ts';
import { takesForcedCalls } from './thinking.ts';

interface AnthropicEntry {
  order: number;
  key: Credential;
  /** The address before /v1/messages; Anthropic's own when undefined. */
  baseURL: string | undefined;
  /** Fixed list; fetched from the provider when undefined. */
  models: string[] | undefined;
  /** Use the completions call for models older than Claude 3. */
  forcePrompt: boolean;
  /** Ask for prompts to be cached. */
  cachesPrompts: boolean;
  titles: Titles;
}

const URL = 'https://api.anthropic.com';
const NAME = 'anthropic';

export const anthropic = defineProvider({
  type: NAME,
  env: {
    ANTHROPIC_API_KEY: credential,
    ANTHROPIC_REVERSE_PROXY: httpUrl,
    ANTHROPIC_MODELS: list,
    ANTHROPIC_TITLE_MODEL: text,
    ANTHROPIC_FORCE_PROMPT: flag,
    ANTHROPIC_PROMPT_CACHE: flag,
  },
  disabledReason: 'ANTHROPIC_API_KEY is not set',
  configure({ env, order, titlesEnabled }): AnthropicEntry | null {
    if (!env.ANTHROPIC_API_KEY) return null;
    return {
      order,
      key: readCredential(env.ANTHROPIC_API_KEY),
      baseURL: env.ANTHROPIC_REVERSE_PROXY && withoutTrailingSlash(env.ANTHROPIC_REVERSE_PROXY),
      models: env.ANTHROPIC_MODELS,
      forcePrompt: env.ANTHROPIC_FORCE_PROMPT ?? false,
      cachesPrompts: env.ANTHROPIC_PROMPT_CACHE ?? true,
      titles: { enabled: titlesEnabled, method: 'completion', model: titleModelOf(env.ANTHROPIC_TITLE_MODEL) },
    };
  },
  savedVariables: ({ apiKey, ...saved }) => ({ ANTHROPIC_API_KEY: apiKey, ANTHROPIC_MODELS: fixedModels(saved) }),
  keySource: ({ key }) => key.from,
  endpoint,
  stream: withForcedCalls(
    withAnswerTool(withFittedTools(streamAnthropic, toolDialects.anthropic), formatWay),
    takesForcedCalls,
  ),
  titleModel: { model: 'claude-3-haiku-20240307', maxTokens: 1024 },
  context: { opensWithQuestion: true },
});

function endpoint(entry: AnthropicEntry, { userKey }: EndpointDeps): EndpointDefinition {
  const { key, forcePrompt, cachesPrompts, baseURL = URL } = entry;
  const keyOf = async (userId: string) =>
    key.from === 'server' ? key.apiKey : bareKeyIn(await userKey(userId, NAME), NAME);
  const source =
    key.from === 'server'
      ? anthropicModels(baseURL, key.apiKey)
      : nullWhenRefused(async (userId) => anthropicModels(baseURL, await keyOf(userId)));
  return {
    name: NAME,
    config: {
      userProvide: key.from === 'user',
      ...(entry.baseURL !== undefined && { userProvideURL: false }),
      order: entry.order,
    },
    titles: entry.titles,
    models: { known: entry.models ?? ANTHROPIC_MODELS, source: entry.models ? null : source },
    async target(userId) {
      const apiKey = await keyOf(userId);
      return { endpoint: NAME, baseURL, apiKey, forcePrompt, cachesPrompts, ...NOTHING_ADDED };
    },
  };
}
