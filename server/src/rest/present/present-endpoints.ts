import type { EndpointsConfig } from '@parley/schema/catalog/startup';

/** Existing clients require the list of models that may search files. Where the operator has none, all models may. */
export function presentEndpoints(endpoints: EndpointsConfig): EndpointsConfig {
  const { assistants, ...others } = endpoints;
  if (!assistants) return endpoints;
  return { ...others, assistants: { ...assistants, retrievalModels: assistants.retrievalModels ?? RETRIEVAL_MODELS } };
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
