import { thinksFirst } from '@parley/schema/catalog/reasoning-models';
import type { Address } from '../../config/credentials.ts';
import type { EndpointDefinition, EndpointDeps } from '../endpoint.ts';
import type { ModelSource, UserModelSource } from '../model-source.ts';
import { NOTHING_ADDED, type ProviderTarget } from '../provider.ts';
import { resolveTarget } from '../resolve-target.ts';
import { nullWhenRefused, withoutPrices } from '../user-models.ts';
import { onlyChat, OPENAI_MODELS, openAIModels } from './models.ts';
import { needsResponses } from './responses.ts';
import type { OpenAIEntry } from './settings.ts';

const URL = 'https://api.openai.com/v1';
const NAME = 'openAI';

export function openAIEndpoint(entry: OpenAIEntry, deps: EndpointDeps): EndpointDefinition {
  const { key, baseURL, organization, forcePrompt } = entry;
  const address = { name: NAME, key, baseURL: baseURL ?? { from: 'server' as const, url: URL } };
  const source = entry.models ? null : sourceOf(entry, (userId) => resolveTarget(address, userId, deps));
  return {
    name: NAME,
    config: {
      userProvide: key.from === 'user',
      ...(baseURL && { userProvideURL: baseURL.from === 'user' }),
      ...(entry.pictures && { pictures: entry.pictures }),
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
        ...NOTHING_ADDED,
      };
    },
  };
}

/** A user's address is hardly OpenAI's; the operator's may be, as the variable is set. */
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
