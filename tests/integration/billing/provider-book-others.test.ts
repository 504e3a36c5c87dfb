// The Responses protocol of OpenAI, providers of the yaml file, prices of one's own, and a local server.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createFolder } from '../../support/folders.ts';
import { describeBooks, type BookedProvider } from './provider-book.ts';

const CONFIG_PATH = join(createFolder(), 'parley.yaml');
writeFileSync(
  CONFIG_PATH,
  `version: 1.0.7
prices:
  openai: { gpt-4o: { input: 3, cachedRead: 0.7, cachedWrite: 4, output: 11 } }
  Priced: { '*': { input: 2.5, output: 7.5 } }
endpoints:
  custom:
    - { name: Cohere, apiKey: k, baseURL: '\${FAKE}/v1', models: { default: [command-r] } }
    - { name: OpenRouter, apiKey: k, baseURL: '\${FAKE}/api/v1', models: { default: [a], fetch: true } }
    - { name: Priced, apiKey: k, baseURL: '\${FAKE}/v1', models: { default: [gpt-4.1] } }
    - { name: Local, apiKey: k, baseURL: '\${FAKE}/v1', models: { default: [gpt-4o-mini] } }
`,
);

const ENV = { OPENAI_MODELS: 'gpt-4o', OPENAI_RESPONSES: 'true', CONFIG_PATH, FAKE: '${FAKE_PROVIDER}' };

const PROVIDERS: readonly BookedProvider[] = [
  {
    endpoint: 'openAI',
    endpointType: 'openAI',
    model: 'gpt-4o',
    rates: { prompt: 3, cachedRead: 0.7, cachedWrite: 4, completion: 11 },
  },
  { endpoint: 'Cohere', endpointType: 'custom', model: 'command-r', takesTools: false },
  {
    endpoint: 'OpenRouter',
    endpointType: 'custom',
    model: 'meta-llama/llama-3-70b-instruct',
    rates: { prompt: 0.59, completion: 0.79 },
    takesTools: false,
  },
  { endpoint: 'Priced', endpointType: 'custom', model: 'gpt-4.1', rates: { prompt: 2.5, completion: 7.5 } },
  {
    endpoint: 'Local',
    endpointType: 'custom',
    model: 'gpt-4o-mini',
    rates: { prompt: 0, completion: 0, cachedRead: 0, cachedWrite: 0 },
  },
];

// That a budget and a key pay the same is proven with the other providers, and with own prices in own-prices.test.ts.
describeBooks(ENV, PROVIDERS, ['nobody', 'a balance']);
