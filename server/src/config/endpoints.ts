import type { EndpointType } from '@parley/schema/endpoints';
import type { ServiceKey } from '../endpoints/google/service-key.ts';
import { withoutTrailingSlash } from './addresses.ts';
import { anthropicEndpoint, type AnthropicEndpoint } from './anthropic.ts';
import { azureEndpoint, type AzureEndpoint } from './azure.ts';
import { bingAIEndpoint, type BingAIEndpoint } from './bing-ai.ts';
import { chatGPTBrowserEndpoint, type ChatGPTBrowserEndpoint } from './chatgpt-browser.ts';
import { addressOf, credentialOf, type Address, type Credential } from './credentials.ts';
import { BUILT_IN_ENDPOINTS, orderOfCustom } from './endpoint-names.ts';
import type { Env } from './env.ts';
import { googleEndpoint, type GoogleEndpoint } from './google.ts';
import { summariesOf, type Summaries } from './summaries.ts';
import { titleModelOf, type Titles } from './titles.ts';
import type { AssistantsYaml, CustomYaml, Yaml } from './yaml-schema.ts';

type OpenAICompatible = {
  /** Its place in the endpoint menu, lowest first. */
  order: number;
  key: Credential;
  titles: Titles;
  summaries: Summaries;
  /** Use the completions call instead of the chat. */
  forcePrompt: boolean;
};

export type OpenAIEndpoint =
  | { enabled: false }
  | (OpenAICompatible & {
      enabled: true;
      /** The provider's own when undefined. */
      baseURL: Address | undefined;
      organization: string | undefined;
      /** Offered as they are; fetched from the provider when undefined. */
      models: string[] | undefined;
    });

export type CustomEndpoint = OpenAICompatible & {
  name: string;
  baseURL: Address;
  models: { default: string[]; fetch: boolean; userIdQuery: boolean };
  modelDisplayLabel: string | undefined;
  iconURL: string | undefined;
  headers: Record<string, string>;
  /** Merged into each request, then `dropParams` are removed from it. */
  addParams: Record<string, unknown>;
  dropParams: string[];
};

/** How long a provider may be silent before its first word and between two, and a reply unsaved, in milliseconds. */
export type Patience = { firstMs: number; nextMs: number; saveMs: number };

export type EndpointsConfig = {
  /** The words of ENDPOINTS in their order: an endpoint that is not among them is not offered. */
  offered: EndpointType[];
  patience: Patience;
  openAI: OpenAIEndpoint;
  azureOpenAI: AzureEndpoint;
  google: GoogleEndpoint;
  anthropic: AnthropicEndpoint;
  bingAI: BingAIEndpoint;
  chatGPTBrowser: ChatGPTBrowserEndpoint;
  custom: CustomEndpoint[];
  /** Plugins are asked with Azure's key instead of OpenAI's. */
  pluginsUseAzure: boolean;
  /** Where a local Ollama is looked for when nothing else is configured; null for nowhere. */
  ollamaURL: string | null;
  /** As written, checked; undefined when the file has no such part. */
  assistants: AssistantsYaml | undefined;
};

export function endpointsConfig(env: Env, yaml: Yaml, serviceKey: ServiceKey | undefined): EndpointsConfig {
  const offered = env.ENDPOINTS ?? [...BUILT_IN_ENDPOINTS];
  return {
    offered,
    patience: {
      firstMs: env.STREAM_FIRST_TIMEOUT ?? 120_000,
      nextMs: env.STREAM_IDLE_TIMEOUT ?? 60_000,
      // Longer than a database takes to be restarted or moved.
      saveMs: 10 * 60_000,
    },
    openAI: openAIEndpoint(env, offered),
    azureOpenAI: azureEndpoint(env, yaml, offered),
    google: googleEndpoint(env, serviceKey, offered),
    anthropic: anthropicEndpoint(env, offered),
    bingAI: bingAIEndpoint(env, offered),
    chatGPTBrowser: chatGPTBrowserEndpoint(env, offered),
    custom: (yaml.endpoints?.custom ?? []).map((entry) => customEndpoint(entry, env, offered)),
    pluginsUseAzure: env.PLUGINS_USE_AZURE ?? false,
    ollamaURL: ollamaURLOf(env.OLLAMA_URL),
    assistants: yaml.endpoints?.assistants,
  };
}

function openAIEndpoint(env: Env, offered: EndpointType[]): OpenAIEndpoint {
  const order = offered.indexOf('openAI');
  if (!env.OPENAI_API_KEY || order < 0) return { enabled: false };
  return {
    enabled: true,
    order,
    key: credentialOf(env.OPENAI_API_KEY),
    baseURL: env.OPENAI_REVERSE_PROXY ? addressOf(env.OPENAI_REVERSE_PROXY) : undefined,
    organization: env.OPENAI_ORGANIZATION,
    models: env.OPENAI_MODELS,
    titles: { enabled: env.TITLE_CONVO ?? true, method: 'functions', model: titleModelOf(env.OPENAI_TITLE_MODEL) },
    summaries: summariesOf(env.OPENAI_SUMMARIZE, env.OPENAI_SUMMARY_MODEL),
    forcePrompt: env.OPENAI_FORCE_PROMPT ?? false,
  };
}

function customEndpoint(entry: CustomYaml, env: Env, offered: EndpointType[]): CustomEndpoint {
  const { fetch = false, userIdQuery = false } = entry.models;
  return {
    name: entry.name,
    order: entry.customOrder ?? orderOfCustom(offered),
    key: credentialOf(entry.apiKey),
    baseURL: addressOf(entry.baseURL),
    models: { default: entry.models.default, fetch, userIdQuery },
    modelDisplayLabel: entry.modelDisplayLabel,
    iconURL: entry.iconURL,
    headers: entry.headers ?? {},
    addParams: entry.addParams ?? {},
    dropParams: entry.dropParams ?? [],
    titles: {
      enabled: (env.TITLE_CONVO ?? true) && (entry.titleConvo ?? true),
      method: entry.titleMethod ?? 'completion',
      model: titleModelOf(entry.titleModel),
    },
    summaries: summariesOf(entry.summarize, entry.summaryModel),
    forcePrompt: entry.forcePrompt ?? false,
  };
}

/** The port that Ollama takes unless it is told otherwise. */
const OLLAMA_URL = 'http://127.0.0.1:11434';

function ollamaURLOf(given: string | undefined): string | null {
  return given === 'off' ? null : withoutTrailingSlash(given ?? OLLAMA_URL);
}
