import type { EndpointDefinition } from '../endpoint.ts';
import { NOTHING_ADDED, type Provider } from '../provider.ts';

/** The built-in demo, offered when nothing is configured and no Ollama is found. */
export interface Demo {
  stream: Provider;
}

const NAME = 'Demo';

export function demoEndpoint({ stream }: Demo): EndpointDefinition {
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
    isLocal: true,
    models: { known: ['parley-demo'], source: null },
    stream,
    hasOwnProtocol: true,
    target: async () => ({ endpoint: NAME, baseURL: '', apiKey: '', ...NOTHING_ADDED }),
  };
}
