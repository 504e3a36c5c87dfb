// Ollama on the same machine, offered when nothing is configured.
import { type KnownRefusals, createRefusals } from '../compatible/refusals.ts';
import type { EndpointDefinition } from '../endpoint.ts';
import { NOTHING_ADDED } from '../provider.ts';
import { ollamaModels } from './models.ts';

/** A local Ollama that has answered. */
export interface Ollama {
  url: string;
  models: readonly string[];
}

const NAME = 'Ollama';

export function ollamaEndpoint({ url, models }: Ollama, known: KnownRefusals): EndpointDefinition {
  const refusals = createRefusals(NAME, known);
  return {
    name: NAME,
    config: { type: 'custom', userProvide: false, userProvideURL: false, modelDisplayLabel: NAME, order: 9999 },
    titles: { enabled: true, method: 'completion', model: { use: 'current' } },
    isLocal: true,
    models: { known: models, source: ollamaModels(url) },
    leftOut: refusals.list,
    target: async () => ({
      endpoint: NAME,
      baseURL: `${url}/v1`,
      // Ollama requires a key and ignores its value.
      apiKey: 'ollama',
      isCompatible: true,
      refusals,
      ...NOTHING_ADDED,
    }),
  };
}
