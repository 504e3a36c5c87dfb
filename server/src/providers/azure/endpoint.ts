import { thinksFirst } from '@parley/schema/catalog/reasoning-models';
import { findPictureModel } from '@parley/schema/pictures/models';
import * as z from 'zod';
import { refuse } from '../../platform/errors.ts';
import type { EndpointDefinition, EndpointDeps } from '../endpoint.ts';
import { OPENAI_MODELS } from '../openai/models.ts';
import { isCompletionModel } from '../openai/bodies.ts';
import { needsResponses } from '../openai/responses.ts';
import { NOTHING_ADDED, type ProviderQuirks, type ProviderTarget } from '../provider.ts';
import { type UserKey, HeaderWord, parseUserKey } from '../user-key.ts';
import type { AzureDeployment, AzureDeployments, AzureEntry } from './settings.ts';

const NAME = 'azureOpenAI';
const URL = 'https://${INSTANCE_NAME}.openai.azure.com/openai/deployments/${DEPLOYMENT_NAME}';

export function azureEndpoint(entry: AzureEntry, { userKey }: EndpointDeps): EndpointDefinition {
  const { places } = entry;
  const pictures = entry.models?.filter((model) => findPictureModel({ pictures: true }, model)) ?? [];
  return {
    name: NAME,
    config: {
      userProvide: places.from === 'user',
      ...(hasBaseURL(places) && { userProvideURL: false }),
      ...(pictures.length > 0 && { pictures }),
      order: entry.order,
    },
    titles: entry.titles,
    summaries: entry.summaries,
    models: { known: entry.models ?? OPENAI_MODELS, source: null },
    async target(userId, model) {
      const deployment = await deploymentOf(places, model, userId, userKey);
      const responses = responsesOf(deployment);
      const target = targetOf(deployment);
      if (!responses) return target;
      if (entry.responses || needsResponses(model)) return { ...target, responses };
      return { ...target, ...(thinksFirst(model) && isAtAzure(responses) && { responsesForTools: responses }) };
    },
  };
}

/** Reports a base URL to clients only if the environment sets it. */
function hasBaseURL(places: AzureDeployments): boolean {
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

async function deploymentOf(
  places: AzureDeployments,
  model: string,
  userId: string,
  userKey: UserKey,
): Promise<AzureDeployment> {
  switch (places.from) {
    case 'groups':
      return places.deployments[model] ?? refuse({ type: 'illegal_model_request', endpoint: NAME, model });
    case 'environment': {
      const { deployment, isNamedByModel, completionsDeploymentName } = places;
      if (isCompletionModel(model) && completionsDeploymentName !== undefined)
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

function usersDeployment(saved: ReturnType<typeof azureKeyIn>, baseURL: string | undefined): AzureDeployment {
  return {
    apiKey: saved.azureOpenAIApiKey,
    instanceName: saved.azureOpenAIApiInstanceName,
    deploymentName: saved.azureOpenAIApiDeploymentName,
    version: saved.azureOpenAIApiVersion,
    baseURL,
    serverless: false,
    ...NOTHING_ADDED,
    forcePrompt: false,
  };
}

/** A deployment stands for one model and has its own key header; a serverless one follows OpenAI's protocol. */
function targetOf(deployment: AzureDeployment): ProviderTarget {
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
    ...(version !== undefined && version < STREAMS_USAGE && { quirks: NO_USAGE }),
  };
}

/** The first API version whose streams report usage; earlier ones refuse a request for it. */
const STREAMS_USAGE = '2024-09-01';
const NO_USAGE: ProviderQuirks = {
  instructions: 'before-question',
  continueMode: 'native',
  rejectedParams: ['stream_options'],
};

const DEPLOYMENTS = '/deployments/';

/**
 * Azure has Responses beside its deployments, which are then the models, and at an address without dated versions.
 * Undefined where an address has no such place: at serverless deployments, and behind gateways.
 */
function responsesOf(deployment: AzureDeployment): ProviderTarget['responses'] {
  const address = addressOf(deployment);
  const at = address.lastIndexOf(DEPLOYMENTS);
  if (deployment.serverless || at < 0) return undefined;
  return { baseURL: `${address.slice(0, at)}/v1`, model: decodeURIComponent(address.slice(at + DEPLOYMENTS.length)) };
}

/** Whether the address is Azure's own; a gateway may not have Responses. */
function isAtAzure({ baseURL }: { baseURL: string }): boolean {
  return globalThis.URL.canParse(baseURL) && new globalThis.URL(baseURL).hostname.endsWith('.azure.com');
}

function addressOf({ baseURL = URL, instanceName = '', deploymentName = '' }: AzureDeployment): string {
  return baseURL
    .replaceAll('${INSTANCE_NAME}', instanceName)
    .replaceAll('${DEPLOYMENT_NAME}', encodeURIComponent(deploymentName));
}

const HostPart = z.string().regex(/^[a-z\d-]+$/i);
const PathPart = z.string().regex(/^(?!\.{1,2}$)[\w.-]+$/);
const Bundle = z.object({ apiKey: z.string() });
const AzureValue = z.object({
  azureOpenAIApiKey: HeaderWord,
  azureOpenAIApiInstanceName: HostPart,
  azureOpenAIApiDeploymentName: PathPart,
  azureOpenAIApiVersion: PathPart,
});

/** Azure's four fields, saved as JSON in place of the key. They become parts of an address. */
function azureKeyIn(value: string, endpoint: string): z.infer<typeof AzureValue> {
  return parseUserKey(parseUserKey(value, Bundle, endpoint).apiKey, AzureValue, endpoint);
}
