// Addresses that users bring: reached with their own key, never with one of the server's.
import { textSteps, scriptedStream } from '@parley/scripts/fake-provider/scenario';
import { startFakeProvider, type FakeProvider } from '@parley/scripts/fake-provider';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { describeProvider } from '../../contracts/provider.ts';
import { hear, openEndpoints } from '../../support/endpoints.ts';

let provider: FakeProvider;

beforeAll(async () => {
  provider = await startFakeProvider();
  provider.script('greet', { about: 'a word', script: () => scriptedStream(textSteps('Hello')) });
});
afterAll(() => provider.close());
beforeEach(() => provider.clear());

/** The same endpoint by three ways of telling it; its key is the server's, its address is not. */
const kinds = {
  openAI: {
    env: { OPENAI_API_KEY: 'sk-server', OPENAI_REVERSE_PROXY: 'user_provided', OPENAI_ORGANIZATION: 'org-ours' },
  },
  Mine: { yaml: customYaml('Mine') },
  cohere: { yaml: customYaml('cohere') },
};

function customYaml(name: string): string {
  return `
endpoints:
  custom:
    - name: ${name}
      apiKey: sk-server
      baseURL: user_provided
      headers: { x-portal-key: sk-server }
      models: { default: [one] }
`;
}

const exempt = () => new URL(provider.url).host;

async function ask(endpoint: keyof typeof kinds, saved: unknown, allowed = exempt()) {
  const setup = kinds[endpoint];
  const env = { EGRESS_ALLOWED_HOSTS: allowed, ...('env' in setup ? setup.env : {}) };
  const userKey = async () => JSON.stringify(saved);
  const endpoints = await openEndpoints({ ...setup, env, userKey });
  return hear(endpoints, { endpoint, model: 'fake:greet', messages: [{ role: 'user', content: 'Hi [[greet]]' }] });
}

describe.each(['openAI', 'Mine', 'cohere'] as const)('%s at an address of the user', (endpoint) => {
  it.each(['/v1', '/v1/', '/v1/chat/completions'])('is called there with the key of the user: %s', async (path) => {
    const heard = await ask(endpoint, { apiKey: 'sk-hers', baseURL: provider.url + path });
    expect(heard).toMatchObject({ text: 'Hello', reason: null });
    const [asked] = provider.requests;
    expect(asked?.headers.authorization).toBe('Bearer sk-hers');
    expect(JSON.stringify(provider.requests)).not.toMatch(/sk-server|org-ours/);
  });

  it('is not called without a key of the user', async () => {
    const { reason } = await ask(endpoint, { apiKey: '', baseURL: `${provider.url}/v1` });
    expect(reason).toEqual({ type: 'invalid_user_key', endpoint });
    expect(provider.requests).toEqual([]);
  });

  it('is not called without an address', async () => {
    for (const saved of [{ apiKey: 'sk-hers', baseURL: ' ' }, { apiKey: 'sk-hers' }])
      expect((await ask(endpoint, saved)).reason).toEqual({ type: 'no_base_url', endpoint });
    expect(provider.requests).toEqual([]);
  });

  it('is not called at a private address', async () => {
    const { reason } = await ask(endpoint, { apiKey: 'sk-hers', baseURL: `${provider.url}/v1` }, 'other.example');
    expect(reason).toEqual({ type: 'forbidden_base_url', host: exempt() });
    const named = await ask(endpoint, { apiKey: 'sk-hers', baseURL: 'https://localhost/v1' });
    expect(named.reason).toEqual({ type: 'forbidden_base_url', host: 'localhost' });
    expect(provider.requests).toEqual([]);
  });

  it('passes on the error of the provider', async () => {
    const saved = { apiKey: 'sk-hers', baseURL: `${provider.url}/as/error-401/v1` };
    expect((await ask(endpoint, saved)).reason).toMatchObject({ type: 'invalid_api_key', endpoint });
    const busy = { apiKey: 'sk-hers', baseURL: `${provider.url}/as/error-429/v1` };
    expect((await ask(endpoint, busy)).reason).toMatchObject({ type: 'provider_rate_limited', retryAfterSeconds: 7 });
  });
});

// The guard has a client of its own: what goes by it is to go as everything else does.
describeProvider('OpenAI through the guard', {
  endpoint: 'openAI',
  setup: (url) => ({
    env: {
      OPENAI_API_KEY: 'user_provided',
      OPENAI_REVERSE_PROXY: 'user_provided',
      EGRESS_ALLOWED_HOSTS: new URL(url).host,
    },
    userKey: async () => JSON.stringify({ apiKey: 'sk-hers', baseURL: `${url}/v1` }),
  }),
  lacks: ['tool-errors'],
});
