// Reads Azure's settings from the environment and the yaml file.
import { withoutUndefined } from '@parley/schema/entries';
import { toBaseUrl } from '../../config/addresses.ts';
import { gatherProblems } from '../../config/config-error.ts';
import { readCredential } from '../../config/credentials.ts';
import { azureUrl, credential, flag, hostPart, list, pathPart, text } from '../../config/env/env-readers.ts';
import type { ReadEnv } from '../../config/env/env.ts';
import { readSummaries, type Summaries } from '../../config/summaries.ts';
import { titleModelOf, type Titles } from '../../config/titles.ts';
import type { AzureOpenAIYaml } from '../../config/yaml/yaml-schema.ts';
import type { ConfigSources } from '../define-provider.ts';
import { NOTHING_ADDED } from '../provider.ts';

export const azureEnv = {
  AZURE_API_KEY: credential,
  AZURE_OPENAI_API_KEY: credential,
  AZURE_OPENAI_API_INSTANCE_NAME: hostPart,
  AZURE_OPENAI_API_DEPLOYMENT_NAME: pathPart,
  AZURE_OPENAI_API_VERSION: pathPart,
  AZURE_OPENAI_API_COMPLETIONS_DEPLOYMENT_NAME: pathPart,
  AZURE_USE_MODEL_AS_DEPLOYMENT_NAME: flag,
  AZURE_OPENAI_BASEURL: azureUrl,
  AZURE_OPENAI_MODELS: list,
  AZURE_OPENAI_DEFAULT_MODEL: text,
  OPENAI_RESPONSES: flag,
};
type AzureEnv = ReadEnv<typeof azureEnv>;

/** Where one model is deployed, validated to be complete. */
export type AzureDeployment = {
  apiKey: string;
  instanceName: string | undefined;
  deploymentName: string | undefined;
  version: string | undefined;
  /** May contain ${INSTANCE_NAME} and ${DEPLOYMENT_NAME}; built from the two when undefined. */
  baseURL: string | undefined;
  /** A serverless deployment: its own server that follows OpenAI's protocol. */
  serverless: boolean;
  headers: Record<string, string>;
  addParams: Record<string, unknown>;
  dropParams: string[];
  forcePrompt: boolean;
};

/** The deployments: from the yaml file's groups, the environment, or a user's key. */
export type AzureDeployments =
  | { from: 'groups'; deployments: Record<string, AzureDeployment> }
  | {
      from: 'environment';
      deployment: AzureDeployment;
      /** Each model's name, without dots, is its deployment's name. */
      isNamedByModel: boolean;
      /** For the completions call, where it differs. */
      completionsDeploymentName: string | undefined;
    }
  | { from: 'user'; baseURL: string | undefined };

export interface AzureEntry {
  order: number;
  places: AzureDeployments;
  /** The known ones when undefined. */
  models: string[] | undefined;
  titles: Titles;
  summaries: Summaries;
  /** Use the Responses protocol instead of chat completions. */
  responses: boolean;
}

export function configureAzure(from: ConfigSources<typeof azureEnv>): AzureEntry | null {
  const { env, yaml, order, titlesEnabled } = from;
  const groups = yaml.endpoints?.azureOpenAI;
  // They are more exact than the environment.
  if (groups) return byGroups(groups, from);
  const apiKey = env.AZURE_API_KEY ?? env.AZURE_OPENAI_API_KEY;
  if (!apiKey) return null;
  return {
    order,
    places: byEnvironment(env, apiKey),
    models: modelsOf(env),
    titles: { enabled: titlesEnabled, method: 'functions', model: { use: 'default' } },
    summaries: { enabled: false },
    responses: env.OPENAI_RESPONSES ?? false,
  };
}

type GroupSources = Pick<ConfigSources, 'order' | 'titlesEnabled'> & {
  env: { OPENAI_RESPONSES?: boolean | undefined };
};

/** The groups and models that answer for assistants; null when there are none. */
export function azureForAssistants(
  yaml: AzureOpenAIYaml,
  from: Pick<ConfigSources, 'order' | 'titlesEnabled'>,
): AzureEntry | null {
  const groups = yaml.groups
    .filter(({ assistants }) => assistants)
    .map((group) => ({ ...group, models: withoutExcluded(group.models) }))
    .filter(({ models }) => Object.keys(models).length > 0);
  return groups.length > 0 ? byGroups({ ...yaml, groups }, { ...from, env: {} }) : null;
}

function withoutExcluded(models: AzureOpenAIYaml['groups'][number]['models']) {
  return Object.fromEntries(Object.entries(models).filter(([, own]) => own === true || own.assistants !== false));
}

function byGroups(yaml: AzureOpenAIYaml, { env, order, titlesEnabled }: GroupSources): AzureEntry {
  const deployments = Object.fromEntries(yaml.groups.flatMap(deploymentsOf));
  return {
    order: yaml.customOrder ?? order,
    places: { from: 'groups', deployments },
    models: Object.keys(deployments),
    titles: {
      enabled: titlesEnabled && (yaml.titleConvo ?? true),
      method: yaml.titleMethod ?? 'completion',
      model: titleModelOf(yaml.titleModel),
    },
    summaries: readSummaries(yaml.summarize, yaml.summaryModel),
    responses: env.OPENAI_RESPONSES ?? false,
  };
}

function deploymentsOf(group: AzureOpenAIYaml['groups'][number]): [model: string, AzureDeployment][] {
  return Object.entries(group.models).map(([model, own]) => [
    model,
    {
      apiKey: group.apiKey,
      instanceName: group.instanceName,
      deploymentName: group.deploymentName,
      version: group.version,
      ...(own === true ? {} : withoutUndefined({ deploymentName: own.deploymentName, version: own.version })),
      baseURL: group.baseURL && toBaseUrl(group.baseURL),
      serverless: group.serverless ?? false,
      headers: group.additionalHeaders ?? {},
      addParams: group.addParams ?? {},
      dropParams: group.dropParams ?? [],
      forcePrompt: group.forcePrompt ?? false,
    },
  ]);
}

function byEnvironment(env: AzureEnv, apiKey: string): AzureDeployments {
  const baseURL = env.AZURE_OPENAI_BASEURL && toBaseUrl(env.AZURE_OPENAI_BASEURL);
  const key = readCredential(apiKey);
  if (key.from === 'user') return { from: 'user', baseURL };
  assertComplete(env);
  return {
    from: 'environment',
    deployment: {
      apiKey: key.apiKey,
      instanceName: env.AZURE_OPENAI_API_INSTANCE_NAME,
      deploymentName: env.AZURE_OPENAI_API_DEPLOYMENT_NAME,
      version: env.AZURE_OPENAI_API_VERSION,
      baseURL,
      serverless: false,
      ...NOTHING_ADDED,
      forcePrompt: false,
    },
    isNamedByModel: env.AZURE_USE_MODEL_AS_DEPLOYMENT_NAME ?? false,
    completionsDeploymentName: env.AZURE_OPENAI_API_COMPLETIONS_DEPLOYMENT_NAME,
  };
}

function assertComplete(env: AzureEnv): void {
  const { AZURE_OPENAI_BASEURL: baseURL } = env;
  const problems = gatherProblems();
  const given = env.AZURE_API_KEY ? 'AZURE_API_KEY' : 'AZURE_OPENAI_API_KEY';
  const needs = (name: string) => baseURL === undefined || baseURL.includes(`\${${name}}`);
  if (needs('INSTANCE_NAME') && !env.AZURE_OPENAI_API_INSTANCE_NAME)
    problems.add(`${given} is set, so AZURE_OPENAI_API_INSTANCE_NAME must be set, too.`);
  if (needs('DEPLOYMENT_NAME') && !env.AZURE_OPENAI_API_DEPLOYMENT_NAME && !env.AZURE_USE_MODEL_AS_DEPLOYMENT_NAME)
    problems.add(
      `${given} is set, so AZURE_OPENAI_API_DEPLOYMENT_NAME must be set, or AZURE_USE_MODEL_AS_DEPLOYMENT_NAME be true.`,
    );
  if (!env.AZURE_OPENAI_API_VERSION) problems.add(`${given} is set, so AZURE_OPENAI_API_VERSION must be set, too.`);
  problems.throwAny();
}

/** The default model comes first: new conversations use the first. */
function modelsOf({ AZURE_OPENAI_MODELS: models, AZURE_OPENAI_DEFAULT_MODEL: first }: AzureEnv): string[] | undefined {
  if (first === undefined) return models;
  return [first, ...(models ?? []).filter((model) => model !== first)];
}
