// The models that a user's own key opens, at the operator's address or at one of the user's.
import { startFakeProvider, type FakeProvider } from '@parley/scripts/fake-provider';
import { findModelMetadata } from '@parley/server/catalog/model-list';
import type { UserKey } from '@parley/server/providers/user-key';
import { refuse } from '@parley/server/platform/errors';
import { assertModel } from '@parley/server/chat/checks/assert-model';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openEndpoints } from '../../support/endpoints.ts';

const GIVEN = ['given'];

let provider: FakeProvider;
/** What users have saved, by their names. */
const saved = new Map<string, object>();
const notices: string[] = [];

beforeAll(async () => {
  provider = await startFakeProvider();
});
beforeEach(() => {
  provider.clear();
  saved.clear();
  notices.length = 0;
});
afterAll(() => provider.close());

const userKey: UserKey = async (userId, endpoint) =>
  saved.has(userId) ? JSON.stringify(saved.get(userId)) : refuse({ type: 'no_user_key', endpoint });

async function open({
  name = 'Mine',
  apiKey = 'user_provided',
  baseURL = `${provider.url}/api/v1`,
  more = '',
  timings = {},
} = {}) {
  const models = `{ default: [${GIVEN.join()}], fetch: true${more} }`;
  const yaml = `endpoints: { custom: [{ name: ${name}, apiKey: ${apiKey}, baseURL: ${baseURL}, models: ${models} }] }`;
  const env = { EGRESS_ALLOWED_HOSTS: new URL(provider.url).host };
  return (await openEndpoints({ yaml, env, userKey, notices, timings })).assert(name);
}

const keysAskedWith = () => provider.requests.map(({ headers }) => headers.authorization);

describe('the models of an endpoint with user keys', () => {
  it('are the configured ones for a user without a key, without a call', async () => {
    expect(await (await open()).models('alice')).toEqual(GIVEN);
    expect(provider.requests).toEqual([]);
    expect(notices).toEqual([]);
  });

  it('are fetched with the key of the user, once for a while, with their metadata', async () => {
    saved.set('alice', { apiKey: 'sk-alice' });
    const endpoint = await open();
    expect(await endpoint.models('alice')).toContain('openai/gpt-4-turbo');
    await Promise.all([endpoint.models('alice'), endpoint.models('alice')]);
    expect(await findModelMetadata(endpoint, 'alice', 'openai/gpt-4-turbo')).toEqual({
      window: 128_000,
      rates: { prompt: 10, completion: 30 },
    });
    expect(keysAskedWith()).toEqual(['Bearer sk-alice']);
  });

  it('are shown to no other user', async () => {
    saved.set('alice', { apiKey: 'sk-alice' });
    const endpoint = await open();
    expect(await endpoint.models('alice')).not.toEqual(GIVEN);
    expect(await endpoint.models('bob')).toEqual(GIVEN);
    expect([...(await endpoint.fetched('bob'))]).toEqual([]);
    saved.set('bob', { apiKey: 'sk-bob' });
    await endpoint.models('bob');
    expect(await endpoint.accepts('someone', 'given')).toBe(true);
    expect(keysAskedWith()).toEqual(['Bearer sk-alice', 'Bearer sk-bob']);
  });

  it('are fetched again with another key, and are the configured ones when it is not accepted', async () => {
    const endpoint = await open({ baseURL: 'user_provided' });
    saved.set('alice', { apiKey: 'sk-1', baseURL: `${provider.url}/api/v1` });
    expect(await endpoint.models('alice')).not.toEqual(GIVEN);
    saved.set('alice', { apiKey: 'sk-2', baseURL: `${provider.url}/as/error-401/v1` });
    expect(await endpoint.models('alice')).toEqual(GIVEN);
    saved.delete('alice');
    expect(await endpoint.models('alice')).toEqual(GIVEN);
    expect(keysAskedWith()).toEqual(['Bearer sk-1', 'Bearer sk-2']);
  });

  it('are the configured ones when fetching fails, which is logged once for a while', async () => {
    saved.set('alice', { apiKey: 'sk-alice' });
    const endpoint = await open({ baseURL: `${provider.url}/as/error-500/v1` });
    expect(await endpoint.models('alice')).toEqual(GIVEN);
    expect(await endpoint.models('alice')).toEqual(GIVEN);
    expect(notices).toEqual(['The models of Mine could not be fetched, so its known ones are offered: status 500']);
    expect(provider.requests).toHaveLength(1);
  });

  it('are fetched with the name of the user when configured so', async () => {
    saved.set('alice', { apiKey: 'sk-alice' });
    await (await open({ more: ', userIdQuery: true' })).models('alice');
    expect(provider.requests.map(({ query }) => query)).toEqual(['?user=alice']);
  });
});

describe('the models of a built-in endpoint with user keys', () => {
  const rows: [endpoint: string, env: Record<string, string>, value: string, model: string][] = [
    [
      'openAI',
      { OPENAI_API_KEY: 'user_provided', OPENAI_REVERSE_PROXY: 'HERE/api/v1' },
      '{"apiKey":"sk-1"}',
      'openai/gpt-4-turbo',
    ],
    [
      'openAI',
      { OPENAI_API_KEY: 'user_provided', OPENAI_REVERSE_PROXY: 'user_provided' },
      '{"apiKey":"sk-1","baseURL":"HERE/api/v1"}',
      'openai/gpt-4-turbo',
    ],
    [
      'anthropic',
      { ANTHROPIC_API_KEY: 'user_provided', ANTHROPIC_REVERSE_PROXY: 'HERE' },
      'sk-1',
      'claude-3-opus-20240229',
    ],
    [
      'google',
      { GOOGLE_KEY: 'user_provided', GOOGLE_REVERSE_PROXY: 'HERE' },
      '{"GOOGLE_API_KEY":"sk-1"}',
      'gemini-1.5-pro-latest',
    ],
  ];

  it.each(rows)(
    '%s are those of the key; without a key or with a configured list there is no call',
    async (name, settings, value, model) => {
      const at = (text: string) => text.replace('HERE', provider.url);
      const env: Record<string, string> = { EGRESS_ALLOWED_HOSTS: new URL(provider.url).host };
      for (const [variable, text] of Object.entries(settings)) env[variable] = at(text);
      const own: UserKey = async (userId, endpoint) =>
        userId === 'alice' ? at(value) : refuse({ type: 'no_user_key', endpoint });
      const endpoint = (await openEndpoints({ env, userKey: own, notices })).assert(name);
      const known = await endpoint.models('bob');
      expect(provider.requests).toEqual([]);
      const opened = await endpoint.models('alice');
      expect(opened).toContain(model);
      expect(opened).not.toEqual(known);
      const older = known.find((one) => !opened.includes(one) && !one.includes('bison')) ?? '';
      expect(await assertModel(endpoint, 'alice', older)).toBe(older);
      await expect(assertModel(endpoint, 'alice', 'neither')).rejects.toMatchObject({
        reason: { type: 'illegal_model_request' },
      });
      const asked = provider.requests.map(
        ({ headers }) => headers.authorization ?? headers['x-api-key'] ?? headers['x-goog-api-key'],
      );
      expect(asked.map((key) => String(key).replace('Bearer ', ''))).toEqual(['sk-1']);
      expect(await endpoint.models('bob')).toEqual(known);

      const variable = { openAI: 'OPENAI_MODELS', anthropic: 'ANTHROPIC_MODELS', google: 'GOOGLE_MODELS' }[name] ?? '';
      const named = (await openEndpoints({ env: { ...env, [variable]: 'one' }, userKey: own })).assert(name);
      expect(await named.models('alice')).toEqual(['one']);
      expect(notices).toEqual([]);
    },
  );
});

describe('the models at an address of the user', () => {
  it('are fetched with the key of the user, never the key of the server, and their prices are ignored', async () => {
    saved.set('alice', { apiKey: 'sk-alice', baseURL: `${provider.url}/api/v1` });
    const endpoint = await open({ apiKey: 'sk-server', baseURL: 'user_provided' });
    expect(await endpoint.models('alice')).toContain('openai/gpt-4-turbo');
    expect(await findModelMetadata(endpoint, 'alice', 'openai/gpt-4-turbo')).toEqual({ window: 128_000 });
    expect(keysAskedWith()).toEqual(['Bearer sk-alice']);
  });

  it.each(['https://10.0.0.1/v1', 'http://models.example/v1', 'https://localhost/v1', 'no address'])(
    'are not fetched from a forbidden address: %s',
    async (baseURL) => {
      saved.set('alice', { apiKey: 'sk-alice', baseURL });
      expect(await (await open({ baseURL: 'user_provided' })).models('alice')).toEqual(GIVEN);
      expect(provider.requests).toEqual([]);
    },
  );

  it('of Ollama are described through the same egress guard', async () => {
    saved.set('alice', { apiKey: 'ollama', baseURL: `${provider.url}/v1` });
    const endpoint = await open({ name: 'Ollama', baseURL: 'user_provided' });
    expect(await findModelMetadata(endpoint, 'alice', 'llama3:latest')).toEqual({ window: 4096 });
  });

  it.each([
    ['html-200', {}],
    ['silent', { modelListTimeoutMs: 100 }],
    ['cut:0', {}],
  ])('are the configured ones when it answers with %s', async (scenario, timings) => {
    saved.set('alice', { apiKey: 'sk-alice', baseURL: `${provider.url}/as/${scenario}/v1` });
    expect(await (await open({ baseURL: 'user_provided', timings })).models('alice')).toEqual(GIVEN);
    expect(notices).toHaveLength(1);
  });
});
