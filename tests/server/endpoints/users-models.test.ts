// The models that a user's own key opens, at the operator's address or at one of the user's.
import { startFakeProvider, type FakeProvider } from '@parley/scripts/fake-provider';
import { factsOf } from '@parley/server/endpoints/models';
import type { UserKey } from '@parley/server/endpoints/user-key';
import { refuse } from '@parley/server/errors';
import { assertModel } from '@parley/server/messages/exchanges';
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

async function open({ name = 'Mine', apiKey = 'user_provided', baseURL = `${provider.url}/api/v1`, more = '' } = {}) {
  const models = `{ default: [${GIVEN.join()}], fetch: true${more} }`;
  const yaml = `endpoints: { custom: [{ name: ${name}, apiKey: ${apiKey}, baseURL: ${baseURL}, models: ${models} }] }`;
  const env = { EGRESS_ALLOWED_HOSTS: new URL(provider.url).host };
  return (await openEndpoints({ yaml, env, userKey, notices })).assert(name);
}

const keysAskedWith = () => provider.requests.map(({ headers }) => headers.authorization);

describe('the models of an endpoint that wants users’ keys', () => {
  it('are the given ones for who has none, and nobody is asked', async () => {
    expect(await (await open()).models('alice')).toEqual(GIVEN);
    expect(provider.requests).toEqual([]);
    expect(notices).toEqual([]);
  });

  it('are fetched with a user’s key, once for a while, and with what is told of them', async () => {
    saved.set('alice', { apiKey: 'sk-alice' });
    const endpoint = await open();
    expect(await endpoint.models('alice')).toContain('openai/gpt-4-turbo');
    await Promise.all([endpoint.models('alice'), endpoint.models('alice')]);
    expect(await factsOf(endpoint, 'alice', 'openai/gpt-4-turbo')).toEqual({
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
    expect(await factsOf(endpoint, 'bob', 'openai/gpt-4-turbo')).toEqual({});
    saved.set('bob', { apiKey: 'sk-bob' });
    await endpoint.models('bob');
    expect(endpoint.takes('given')).toBe(true);
    expect(keysAskedWith()).toEqual(['Bearer sk-alice', 'Bearer sk-bob']);
  });

  it('are asked for anew with another key, and are the given ones when that opens nothing', async () => {
    const endpoint = await open({ baseURL: 'user_provided' });
    saved.set('alice', { apiKey: 'sk-1', baseURL: `${provider.url}/api/v1` });
    expect(await endpoint.models('alice')).not.toEqual(GIVEN);
    saved.set('alice', { apiKey: 'sk-2', baseURL: `${provider.url}/as/error-401/v1` });
    expect(await endpoint.models('alice')).toEqual(GIVEN);
    saved.delete('alice');
    expect(await endpoint.models('alice')).toEqual(GIVEN);
    expect(keysAskedWith()).toEqual(['Bearer sk-1', 'Bearer sk-2']);
  });

  it('fall back to the given ones when they cannot be fetched, which is said once for a while', async () => {
    saved.set('alice', { apiKey: 'sk-alice' });
    const endpoint = await open({ baseURL: `${provider.url}/as/error-500/v1` });
    expect(await endpoint.models('alice')).toEqual(GIVEN);
    expect(await endpoint.models('alice')).toEqual(GIVEN);
    expect(notices).toEqual(['The models of Mine could not be fetched, so its known ones are offered: status 500']);
    expect(provider.requests).toHaveLength(1);
  });

  it('name the user where the configuration wants that', async () => {
    saved.set('alice', { apiKey: 'sk-alice' });
    await (await open({ more: ', userIdQuery: true' })).models('alice');
    expect(provider.requests.map(({ query }) => query)).toEqual(['?user=alice']);
  });
});

describe('the models of a built-in endpoint that wants users’ keys', () => {
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
    '%s are those that the key opens; without one, or by the operator’s list, nobody is asked',
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

describe('the models at an address of a user’s', () => {
  it('are fetched there with the user’s key, never the server’s, and their prices are not believed', async () => {
    saved.set('alice', { apiKey: 'sk-alice', baseURL: `${provider.url}/api/v1` });
    const endpoint = await open({ apiKey: 'sk-server', baseURL: 'user_provided' });
    expect(await endpoint.models('alice')).toContain('openai/gpt-4-turbo');
    expect(await factsOf(endpoint, 'alice', 'openai/gpt-4-turbo')).toEqual({ window: 128_000 });
    expect(keysAskedWith()).toEqual(['Bearer sk-alice']);
  });

  it.each(['https://10.0.0.1/v1', 'http://models.example/v1', 'https://localhost/v1', 'no address'])(
    'are not asked for where nothing may be called: %s',
    async (baseURL) => {
      saved.set('alice', { apiKey: 'sk-alice', baseURL });
      expect(await (await open({ baseURL: 'user_provided' })).models('alice')).toEqual(GIVEN);
      expect(provider.requests).toEqual([]);
    },
  );

  it('of Ollama are asked about through the same guard', async () => {
    saved.set('alice', { apiKey: 'ollama', baseURL: `${provider.url}/v1` });
    const endpoint = await open({ name: 'Ollama', baseURL: 'user_provided' });
    expect(await factsOf(endpoint, 'alice', 'llama3:latest')).toEqual({ window: 4096 });
  });

  it.each(['html-200', 'silent', 'cut:0'])('that answers with %s are the given ones', async (scenario) => {
    saved.set('alice', { apiKey: 'sk-alice', baseURL: `${provider.url}/as/${scenario}/v1` });
    expect(await (await open({ baseURL: 'user_provided' })).models('alice')).toEqual(GIVEN);
    expect(notices).toHaveLength(1);
  });
});
