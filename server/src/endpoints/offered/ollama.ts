// A model server on the same machine is offered without a word of configuration, if there is nothing else.
import type { Endpoint, Surroundings } from '../endpoint.ts';
import { ollamaModels } from '../model-sources.ts';
import { createModelList, fetchModels } from '../models.ts';
import { providers } from '../providers.ts';

/** A local Ollama that has answered. */
export interface Ollama {
  url: string;
  models: readonly string[];
}

const NAME = 'Ollama';
/** A start waits no longer than this for an answer. */
const PATIENCE_MS = 300;

/** The Ollama at an address, if it has a model. Never throws. */
export async function findOllama(url: string): Promise<Ollama | null> {
  return fetchModels(ollamaModels(url), PATIENCE_MS).then(
    (models) => ({ url, models: models.map(({ id }) => id) }),
    () => null,
  );
}

export function ollamaEndpoint({ url, models }: Ollama, { onNotice }: Surroundings): Endpoint {
  return {
    name: NAME,
    type: 'custom',
    config: { type: 'custom', userProvide: false, userProvideURL: false, modelDisplayLabel: NAME, order: 9999 },
    titles: { enabled: true, method: 'completion', model: { use: 'current' } },
    provider: providers.custom,
    ...createModelList(NAME, models, ollamaModels(url), onNotice),
    // It wants a key and reads none.
    upstream: async () => ({
      endpoint: NAME,
      baseURL: `${url}/v1`,
      apiKey: 'ollama',
      headers: {},
      addParams: {},
      dropParams: [],
    }),
  };
}
