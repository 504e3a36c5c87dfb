// Reads the settings of assistants from the environment and the yaml file.
import { resolveAddress, readCredential, type Address, type Credential } from '../../config/credentials.ts';
import { credential, list, oneWord, providerUrl, text } from '../../config/env/env-readers.ts';
import { titleModelOf, type Titles } from '../../config/titles.ts';
import type { AssistantsYaml } from '../../config/yaml/yaml-schema.ts';
import { azureForAssistants, type AzureEntry } from '../azure/settings.ts';
import type { ReadEnv } from '../../config/env/env.ts';
import type { ConfigSources } from '../define-provider.ts';

export const assistantsEnv = {
  ASSISTANTS_API_KEY: credential,
  ASSISTANTS_BASE_URL: providerUrl,
  ASSISTANTS_MODELS: list,
  OPENAI_TITLE_MODEL: text,
  TOOLS: oneWord('on', 'off'),
  INTERPRETER: oneWord('on', 'off'),
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
  | { from: 'azure'; entry: AzureEntry }
  /** Whichever endpoint offers the model of the assistant. */
  | { from: 'others' };

type Capabilities = NonNullable<AssistantsYaml['capabilities']>;

export interface AssistantsEntry {
  order: number;
  upstream: AssistantsUpstream;
  models: string[];
  titles: Titles;
  /** The only models that may search files; all when undefined. */
  retrievalModels: string[] | undefined;
  capabilities: Capabilities;
  disableBuilder: boolean | undefined;
  supportedIds: string[] | undefined;
  /** Ignored where `supportedIds` are given. */
  excludedIds: string[] | undefined;
  /** The longest run, in milliseconds. */
  timeoutMs: number | undefined;
}

export function configureAssistants(from: ConfigSources<typeof assistantsEnv>): AssistantsEntry | null {
  const { env, yaml, order, isPlaced, titlesEnabled } = from;
  const given: AssistantsYaml = yaml.endpoints?.assistants ?? {};
  const upstream = upstreamOf(given, from);
  if (!upstream) return null;
  const isAzure = upstream.from === 'azure';
  const isOthers = upstream.from === 'others';
  const { supportedIds, excludedIds, disableBuilder, timeoutMs } = given;
  const capabilities = given.capabilities ?? (isAzure ? AZURE_CAPABILITIES : ALL_CAPABILITIES);
  return {
    // Without models of its own it is nobody's first choice.
    order: isOthers && !isPlaced ? AFTER_ALL : order,
    upstream,
    models: modelsOf(upstream, from),
    titles: {
      enabled: titlesEnabled && (given.titleConvo ?? true),
      method: given.titleMethod ?? (isAzure ? 'completion' : 'functions'),
      model: titleModelOf(given.titleModel ?? env.OPENAI_TITLE_MODEL),
    },
    retrievalModels: given.retrievalModels,
    capabilities: capabilities.filter((one) => !switchedOff(env).includes(one)),
    disableBuilder,
    supportedIds,
    excludedIds,
    timeoutMs,
  };
}

function modelsOf(upstream: AssistantsUpstream, { env, yaml }: ConfigSources<typeof assistantsEnv>): string[] {
  const named = env.ASSISTANTS_MODELS ?? yaml.endpoints?.assistants?.models?.default;
  switch (upstream.from) {
    case 'azure':
      return upstream.entry.models ?? [];
    case 'openAI':
      return named ?? MODELS;
    // The only ones of others that are offered for assistants; all of them when there are none.
    case 'others':
      return named ?? [];
    default:
      return upstream satisfies never;
  }
}

function switchedOff({ TOOLS, INTERPRETER }: ReadEnv<typeof assistantsEnv>): Capabilities {
  return [...(TOOLS === 'off' ? WITH_TOOLS : []), ...(INTERPRETER === 'off' ? (['code_interpreter'] as const) : [])];
}

/** Null where the operator switches assistants off. */
function upstreamOf(
  given: AssistantsYaml,
  { env, yaml, order, titlesEnabled }: ConfigSources<typeof assistantsEnv>,
): AssistantsUpstream | null {
  const azure = yaml.endpoints?.azureOpenAI;
  const entry = azure?.assistants ? azureForAssistants(azure, { order, titlesEnabled }) : null;
  if (entry) return { from: 'azure', entry };
  const key = given.apiKey ?? env.ASSISTANTS_API_KEY;
  const url = given.baseURL ?? env.ASSISTANTS_BASE_URL;
  if (key === 'off') return null;
  if (!key) return { from: 'others' };
  return {
    from: 'openAI',
    key: readCredential(key),
    baseURL: url ? resolveAddress(url) : undefined,
    headers: given.headers ?? {},
    fetchesModels: (given.models?.fetch ?? false) && !env.ASSISTANTS_MODELS,
  };
}

const ALL_CAPABILITIES: Capabilities = ['code_interpreter', 'image_vision', 'retrieval', 'actions', 'tools'];
const AZURE_CAPABILITIES: Capabilities = ['tools', 'actions', 'code_interpreter'];
/** Off with all tools. */
const WITH_TOOLS: Capabilities = ['tools', 'actions', 'code_interpreter'];

/** Behind the endpoints of the yaml file. */
const AFTER_ALL = 10_000;

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
