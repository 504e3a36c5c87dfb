import type { EndpointType } from '@parley/schema/endpoints';
import { toBaseUrl } from './addresses.ts';
import { gatherProblems } from './config-error.ts';
import { credentialOf } from './credentials.ts';
import type { Env } from './env.ts';
import { summariesOf, type Summaries } from './summaries.ts';
import { titleModelOf, type Titles } from './titles.ts';
import type { AzureOpenAIYaml, Yaml } from './yaml-schema.ts';

/** Where one model is deployed. Checked: what its address needs is there. */
export type AzureDeployment = {
  apiKey: string;
  instanceName: string | undefined;
  deploymentName: string | undefined;
  version: string | undefined;
  /** May hold ${INSTANCE_NAME} and ${DEPLOYMENT_NAME}; made of the two when undefined. */
  baseURL: string | undefined;
  /** A server of its own that speaks as OpenAI does, instead of a deployment of an instance. */
  serverless: boolean;
  headers: Record<string, string>;
  addParams: Record<string, unknown>;
  dropParams: string[];
  forcePrompt: boolean;
};

/** Where a model is found: by the groups of the yaml file, by the environment, or by what a user saved. */
export type AzurePlaces =
  | { from: 'groups'; deployments: Record<string, AzureDeployment> }
  | {
      from: 'environment';
      deployment: AzureDeployment;
      /** Each model's own name, without dots, is its deployment. */
      isNamedByModel: boolean;
      /** For the completions call, where it differs. */
      completionsDeploymentName: string | undefined;
    }
  | { from: 'user'; baseURL: string | undefined };

export type AzureEndpoint =
  | { enabled: false }
  | {
      enabled: true;
      order: number;
      places: AzurePlaces;
      /** The known ones when undefined. */
      models: string[] | undefined;
      titles: Titles;
      summaries: Summaries;
    };

export function azureEndpoint(env: Env, yaml: Yaml, offered: EndpointType[]): AzureEndpoint {
  const groups = yaml.endpoints?.azureOpenAI;
  const order = groups?.customOrder ?? offered.indexOf('azureOpenAI');
  if (!offered.includes('azureOpenAI')) return { enabled: false };
  if (groups) return byGroups(groups, env, order);
  const apiKey = env.AZURE_API_KEY ?? env.AZURE_OPENAI_API_KEY;
  if (!apiKey) return { enabled: false };
  return {
    enabled: true,
    order,
    places: placesOf(env, apiKey),
    models: modelsOf(env),
    titles: { enabled: env.TITLE_CONVO ?? true, method: 'functions', model: { use: 'default' } },
    summaries: { enabled: false },
  };
}

function byGroups(yaml: AzureOpenAIYaml, env: Env, order: number): AzureEndpoint {
  const deployments = Object.fromEntries(yaml.groups.flatMap(deploymentsOf));
  return {
    enabled: true,
    order,
    places: { from: 'groups', deployments },
    models: Object.keys(deployments),
    titles: {
      enabled: (env.TITLE_CONVO ?? true) && (yaml.titleConvo ?? true),
      method: yaml.titleMethod ?? 'completion',
      model: titleModelOf(yaml.titleModel),
    },
    summaries: summariesOf(yaml.summarize, yaml.summaryModel),
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

function withoutUndefined<T extends object>(map: T): Partial<T> {
  return Object.fromEntries(Object.entries(map).filter(([, value]) => value !== undefined)) as Partial<T>;
}

function placesOf(env: Env, apiKey: string): AzurePlaces {
  const baseURL = env.AZURE_OPENAI_BASEURL && toBaseUrl(env.AZURE_OPENAI_BASEURL);
  const key = credentialOf(apiKey);
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
      headers: {},
      addParams: {},
      dropParams: [],
      forcePrompt: false,
    },
    isNamedByModel: env.AZURE_USE_MODEL_AS_DEPLOYMENT_NAME ?? false,
    completionsDeploymentName: env.AZURE_OPENAI_API_COMPLETIONS_DEPLOYMENT_NAME,
  };
}

function assertComplete(env: Env): void {
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

/** The default model stands first, where new conversations find it. */
function modelsOf({ AZURE_OPENAI_MODELS: models, AZURE_OPENAI_DEFAULT_MODEL: first }: Env): string[] | undefined {
  if (first === undefined) return models;
  return [first, ...(models ?? []).filter((model) => model !== first)];
}
