import type { AzureDeployment } from '../../config/azure.ts';
import type { Config } from '../../config.ts';
import type { DeepReadonly } from '../../config/freeze.ts';
import { refuse } from '../../errors.ts';
import { OPENAI_MODELS } from '../default-models.ts';
import type { Endpoint, Surroundings } from '../endpoint.ts';
import { createModelList } from '../models.ts';
import { completesOnly } from '../openai/older-models.ts';
import type { Particulars, Upstream } from '../provider.ts';
import { providers } from '../providers.ts';
import { azureKeyIn, type UserKey } from '../user-key.ts';

const NAME = 'azureOpenAI';
const URL = 'https://${INSTANCE_NAME}.openai.azure.com/openai/deployments/${DEPLOYMENT_NAME}';

type Entry = Extract<Config['endpoints']['azureOpenAI'], { enabled: true }>;
type Places = Entry['places'];
type Deployment = DeepReadonly<AzureDeployment>;

export function azureEndpoint(entry: Entry, { userKey, onNotice }: Surroundings): Endpoint {
  const { places } = entry;
  return {
    name: NAME,
    type: 'azureOpenAI',
    config: {
      userProvide: places.from === 'user',
      ...(hasBaseURL(places) && { userProvideURL: false }),
      order: entry.order,
    },
    titles: entry.titles,
    summaries: entry.summaries,
    provider: providers.azureOpenAI,
    ...createModelList(NAME, entry.models ?? OPENAI_MODELS, null, onNotice),
    upstream: async (userId, model) => upstreamOf(await deploymentOf(places, model, userId, userKey)),
  };
}

/** Only the environment's is told. */
function hasBaseURL(places: Places): boolean {
  switch (places.from) {
    case 'groups':
      return false;
    case 'environment':
      return places.deployment.baseURL !== undefined;
    case 'user':
      return places.baseURL !== undefined;
    default:
      return places satisfies never;
  }
}

async function deploymentOf(places: Places, model: string, userId: string, userKey: UserKey): Promise<Deployment> {
  switch (places.from) {
    case 'groups':
      return places.deployments[model] ?? refuse({ type: 'illegal_model_request', endpoint: NAME, model });
    case 'environment': {
      const { deployment, isNamedByModel, completionsDeploymentName } = places;
      if (completesOnly(model) && completionsDeploymentName !== undefined)
        return { ...deployment, deploymentName: completionsDeploymentName };
      // Azure's names have no dots: gpt-35-turbo.
      return isNamedByModel ? { ...deployment, deploymentName: model.replaceAll('.', '') } : deployment;
    }
    case 'user':
      return usersDeployment(azureKeyIn(await userKey(userId, NAME), NAME), places.baseURL);
    default:
      return places satisfies never;
  }
}

function usersDeployment(saved: ReturnType<typeof azureKeyIn>, baseURL: string | undefined): Deployment {
  return {
    apiKey: saved.azureOpenAIApiKey,
    instanceName: saved.azureOpenAIApiInstanceName,
    deploymentName: saved.azureOpenAIApiDeploymentName,
    version: saved.azureOpenAIApiVersion,
    baseURL,
    serverless: false,
    headers: {},
    addParams: {},
    dropParams: [],
    forcePrompt: false,
  };
}

/** A deployment is a model by itself and has a key header of its own; a serverless one speaks as OpenAI does. */
function upstreamOf(deployment: Deployment): Upstream {
  const { apiKey, serverless, version, headers, addParams, dropParams, forcePrompt } = deployment;
  const common = {
    endpoint: NAME,
    baseURL: addressOf(deployment),
    apiKey,
    ...(version !== undefined && { query: { 'api-version': version } }),
    addParams,
    forcePrompt,
  };
  if (serverless) return { ...common, headers, dropParams };
  return {
    ...common,
    headers: { ...headers, 'api-key': apiKey, authorization: null },
    dropParams: [...dropParams, 'model'],
    ...(version !== undefined && version < TELLS_USAGE && { particulars: UNTOLD }),
  };
}

/** The first version whose streams tell their usage; those before refuse a question that asks for it. */
const TELLS_USAGE = '2024-09-01';
const UNTOLD: Particulars = { instructions: 'before-question', goesOn: 'by-itself', refuses: ['stream_options'] };

function addressOf({ baseURL = URL, instanceName = '', deploymentName = '' }: Deployment): string {
  return baseURL
    .replaceAll('${INSTANCE_NAME}', instanceName)
    .replaceAll('${DEPLOYMENT_NAME}', encodeURIComponent(deploymentName));
}
