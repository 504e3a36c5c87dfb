// The built-in demo, offered when nothing is configured and no Ollama is found.
import type { EndpointDefinition } from '../endpoint.ts';

/** The built-in demo's address and key. */
export interface Demo {
  url: string;
  apiKey: string;
}

const NAME = 'Demo';

export function demoEndpoint({ url, apiKey }: Demo): EndpointDefinition {
  return {
    name: NAME,
    config: {
      type: 'custom',
      userProvide: false,
      userProvideURL: false,
      modelDisplayLabel: 'Parley demo',
      order: 9999,
    },
    titles: { enabled: true, method: 'completion', model: { use: 'current' } },
    models: { known: ['parley-demo'], source: null },
    target: async () => ({
      endpoint: NAME,
      baseURL: `${url}/v1`,
      apiKey,
      headers: {},
      addParams: {},
      dropParams: [],
    }),
  };
}
