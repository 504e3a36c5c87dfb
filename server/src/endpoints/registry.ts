import type { Config } from '../config.ts';
import { refuse } from '../errors.ts';
import type { Endpoint, Endpoints } from './endpoint.ts';
import { createModelList } from './models.ts';
import { providers } from './providers.ts';
import type { Upstream } from './provider.ts';

/** The default models when neither the environment nor the provider names any (C.6 of the REST facts). */
const OPENAI_MODELS = [
  'gpt-3.5-turbo-0125',
  'gpt-3.5-turbo-16k-0613',
  'gpt-3.5-turbo-16k',
  'gpt-4-turbo-preview',
  'gpt-4-0125-preview',
  'gpt-4-1106-preview',
  'gpt-3.5-turbo',
  'gpt-3.5-turbo-1106',
  'gpt-4-vision-preview',
  'gpt-4',
  'gpt-3.5-turbo-instruct-0914',
  'gpt-3.5-turbo-0613',
  'gpt-3.5-turbo-0301',
  'gpt-3.5-turbo-instruct',
  'gpt-4-0613',
  'text-davinci-003',
  'gpt-4-0314',
];

const OPENAI_URL = 'https://api.openai.com/v1';

type OpenAIConfig = Extract<Config['endpoints']['openAI'], { enabled: true }>;
type CustomConfig = Config['endpoints']['custom'][number];

/** Where the built-in demo listens. */
export interface Demo {
  url: string;
  apiKey: string;
}

/** What people can pick, made from the configuration. The demo is offered when nothing else is. */
export function createEndpoints(config: Config, demo: Demo | null, onNotice: (text: string) => void): Endpoints {
  const { openAI, custom } = config.endpoints;
  const endpoints = [
    ...(openAI.enabled ? [openAIEndpoint(openAI, onNotice)] : []),
    ...custom.map((entry) => customEndpoint(entry, onNotice)),
    ...(demo ? [demoEndpoint(demo)] : []),
  ].toSorted((a, b) => a.config.order - b.config.order);
  return {
    list: () => endpoints,
    assert: (name) =>
      endpoints.find((endpoint) => endpoint.name === name) ?? refuse({ type: 'not_found', what: 'endpoint' }),
  };
}

/** Whether the configuration offers nothing that could be asked. */
export function needsDemo({ endpoints }: Config): boolean {
  return !endpoints.openAI.enabled && endpoints.custom.length === 0;
}

function openAIEndpoint(entry: OpenAIConfig, onNotice: (text: string) => void): Endpoint {
  const { key, baseURL, organization } = entry;
  const url = baseURL?.from === 'server' ? baseURL.url : OPENAI_URL;
  const source =
    key.from === 'server' && !entry.models ? { url, apiKey: key.apiKey, filter: url === OPENAI_URL } : null;
  return {
    name: 'openAI',
    type: 'openAI',
    config: {
      userProvide: key.from === 'user',
      ...(baseURL && { userProvideURL: baseURL.from === 'user' }),
      order: entry.order,
    },
    titles: entry.titles,
    provider: providers.openAI,
    models: createModelList('openAI', entry.models ?? OPENAI_MODELS, source, onNotice),
    upstream: async () => ({ ...upstreamOf('openAI', url, keyOf(key, 'openAI')), organization }),
  };
}

function customEndpoint(entry: CustomConfig, onNotice: (text: string) => void): Endpoint {
  const { name, key, baseURL, models } = entry;
  const source =
    models.fetch && key.from === 'server' && baseURL.from === 'server'
      ? { url: baseURL.url, apiKey: key.apiKey, filter: false }
      : null;
  return {
    name,
    type: 'custom',
    config: {
      type: 'custom',
      userProvide: key.from === 'user',
      userProvideURL: baseURL.from === 'user',
      ...(entry.modelDisplayLabel !== undefined && { modelDisplayLabel: entry.modelDisplayLabel }),
      ...(entry.iconURL !== undefined && { iconURL: entry.iconURL }),
      order: entry.order,
    },
    titles: entry.titles,
    provider: providers.custom,
    models: createModelList(name, models.default, source, onNotice),
    async upstream() {
      if (baseURL.from === 'user') refuse({ type: 'no_base_url', endpoint: name });
      const { headers, addParams, dropParams } = entry;
      return { ...upstreamOf(name, baseURL.url, keyOf(key, name)), headers, addParams, dropParams };
    },
  };
}

function demoEndpoint({ url, apiKey }: Demo): Endpoint {
  return {
    name: 'Demo',
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
    models: async () => ['parley-demo'],
    upstream: async () => upstreamOf('Demo', `${url}/v1`, apiKey),
  };
}

function upstreamOf(endpoint: string, baseURL: string, apiKey: string): Upstream {
  return { endpoint, baseURL, apiKey, headers: {}, addParams: {}, dropParams: [] };
}

function keyOf(key: CustomConfig['key'], endpoint: string): string {
  return key.from === 'server' ? key.apiKey : refuse({ type: 'no_user_key', endpoint });
}
