// Every endpoint under the REST paths of existing clients.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startFakeProvider, type FakeProvider } from '@parley/scripts/fake-provider';
import { startTestServer, type TestServer } from '../../../support/server.ts';
import { finalOf, question, signUp, type Client } from '../../../support/rest/client.ts';

// A provider that nobody has written a line of code for.
const yaml = `
version: 1.0.7
endpoints:
  custom:
    - name: Brand new
      apiKey: fake
      baseURL: \${FAKE_PROVIDER}
      models: { default: [fake:echo], fetch: true }
`;

let upstream: FakeProvider;
let server: TestServer;
let alice: Client;

beforeAll(async () => {
  upstream = await startFakeProvider();
  const env = {
    ENDPOINTS: 'anthropic,google,custom,azureOpenAI,openAI',
    ANTHROPIC_API_KEY: 'k',
    ANTHROPIC_REVERSE_PROXY: upstream.url,
    GOOGLE_KEY: 'k',
    GOOGLE_REVERSE_PROXY: upstream.url,
    GOOGLE_MODELS: 'gemini-pro,fake:echo',
    AZURE_API_KEY: 'k',
    AZURE_OPENAI_API_VERSION: '2024-02-01',
    AZURE_OPENAI_BASEURL: `${upstream.url}/openai/deployments/\${DEPLOYMENT_NAME}`,
    AZURE_USE_MODEL_AS_DEPLOYMENT_NAME: 'true',
    AZURE_OPENAI_MODELS: 'fake:echo',
  };
  server = await startTestServer({ yaml, env });
  alice = await signUp(server.url, 'alice');
});
afterAll(async () => {
  await server.close();
  await upstream.close();
});

describe('the endpoints on offer', () => {
  it('are in the order of ENDPOINTS, each in the shape that clients know', async () => {
    const offered = (await alice.json('/api/endpoints')) as Record<string, unknown>;
    expect(offered).toEqual({
      anthropic: { userProvide: false, userProvideURL: false, order: 0 },
      google: { order: 1 },
      'Brand new': { type: 'custom', userProvide: false, userProvideURL: false, order: 2 },
      azureOpenAI: { userProvide: false, userProvideURL: false, order: 3 },
      openAI: { userProvide: false, userProvideURL: false, order: 4 },
    });
    expect(Object.keys(offered)).toEqual(['anthropic', 'google', 'Brand new', 'azureOpenAI', 'openAI']);
  });

  it('name the keys that users bring', async () => {
    const env = {
      OPENAI_API_KEY: 'user_provided',
      AZURE_API_KEY: 'user_provided',
      ANTHROPIC_API_KEY: 'user_provided',
      GOOGLE_KEY: 'user_provided',
    };
    const other = await startTestServer({ env });
    const bob = await signUp(other.url, 'bob');
    expect(await bob.json('/api/endpoints')).toEqual({
      openAI: { userProvide: true, userProvideURL: false, order: 0 },
      azureOpenAI: { userProvide: true, order: 2 },
      google: { userProvide: true, order: 3 },
      gptPlugins: expect.objectContaining({ userProvide: true, azure: false, order: 6 }),
      anthropic: { userProvide: true, order: 7 },
      // Answered by the others.
      assistants: expect.objectContaining({ userProvide: false, order: 10_000 }),
    });
    await other.close();
  });

  it('have their models', async () => {
    expect(await alice.json('/api/models')).toMatchObject({
      anthropic: expect.arrayContaining(['claude-3-haiku-20240307']),
      google: ['gemini-pro', 'fake:echo'],
      'Brand new': expect.arrayContaining(['gpt-4']),
      azureOpenAI: ['fake:echo'],
    });
  });
});

describe('a question', () => {
  it.each([
    ['anthropic', 'anthropic', {}],
    ['google', 'google', {}],
    ['azureOpenAI', 'azureOpenAI', {}],
    ['Brand new', 'custom', { endpointType: 'custom' }],
  ])('to %s is answered under its path', async (endpoint, path, more) => {
    const body = question('Hello there', { endpoint, model: 'fake:echo', ...more });
    const final = finalOf(await alice.ask(body, path));
    expect(final.responseMessage).toMatchObject({ text: 'Hello there', endpoint });
  });

  it('can be stopped under its path', async () => {
    const stop = await alice.post('/api/ask/anthropic/abort', { abortKey: 'nothing', endpoint: 'anthropic' });
    expect(stop.status).toBe(204);
  });

  it('may ask Google for more tokens than a model gives: it gets the maximum', async () => {
    const body = question('Hello there', { endpoint: 'google', model: 'gemini-pro', maxOutputTokens: 100_000 });
    const final = finalOf(await alice.ask(body, 'google'));
    expect(final.responseMessage.error ?? false).toBe(false);
    const asked = upstream.requests.findLast(
      ({ path, scenario }) => path.includes('gemini-pro:') && scenario !== 'title',
    );
    expect(asked?.body).toMatchObject({ generationConfig: { maxOutputTokens: 8192 } });
  });
});
