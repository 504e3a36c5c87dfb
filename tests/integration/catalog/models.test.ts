// Which models an endpoint offers, and to whom.
import { startFakeProvider, type FakeProvider } from '@parley/scripts/fake-provider';
import { ANTHROPIC_MODELS } from '@parley/server/providers/anthropic/models';
import { GOOGLE_MODELS } from '@parley/server/providers/google/google';
import { onlyChat, OPENAI_MODELS, openAIModels } from '@parley/server/providers/openai/models';
import { knownProviderOf } from '@parley/server/providers/custom/known-providers';
import type { UserKey } from '@parley/server/providers/user-key';
import { refuse } from '@parley/server/platform/errors';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openEndpoints, type Setup } from '../../support/endpoints.ts';
import { serviceKeyFile, writeServiceKey } from '../../support/service-key.ts';

let provider: FakeProvider;

beforeAll(async () => {
  provider = await startFakeProvider();
});
beforeEach(() => provider.clear());
afterAll(() => provider.close());

async function modelsOf(endpoint: string, setup: Setup, userId = 'alice'): Promise<readonly string[]> {
  return (await openEndpoints(setup)).assert(endpoint).models(userId);
}

function custom(name: string, models: string, baseURL = `${provider.url}/v1`): Setup {
  return { yaml: `endpoints: { custom: [{ name: ${name}, apiKey: k, baseURL: ${baseURL}, models: ${models} }] }` };
}

describe('the list of models', () => {
  it('comes from the environment when it is set there, without a call', async () => {
    const env = {
      ANTHROPIC_API_KEY: 'k',
      ANTHROPIC_REVERSE_PROXY: provider.url,
      ANTHROPIC_MODELS: 'claude-2',
      GOOGLE_KEY: 'k',
      GOOGLE_REVERSE_PROXY: provider.url,
      GOOGLE_MODELS: 'gemini-pro',
    };
    expect(await modelsOf('anthropic', { env })).toEqual(['claude-2']);
    expect(await modelsOf('google', { env })).toEqual(['gemini-pro']);
    expect(provider.requests).toEqual([]);
  });

  it('is fetched from Anthropic in its own protocol', async () => {
    const models = await modelsOf('anthropic', {
      env: { ANTHROPIC_API_KEY: 'ant-1', ANTHROPIC_REVERSE_PROXY: provider.url },
    });
    expect(models).toContain('claude-3-haiku-20240307');
    expect(provider.requests[0]).toMatchObject({
      path: '/v1/models',
      headers: { 'x-api-key': 'ant-1', 'anthropic-version': '2023-06-01' },
    });
  });

  it('is fetched from Gemini in its own protocol, chat models only', async () => {
    const models = await modelsOf('google', { env: { GOOGLE_KEY: 'goo-1', GOOGLE_REVERSE_PROXY: provider.url } });
    expect(models).toContain('gemini-1.5-pro-latest');
    expect(models).not.toContain('embedding-001');
    expect(provider.requests[0]).toMatchObject({ path: '/v1beta/models', headers: { 'x-goog-api-key': 'goo-1' } });
  });

  it("is empty for PaLM with only an API key, which it doesn't accept", async () => {
    const env = { GOOGLE_KEY: 'k', GOOGLE_REVERSE_PROXY: `${provider.url}/as/error-500` };
    expect(await modelsOf('google', { env })).toEqual(['gemini-pro', 'gemini-pro-vision']);
    const named = { ...env, GOOGLE_MODELS: 'chat-bison,gemini-pro' };
    expect(await modelsOf('google', { env: named })).toEqual(['chat-bison', 'gemini-pro']);
  });

  it("depends on the user's keys for Google", async () => {
    const saved = new Map([
      ['alice', { GOOGLE_API_KEY: 'k' }],
      ['dave', { GOOGLE_API_KEY: 'k', GOOGLE_SERVICE_KEY: {} }],
      ['erin', { GOOGLE_API_KEY: 'k', GOOGLE_SERVICE_KEY: '{}' }],
      ['bob', { GOOGLE_API_KEY: 'k', GOOGLE_SERVICE_KEY: serviceKeyFile(`${provider.url}/token`) }],
    ]);
    const userKey: UserKey = async (userId, endpoint) =>
      saved.has(userId) ? JSON.stringify(saved.get(userId)) : refuse({ type: 'no_user_key', endpoint });
    const env = { GOOGLE_KEY: 'user_provided', GOOGLE_REVERSE_PROXY: `${provider.url}/as/error-500` };
    const google = (await openEndpoints({ env, userKey })).assert('google');
    for (const name of ['alice', 'dave', 'erin'])
      expect(await google.models(name)).toEqual(['gemini-pro', 'gemini-pro-vision']);
    expect(await google.models('bob')).toEqual(GOOGLE_MODELS);
    expect(await google.models('carol')).toEqual(GOOGLE_MODELS);
  });

  it('is fetched from Ollama, by its name or its custom address', async () => {
    expect(await modelsOf('ollama', custom('ollama', '{ default: [a], fetch: true }'))).toContain('llama3:latest');
    expect(await modelsOf('Ollama home', custom('Ollama home', '{ default: [a], fetch: true }'))).toContain(
      'llama3:latest',
    );
    const lists = provider.requests.filter(({ path }) => path !== '/api/show' && path !== '/api/ps');
    expect(lists.map(({ path }) => path)).toEqual(['/api/tags', '/api/tags']);
  });

  it('is read from a bare array for Together', async () => {
    const setup = custom('together.ai', '{ default: [a], fetch: true }', `${provider.url}/together/v1`);
    expect(await modelsOf('together.ai', setup)).toContain('meta-llama/Llama-3-70b-chat-hf');
  });

  it("has OpenAI's chat models, reasoning models included", () => {
    const { read } = onlyChat(openAIModels('https://models.example/v1', 'k'));
    const data = ['gpt-3.5-turbo-instruct', 'o3-mini', 'text-embedding-3', 'gpt-5', 'dall-e-3'].map((id) => ({ id }));
    expect(read({ data }).map(({ id }) => id)).toEqual(['o3-mini', 'gpt-5', 'gpt-3.5-turbo-instruct']);
  });

  it("has no models for images, speech or embeddings, which can't chat, from OpenAI or a compatible provider", () => {
    const others = ['dall-e-3', 'gpt-image-1', 'whisper-1', 'tts-1-hd', 'text-embedding-3-small', 'sora-2'];
    const speech = ['gpt-4o-mini-tts', 'gpt-4o-transcribe', 'gpt-4o-realtime-preview', 'gpt-audio'];
    const chat = ['gpt-5', 'openai/gpt-5-image', 'gpt-4o-search-preview', 'chatgpt-4o-latest', 'llama3'];
    const data = [...others, ...speech, 'openai/dall-e-2', ...chat].map((id) => ({ id }));
    const compatible = openAIModels('https://models.example/v1', 'k');
    expect(compatible.read({ data }).map(({ id }) => id)).toEqual(chat);
    expect(
      onlyChat(compatible)
        .read({ data })
        .map(({ id }) => id),
    ).toEqual(chat.slice(0, -1));
  });

  it("is the configured one when a provider can't list models", async () => {
    expect(await modelsOf('cohere', custom('cohere', '{ default: [command-r], fetch: true }'))).toEqual(['command-r']);
    expect(provider.requests).toEqual([]);
  });

  it.each([
    ['openAI', [...OPENAI_MODELS, 'gpt-image-1', 'gpt-image-1-mini', 'dall-e-3'], { OPENAI_API_KEY: 'user_provided' }],
    ['anthropic', ANTHROPIC_MODELS, { ANTHROPIC_API_KEY: 'user_provided' }],
    ['google', GOOGLE_MODELS, { GOOGLE_KEY: 'user_provided' }],
    ['azureOpenAI', OPENAI_MODELS, { AZURE_API_KEY: 'user_provided' }],
  ])('of %s is the built-in one when only users have keys', async (endpoint, models, env) => {
    expect(await modelsOf(endpoint, { env: env as Record<string, string> })).toEqual(models);
  });

  it('is the built-in one for a service account, since Vertex lists none', async () => {
    const env = { GOOGLE_SERVICE_KEY_FILE: writeServiceKey(`${provider.url}/token`) };
    expect(await modelsOf('google', { env })).toEqual(GOOGLE_MODELS);
  });

  it('is the built-in one when the provider fails, which is logged once for a while', async () => {
    const notices: string[] = [];
    const env = { ANTHROPIC_API_KEY: 'k', ANTHROPIC_REVERSE_PROXY: `${provider.url}/as/error-500` };
    const endpoint = (await openEndpoints({ env, notices })).assert('anthropic');
    expect(await endpoint.models('alice')).toEqual(ANTHROPIC_MODELS);
    expect(await endpoint.models('bob')).toEqual(ANTHROPIC_MODELS);
    expect(notices).toEqual([
      'The models of anthropic could not be fetched, so its known ones are offered: status 500',
    ]);
    expect(provider.requests).toHaveLength(1);
  });

  it('is fetched once for all users, or for each user when configured so', async () => {
    const shared = (await openEndpoints(custom('Groq', '{ default: [a], fetch: true }'))).assert('Groq');
    await Promise.all([shared.models('alice'), shared.models('bob'), shared.models('alice')]);
    expect(provider.requests.map(({ query }) => query)).toEqual(['']);
    provider.clear();
    const setup = custom('Groq', '{ default: [a], fetch: true, userIdQuery: true }');
    const own = (await openEndpoints(setup)).assert('Groq');
    await Promise.all([own.models('alice'), own.models('bob'), own.models('alice')]);
    expect(provider.requests.map(({ query }) => query).toSorted()).toEqual(['?user=alice', '?user=bob']);
  });
});

describe('a known provider', () => {
  it.each([
    ['Mine', 'https://api.mistral.ai/v1', 'mistral'],
    ['Mine', 'https://openrouter.ai/api/v1', 'openrouter'],
    ['Mistral', 'https://gateway.example/v1', 'mistral'],
    ['together.ai', null, 'together.ai'],
    ['Ollama at home', null, 'ollama'],
    ['OllamaTwo', null, 'ollama'],
    ['Mistral', 'https://api.groq.com/openai/v1', 'groq'],
    ['Mine', 'https://notmistral.ai/v1', undefined],
    ['Mistralesque', null, undefined],
  ])('is recognised by its address, else by its name: %s at %s', (name, url, known) => {
    expect(knownProviderOf(name, url)?.name).toBe(known);
  });
});
