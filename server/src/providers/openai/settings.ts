// Reads OpenAI's settings from the environment.
import { resolveAddress, readCredential, type Address, type Credential } from '../../config/credentials.ts';
import { credential, flag, list, providerUrl, text } from '../../config/env/env-readers.ts';
import { readSummaries, type Summaries } from '../../config/summaries.ts';
import { titleModelOf, type Titles } from '../../config/titles.ts';
import type { ConfigSources, KeySource } from '../define-provider.ts';

export const openAIEnv = {
  OPENAI_API_KEY: credential,
  OPENAI_REVERSE_PROXY: providerUrl,
  OPENAI_MODELS: list,
  OPENAI_IMAGE_MODELS: list,
  OPENAI_ORGANIZATION: credential,
  OPENAI_FORCE_PROMPT: flag,
  OPENAI_RESPONSES: flag,
  OPENAI_SUMMARIZE: flag,
  OPENAI_SUMMARY_MODEL: text,
  OPENAI_TITLE_MODEL: text,
};

export interface OpenAIEntry {
  order: number;
  key: Credential;
  /** The provider's own when undefined. */
  baseURL: Address | undefined;
  organization: string | undefined;
  /** Fixed list; fetched from the provider when undefined. */
  models: string[] | undefined;
  /** Those that make pictures; none when undefined. */
  pictures: string[] | undefined;
  titles: Titles;
  summaries: Summaries;
  /** Use the completions call instead of the chat. */
  forcePrompt: boolean;
  /** Use the Responses protocol instead of chat completions. */
  responses: boolean;
}

export function configureOpenAI({ env, order, titlesEnabled }: ConfigSources<typeof openAIEnv>): OpenAIEntry | null {
  if (!env.OPENAI_API_KEY) return null;
  return {
    order,
    key: readCredential(env.OPENAI_API_KEY),
    baseURL: env.OPENAI_REVERSE_PROXY ? resolveAddress(env.OPENAI_REVERSE_PROXY) : undefined,
    organization: env.OPENAI_ORGANIZATION,
    models: env.OPENAI_MODELS,
    pictures: env.OPENAI_IMAGE_MODELS ?? imageModels(env.OPENAI_MODELS, env.OPENAI_REVERSE_PROXY !== undefined),
    titles: { enabled: titlesEnabled, method: 'functions', model: titleModelOf(env.OPENAI_TITLE_MODEL) },
    summaries: readSummaries(env.OPENAI_SUMMARIZE, env.OPENAI_SUMMARY_MODEL),
    forcePrompt: env.OPENAI_FORCE_PROMPT ?? false,
    responses: env.OPENAI_RESPONSES ?? false,
  };
}

const IMAGE_MODELS = ['gpt-image-1', 'gpt-image-1-mini', 'dall-e-3'];

/** At OpenAI itself; what stands in its place may have others, or none. An operator who lists the models offers no others. */
function imageModels(listed: readonly string[] | undefined, isElsewhere: boolean): string[] | undefined {
  if (isElsewhere) return undefined;
  return listed ? IMAGE_MODELS.filter((model) => listed.includes(model)) : IMAGE_MODELS;
}

/** Whose key is asked for: a user who sets the address also brings the key. */
export function keySourceOf({ key, baseURL }: Pick<OpenAIEntry, 'key' | 'baseURL'>): KeySource {
  return baseURL?.from === 'user' ? 'user' : key.from;
}
