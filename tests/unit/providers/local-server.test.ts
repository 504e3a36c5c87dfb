import { isLocalServer } from '@parley/server/providers/custom/local-server';
import { describe, expect, it } from 'vitest';
import { openEndpoints } from '../../support/endpoints.ts';

describe('a server of the operator’s own', () => {
  it.each([
    ['Ollama', 'http://localhost:11434/v1'],
    ['Mine', 'http://127.0.0.1:1234/v1'],
    ['Mine', 'http://127.8.9.10/v1'],
    ['Mine', 'http://[::1]:8080/v1'],
    ['Mine', 'http://[fd12:3456::7]:8000/v1'],
    ['Mine', 'http://[::ffff:192.168.1.2]/v1'],
    ['Mine', 'http://0.0.0.0:8000/v1'],
    ['Mine', 'http://10.0.0.7/v1'],
    ['Mine', 'http://172.20.0.3:8000/v1'],
    ['Mine', 'https://192.168.178.20/v1'],
    ['Mine', 'http://100.101.102.103:11434/v1'],
    ['Mine', 'http://vllm:8000/v1'],
    ['Mine', 'http://host.docker.internal:1234/v1'],
    ['Mine', 'http://gpu.local:1234/v1'],
    ['Mine', 'http://gpu.home.arpa./v1'],
    ['Mine', 'http://models.localhost/v1'],
    ['Ollama at home', 'https://models.example.com/v1'],
    ['LM Studio', 'https://models.example.com/v1'],
    ['lmstudio', 'https://models.example.com/v1'],
    ['vLLM (Berlin)', 'https://models.example.com/v1'],
    ['llama.cpp', 'https://models.example.com/v1'],
    ['llama-cpp-server', 'https://models.example.com/v1'],
  ])('is %s at %s', (name, url) => {
    expect(isLocalServer(name, url)).toBe(true);
  });

  it.each([
    ['Mine', 'https://models.example.com/v1'],
    ['Mine', 'https://8.8.8.8/v1'],
    ['Mine', 'https://172.32.0.1/v1'],
    ['Mine', 'https://[2001:4860:4860::8888]/v1'],
    ['Mine', 'https://localhost.example.com/v1'],
    ['Ollama', 'https://ollama.com/v1'],
    ['Ollama Cloud', 'https://api.ollama.com/v1'],
    ['Ollamatic', 'https://models.example.com/v1'],
    ['OpenRouter', 'http://127.0.0.1:4000/v1'],
    ['Mistral', 'http://gateway:4000/v1'],
    ['DeepSeek', 'http://gateway:4000/v1'],
    ['Local', 'https://api.mistral.ai/v1'],
  ])('is not %s at %s', (name, url) => {
    expect(isLocalServer(name, url)).toBe(false);
  });
});

describe('a model without a price', () => {
  const yaml = (baseURL: string, apiKey = 'k') =>
    `endpoints: { custom: [{ name: Mine, apiKey: ${apiKey}, baseURL: '${baseURL}', models: { default: [a] } }] }`;
  const ratesOf = async (setup: Parameters<typeof openEndpoints>[0], endpoint = 'Mine') =>
    (await openEndpoints(setup)).assert(endpoint).ratesOf('a');

  it('is free on a local server, also where its users bring keys', async () => {
    const free = { prompt: 0, completion: 0, cachedRead: 0, cachedWrite: 0 };
    expect(await ratesOf({ yaml: yaml('http://127.0.0.1:1234/v1') })).toEqual(free);
    expect(await ratesOf({ yaml: yaml('http://127.0.0.1:1234/v1', 'user_provided') })).toEqual(free);
  });

  it('has a price elsewhere, at an address that a user names, and behind a proxy of a hosted provider', async () => {
    expect(await ratesOf({ yaml: yaml('https://models.example.com/v1') })).toBeUndefined();
    expect(await ratesOf({ yaml: yaml('user_provided', 'user_provided') })).toBeUndefined();
    const env = { OPENAI_API_KEY: 'k', OPENAI_REVERSE_PROXY: 'http://127.0.0.1:4000/v1' };
    expect(await ratesOf({ env }, 'openAI')).toBeUndefined();
  });
});
