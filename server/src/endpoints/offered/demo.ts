import type { Endpoint } from '../endpoint.ts';
import { createModelList } from '../models.ts';
import { providers } from '../providers.ts';

/** Where the built-in demo listens. */
export interface Demo {
  url: string;
  apiKey: string;
}

const NAME = 'Demo';

export function demoEndpoint({ url, apiKey }: Demo): Endpoint {
  return {
    name: NAME,
    type: 'custom',
    config: {
      type: 'custom',
      userProvide: false,
      userProvideURL: false,
      modelDisplayLabel: 'Parley demo',
      order: 9999,
    },
    titles: { enabled: true, method: 'completion', model: { use: 'current' } },
    provider: providers.custom,
    ...createModelList(NAME, ['parley-demo'], null, () => undefined),
    upstream: async () => ({
      endpoint: NAME,
      baseURL: `${url}/v1`,
      apiKey,
      headers: {},
      addParams: {},
      dropParams: [],
    }),
  };
}
