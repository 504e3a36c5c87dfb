// Reads the settings of assistants from the environment and the yaml file.
import { addressOf, credentialOf, type Address, type Credential } from '../../config/credentials.ts';
import { credential, list, oneOf, providerUrl, text } from '../../config/env/env-readers.ts';
import { titleModelOf, type Titles } from '../../config/titles.ts';
import type { AssistantsYaml } from '../../config/yaml/yaml-schema.ts';
import { azureForAssistants, type AzureEntry } from '../azure/settings.ts';
import type { ConfigSources } from '../define-provider.ts';

export const assistantsEnv = {
  ASSISTANTS_API_KEY: credential,
  ASSISTANTS_BASE_URL: providerUrl,
  ASSISTANTS_MODELS: list,
  OPENAI_TITLE_MODEL: text,
  TOOLS: oneOf('on', 'off'),
};

/** Who answers for assistants that name no endpoint of their own. */
export type AssistantsUpstream =
  | {
      from: 'openAI';
      key: Credential;
      /** OpenAI's own when undefined. */
      baseURL: Address | undefined;
      headers: Record<string, string>;
      /** Fetched from there when true. */
      fetchesModels: boolean;
    }
  | { from: 'azure'; entry: AzureEntry };

type Capabilities = NonNullable<AssistantsYaml['capabilities']>;

export interface AssistantsEntry {
  order: number;
  upstream: AssistantsUpstream;
  models: string[];
  titles: Titles;
  retrievalModels: string[];
  capabilities: Capabilities;
  disableBuilder: boolean | undefined;
  supportedIds: string[] | undefined;
  /** Ignored where `supportedIds` are given. */
  excludedIds: string[] | undefined;
  /** Accepted for older files: answers are streamed, so nothing is polled. */
  pollIntervalMs: number | undefined;
  /** The longest run, in milliseconds. */
  timeoutMs: number | undefined;
}

export function configureAssistants(from: ConfigSources<typeof assistantsEnv>): AssistantsEntry | null {
  const { env, yaml, order, titlesEnabled } = from;
  const given: AssistantsYaml = yaml.endpoints?.assistants ?? {};
  const upstream = upstreamOf(given, from);
  if (!upstream) return null;
  const isAzure = upstream.from === 'azure';
  const { supportedIds, excludedIds, disableBuilder, pollIntervalMs, timeoutMs } = given;
  const capabilities = given.capabilities ?? (isAzure ? AZURE_CAPABILITIES : ALL_CAPABILITIES);
  return {
    order,
    upstream,
    models: isAzure ? (upstream.entry.models ?? []) : (env.ASSISTANTS_MODELS ?? given.models?.default ?? MODELS),
    titles: {
      enabled: titlesEnabled && (given.titleConvo ?? true),
      method: given.titleMethod ?? (isAzure ? 'completion' : 'functions'),
      model: titleModelOf(given.titleModel ?? env.OPENAI_TITLE_MODEL),
    },
    retrievalModels: given.retrievalModels ?? RETRIEVAL_MODELS,
    capabilities: env.TOOLS === 'off' ? capabilities.filter((one) => !WITH_TOOLS.includes(one)) : capabilities,
    disableBuilder,
    supportedIds,
    excludedIds,
    pollIntervalMs,
    timeoutMs,
  };
}

function upstreamOf(
  given: AssistantsYaml,
  { env, yaml, order, titlesEnabled }: ConfigSources<typeof assistantsEnv>,
): AssistantsUpstream | null {
  const azure = yaml.endpoints?.azureOpenAI;
  const entry = azure?.assistants ? azureForAssistants(azure, { order, titlesEnabled }) : null;
  if (entry) return { from: 'azure', entry };
  const key = given.apiKey ?? env.ASSISTANTS_API_KEY;
  const url = given.baseURL ?? env.ASSISTANTS_BASE_URL;
  if (!key) return null;
  return {
    from: 'openAI',
    key: credentialOf(key),
    baseURL: url ? addressOf(url) : undefined,
    headers: given.headers ?? {},
    fetchesModels: (given.models?.fetch ?? false) && !env.ASSISTANTS_MODELS,
  };
}

const ALL_CAPABILITIES: Capabilities = ['code_interpreter', 'image_vision', 'retrieval', 'actions', 'tools'];
const AZURE_CAPABILITIES: Capabilities = ['tools', 'actions', 'code_interpreter'];
/** Off with all tools. */
const WITH_TOOLS: Capabilities = ['tools', 'actions', 'code_interpreter'];

/** The models that may search files, unless the operator lists others. */
const RETRIEVAL_MODELS = [
  'gpt-4-turbo-preview',
  'gpt-3.5-turbo-0125',
  'gpt-4-0125-preview',
  'gpt-4-1106-preview',
  'gpt-3.5-turbo-1106',
  'gpt-4-turbo',
  'gpt-4-0125',
  'gpt-4-1106',
];

/** The models that are offered unless the operator lists others (docs/rest-compat.md, Models and windows). */
const MODELS = [
  'gpt-3.5-turbo-0125',
  'gpt-4-0125-preview',
  'gpt-4-turbo-preview',
  'gpt-4-1106-preview',
  'gpt-3.5-turbo-1106',
  'gpt-3.5-turbo-16k-0613',
  'gpt-3.5-turbo-16k',
  'gpt-3.5-turbo',
  'gpt-4',
  'gpt-4-0314',
  'gpt-4-32k-0314',
  'gpt-4-0613',
  'gpt-3.5-turbo-0613',
];
