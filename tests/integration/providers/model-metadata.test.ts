// What providers report about their models beside the names.
import { startFakeProvider, type FakeProvider } from '@parley/scripts/fake-provider';
import { ollamaMetadata, ollamaModels } from '@parley/server/providers/ollama/models';
import { openAIModels } from '@parley/server/providers/openai/models';
import { findModelMetadata } from '@parley/server/catalog/model-list';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openEndpoints } from '../../support/endpoints.ts';

let provider: FakeProvider;

beforeAll(async () => {
  provider = await startFakeProvider();
});
afterAll(() => provider.close());

async function endpointAt(name: string, path: string) {
  const models = '{ default: [a], fetch: true }';
  const yaml = `endpoints: { custom: [{ name: ${name}, apiKey: k, baseURL: ${provider.url}${path}, models: ${models} }] }`;
  return (await openEndpoints({ yaml })).assert(name);
}

describe('the metadata that a provider reports of its models', () => {
  it('for Ollama has at most the window of the model, and is kept when the model stops running', () => {
    expect(ollamaMetadata({ model_info: { 'x.context_length': 2048 } })).toEqual({ window: 2048 });
    expect(ollamaMetadata({ model_info: {} })).toEqual({});
    const { running } = ollamaModels('http://127.0.0.1:11434/v1');
    const loaded = { models: [{ name: 'one', context_length: 32_768 }, { name: 'other' }] };
    expect(running?.read(loaded).get('one')).toEqual({ window: 32_768 });
    expect([...(running?.read({ models: [] }).keys() ?? [])]).toEqual(['one']);
  });

  it('for OpenRouter is window and price, in tokens and credits a token', async () => {
    const told = await (await endpointAt('OpenRouter', '/api/v1')).fetched('alice');
    expect(told.get('meta-llama/llama-3-70b-instruct')).toEqual({
      window: 8192,
      rates: { prompt: 0.59, completion: 0.79 },
    });
    expect(told.get('mistralai/mistral-7b-instruct:free')).toEqual({
      window: 32_768,
      rates: { prompt: 0, completion: 0 },
    });
  });

  it('is ignored when it makes no sense, and the model stays listed', async () => {
    const endpoint = await endpointAt('OpenRouter', '/api/v1');
    expect(await endpoint.models('alice')).toEqual(expect.arrayContaining(['openrouter/auto', 'fake/odd']));
    expect(await findModelMetadata(endpoint, 'alice', 'openrouter/auto')).toEqual({ window: 2_000_000 });
    expect(await findModelMetadata(endpoint, 'alice', 'fake/odd')).toEqual({});
    expect(await findModelMetadata(endpoint, 'alice', 'unheard of')).toEqual({});
  });

  it('for Ollama is read for each model: its running or configured window, else a safe one', async () => {
    const told = await (await endpointAt('Ollama', '/v1')).fetched('alice');
    expect(told.get('llama3:latest')).toEqual({ window: 4096 });
    expect(told.get('llama3-loaded:latest')).toEqual({ window: 7168 });
    expect(told.get('llama3-long:latest')).toEqual({ window: 6000 });
    expect(told.get('fake:echo')).toEqual({});
  });

  it('for Anthropic is the length of a prompt', async () => {
    const env = { ANTHROPIC_API_KEY: 'k', ANTHROPIC_REVERSE_PROXY: provider.url };
    const anthropic = (await openEndpoints({ env })).assert('anthropic');
    expect(await findModelMetadata(anthropic, 'alice', 'claude-sonnet-5')).toEqual({ window: 1_000_000 });
    expect(await findModelMetadata(anthropic, 'alice', 'claude-haiku-4-5')).toEqual({});
  });

  it('for Gemini is the length of the input', async () => {
    const env = { GOOGLE_KEY: 'k', GOOGLE_REVERSE_PROXY: provider.url };
    const google = (await openEndpoints({ env })).assert('google');
    expect(await findModelMetadata(google, 'alice', 'gemini-pro')).toEqual({ window: 30_720 });
  });

  it.each([
    ['Groq', { context_window: 8192 }, { window: 8192 }],
    ['vLLM', { max_model_len: 32_768 }, { window: 32_768 }],
    ['Mistral', { max_context_length: 131_072 }, { window: 131_072 }],
    ['a list that tells nothing', { owned_by: 'me' }, {}],
    ['a window of words', { context_length: 'many' }, {}],
    ['a window that is negative', { context_length: -1, max_model_len: 100 }, { window: 100 }],
    ['a window that is no whole number', { context_length: 10.5 }, {}],
    ['a price of numbers', { pricing: { prompt: 3, completion: 3 } }, {}],
    ['a price for a million tokens', { pricing: { prompt: '2.50', completion: '10' } }, {}],
    ['half a price', { pricing: { prompt: '0.000001' } }, {}],
    ['a tiny price', { pricing: { prompt: '2e-8', completion: '1e-7' } }, { rates: { prompt: 0.02, completion: 0.1 } }],
    ['a price that is infinite', { pricing: { prompt: '1e999', completion: '0' } }, {}],
  ])('is read from %s', (_, entry, facts) => {
    const { read } = openAIModels('https://models.example/v1', 'k');
    expect(read({ data: [{ id: 'one', ...entry }] })).toEqual([{ id: 'one', ...facts }]);
  });
});
