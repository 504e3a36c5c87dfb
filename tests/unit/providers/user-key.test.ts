// The keys that users bring, as the keys room hands them over.
import type { ProviderTarget } from '@parley/server/providers/provider';
import { describe, expect, it } from 'vitest';
import { openEndpoints } from '../../support/endpoints.ts';
import { serviceKeyFile } from '../../support/service-key.ts';

const env = {
  OPENAI_API_KEY: 'user_provided',
  AZURE_API_KEY: 'user_provided',
  GOOGLE_KEY: 'user_provided',
  ANTHROPIC_API_KEY: 'user_provided',
};
const yaml = `endpoints: { custom: [{ name: Mine, apiKey: user_provided, baseURL: https://a.example, models: { default: [a] } }] }`;

async function upstreamOf(endpoint: string, saved: unknown): Promise<ProviderTarget> {
  const value = typeof saved === 'string' ? saved : JSON.stringify(saved);
  const endpoints = await openEndpoints({ env, yaml, userKey: async () => value });
  return endpoints.assert(endpoint).target('alice', 'gemini-pro');
}

const azure = {
  azureOpenAIApiKey: 'az-1',
  azureOpenAIApiInstanceName: 'hers',
  azureOpenAIApiDeploymentName: 'gpt-4',
  azureOpenAIApiVersion: '2024-02-01',
};

describe('a key saved by a user', () => {
  it('is converted for its endpoint', async () => {
    expect(await upstreamOf('openAI', { apiKey: 'sk-1' })).toMatchObject({ apiKey: 'sk-1' });
    expect(await upstreamOf('Mine', { apiKey: 'sk-2' })).toMatchObject({ apiKey: 'sk-2' });
    expect(await upstreamOf('anthropic', 'ant-1')).toMatchObject({ apiKey: 'ant-1' });
    expect(await upstreamOf('google', { GOOGLE_API_KEY: 'goo-1' })).toMatchObject({ apiKey: 'goo-1' });
    expect(await upstreamOf('azureOpenAI', { apiKey: JSON.stringify(azure) })).toMatchObject({
      baseURL: 'https://hers.openai.azure.com/openai/deployments/gpt-4',
      query: { 'api-version': '2024-02-01' },
      headers: { 'api-key': 'az-1' },
    });
  });

  it('may be a service account for Google, as text or as an object', async () => {
    const file = serviceKeyFile('https://oauth2.googleapis.com/token');
    for (const GOOGLE_SERVICE_KEY of [file, JSON.stringify(file)]) {
      const { serviceKey } = await upstreamOf('google', { GOOGLE_SERVICE_KEY, GOOGLE_API_KEY: null });
      expect(serviceKey).toMatchObject({ projectId: 'parley-test' });
    }
  });

  it.each([
    ['openAI', 'sk-1'],
    ['openAI', { apiKey: '' }],
    ['google', {}],
    ['google', { GOOGLE_SERVICE_KEY: { project_id: 'x' } }],
    ['google', { GOOGLE_SERVICE_KEY: 'no JSON' }],
    ['azureOpenAI', { apiKey: 'az-1' }],
    ['azureOpenAI', { apiKey: JSON.stringify({ ...azure, azureOpenAIApiInstanceName: 'evil.example/' }) }],
    ['azureOpenAI', { apiKey: JSON.stringify({ ...azure, azureOpenAIApiDeploymentName: '../..' }) }],
    ['azureOpenAI', { apiKey: JSON.stringify({ ...azure, azureOpenAIApiDeploymentName: '..' }) }],
    ['azureOpenAI', { apiKey: JSON.stringify({ ...azure, azureOpenAIApiDeploymentName: '.' }) }],
    ['azureOpenAI', { apiKey: JSON.stringify({ ...azure, azureOpenAIApiDeploymentName: 'a\\b' }) }],
    ['azureOpenAI', { apiKey: JSON.stringify({ ...azure, azureOpenAIApiDeploymentName: '%2e%2e' }) }],
    ['azureOpenAI', { apiKey: JSON.stringify({ ...azure, azureOpenAIApiVersion: '1&x=1' }) }],
  ])('of %s is refused when invalid: %j', async (endpoint, saved) => {
    await expect(upstreamOf(endpoint, saved)).rejects.toMatchObject({ reason: { type: 'invalid_user_key', endpoint } });
  });

  it.each(['openAI', 'azureOpenAI', 'google', 'anthropic', 'Mine'])('is required by %s', async (name) => {
    const endpoint = (await openEndpoints({ env, yaml })).assert(name);
    await expect(endpoint.target('alice', 'gemini-pro')).rejects.toMatchObject({
      reason: { type: 'no_user_key', endpoint: name },
    });
  });
});
