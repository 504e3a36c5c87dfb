// Assistants: answered by OpenAI's protocol with the operator's key for them, or by Azure. What an assistant is, and
// which other endpoint may answer for it, is in `server/src/assistants/`.
import { refuse } from '../../platform/errors.ts';
import { azureEndpoint } from '../azure/endpoint.ts';
import { defineProvider } from '../define-provider.ts';
import type { EndpointDefinition, EndpointDeps } from '../endpoint.ts';
import type { ModelSource, UserModelSource } from '../model-source.ts';
import { openAIModels } from '../openai/models.ts';
import { needsResponses } from '../openai/responses.ts';
import { openAIStream } from '../openai/stream.ts';
import { resolveTarget } from '../resolve-target.ts';
import { nullWhenRefused, withoutPrices } from '../user-models.ts';
import { assistantsEnv, configureAssistants, type AssistantsEntry, type AssistantsUpstream } from './settings.ts';

const URL = 'https://api.openai.com/v1';
const NAME = 'assistants';

export const assistants = defineProvider({
  type: NAME,
  env: assistantsEnv,
  disabledReason: 'ASSISTANTS_API_KEY is off',
  configure: configureAssistants,
  keySource: ({ upstream }) => {
    if (upstream.from !== 'openAI') return 'server';
    return upstream.baseURL?.from === 'user' ? 'user' : upstream.key.from;
  },
  endpoint,
  isAnsweredByOthers: ({ upstream }) => upstream.from === 'others',
  stream: openAIStream('openAI'),
  // They are asked at `/api/assistants/chat`.
  restPath: null,
});

function endpoint(entry: AssistantsEntry, deps: EndpointDeps): EndpointDefinition {
  const { upstream } = entry;
  return {
    name: NAME,
    config: { ...keyFacts(upstream), ...facts(entry), order: entry.order },
    titles: entry.titles,
    models: { known: entry.models, source: upstream.from === 'openAI' ? sourceOf(upstream, deps) : null },
    target: targetFor(upstream, deps),
  };
}

function targetFor(upstream: AssistantsUpstream, deps: EndpointDeps): EndpointDefinition['target'] {
  switch (upstream.from) {
    case 'azure':
      return azureEndpoint(upstream.entry, deps).target;
    case 'openAI':
      return targetOf(upstream, deps);
    case 'others':
      // Only an assistant knows who answers for it.
      return async () => refuse({ type: 'not_found', what: 'assistant' });
    default:
      return upstream satisfies never;
  }
}

function keyFacts(upstream: AssistantsUpstream) {
  if (upstream.from !== 'openAI') return { userProvide: false };
  const { key, baseURL } = upstream;
  return { userProvide: key.from === 'user', ...(baseURL && { userProvideURL: baseURL.from === 'user' }) };
}

function facts({ retrievalModels, capabilities, disableBuilder }: AssistantsEntry) {
  return {
    ...(retrievalModels && { retrievalModels: [...retrievalModels] }),
    capabilities: [...capabilities],
    ...(disableBuilder !== undefined && { disableBuilder }),
  };
}

type OfOpenAI = Extract<AssistantsUpstream, { from: 'openAI' }>;

function addressOf({ key, baseURL }: OfOpenAI) {
  return { name: NAME, key, baseURL: baseURL ?? { from: 'server' as const, url: URL } };
}

function targetOf(upstream: OfOpenAI, deps: EndpointDeps): EndpointDefinition['target'] {
  const { baseURL, headers } = upstream;
  return async (userId, model) => {
    const resolved = await resolveTarget(addressOf(upstream), userId, deps);
    return {
      endpoint: NAME,
      ...resolved,
      ...(baseURL === undefined && needsResponses(model) && { responses: { baseURL: resolved.baseURL, model } }),
      // Configured headers may hold a server key, which never goes to a user's address.
      headers: baseURL?.from === 'user' ? {} : headers,
      addParams: {},
      dropParams: [],
    };
  };
}

function sourceOf(upstream: OfOpenAI, deps: EndpointDeps): ModelSource | UserModelSource | null {
  const { key, baseURL, fetchesModels } = upstream;
  if (!fetchesModels) return null;
  if (key.from === 'server' && baseURL?.from !== 'user') return openAIModels(baseURL?.url ?? URL, key.apiKey);
  return nullWhenRefused(async (userId) => {
    const resolved = await resolveTarget(addressOf(upstream), userId, deps);
    const source = {
      ...openAIModels(resolved.baseURL, resolved.apiKey),
      ...(resolved.fetch && { fetch: resolved.fetch }),
    };
    return baseURL?.from === 'user' ? withoutPrices(source) : source;
  });
}
