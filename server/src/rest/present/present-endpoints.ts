// The endpoints and models as existing clients know them: which models make pictures is not told, and those that do
// nothing else are in no list.
import type { EndpointConfig, EndpointsConfig, ModelsConfig } from '@parley/schema/catalog/startup';
import { findPictureModel } from '@parley/schema/pictures/models';

export type RestEndpoints = Record<string, Omit<EndpointConfig, 'pictures'>>;

/** Existing clients require the list of models that may search files. Where the operator has none, all models may. */
export function presentEndpoints(endpoints: EndpointsConfig): RestEndpoints {
  const known = Object.entries(endpoints).map(([name, { pictures: _unknown, ...config }]) => [name, config] as const);
  const { assistants, ...others }: RestEndpoints = Object.fromEntries(known);
  if (!assistants) return others;
  return { ...others, assistants: { ...assistants, retrievalModels: assistants.retrievalModels ?? RETRIEVAL_MODELS } };
}

export function presentModels(models: ModelsConfig, endpoints: EndpointsConfig): ModelsConfig {
  const chatting = Object.entries(models).map(([name, all]) => {
    const pictures = endpoints[name]?.pictures;
    // Others stand in a list of their provider, as they always have.
    if (!Array.isArray(pictures)) return [name, all] as const;
    return [name, all.filter((model) => findPictureModel({ pictures }, model)?.chats !== false)] as const;
  });
  return Object.fromEntries(chatting);
}

/** The usual list of those clients. */
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
