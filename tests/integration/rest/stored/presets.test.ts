import { presets } from '@parley/db/tables/presets';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { startTestServer, type TestServer } from '../../../support/server.ts';
import { Preset } from '../../../support/rest/client-rules.ts';
import { signUp, type Client } from '../../../support/rest/client.ts';

let server: TestServer;
let alice: Client;

beforeAll(async () => {
  const yaml = `version: 1.0.7
endpoints:
  custom:
    - name: Mistral
      apiKey: fake
      baseURL: \${FAKE_PROVIDER}
      models: { default: [mistral-tiny] }
`;
  server = await startTestServer({ yaml });
  alice = await signUp(server.url, 'alice');
});
afterEach(() => alice.post('/api/presets/delete', {}));
afterAll(() => server.close());

const whole = {
  presetId: null,
  title: 'Verse',
  endpoint: 'openAI',
  endpointType: null,
  model: 'gpt-4',
  chatGptLabel: null,
  promptPrefix: 'In verse.',
  temperature: 0.3,
  top_p: 1,
  presence_penalty: 0,
  stop: ['END'],
  // What the original client sends along.
  conversationId: 'new',
  messages: [],
  __v: 0,
};

describe('presets', () => {
  it('are an empty list for a new user', async () => {
    expect(await alice.json('/api/presets')).toEqual([]);
  });

  it('get an id from the server, and are returned as saved', async () => {
    const response = await alice.post('/api/presets', whole);
    expect(response.status).toBe(201);
    const saved: unknown = await response.json();
    expect(Preset.parse(saved)).toEqual({
      _id: expect.any(String),
      presetId: expect.any(String),
      user: alice.id,
      title: 'Verse',
      endpoint: 'openAI',
      model: 'gpt-4',
      promptPrefix: 'In verse.',
      temperature: 0.3,
      stop: ['END'],
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    });
    expect(await alice.json('/api/presets')).toEqual([saved]);
  });

  it('name the type of a custom endpoint', async () => {
    const saved = await save({ title: 'Small', endpoint: 'Mistral', model: 'mistral-tiny', temperature: 0.2 });
    expect(saved).toMatchObject({ endpoint: 'Mistral', endpointType: 'custom', temperature: 0.2 });
  });

  it('keep the reasoning settings that the model knows', async () => {
    const gpt = { title: 'Thinker', endpoint: 'openAI', model: 'gpt-5' };
    expect(await save({ ...gpt, reasoning_effort: 'minimal' })).toMatchObject({ reasoning_effort: 'minimal' });
    expect(await save({ ...gpt, reasoning_effort: 'max' })).not.toHaveProperty('reasoning_effort');
    const claude = { title: 'Thinker', endpoint: 'anthropic', model: 'claude-haiku-4-5' };
    expect(await save({ ...claude, thinkingBudget: 4096 })).toMatchObject({ thinkingBudget: 4096 });
    expect(await save({ ...claude, model: 'claude-2', thinkingBudget: 4096 })).not.toHaveProperty('thinkingBudget');
  });

  it.each(['gptPlugins', 'openAI', 'assistants'])(
    'have their tools whole, and take them back: %s',
    async (endpoint) => {
      const tools = [{ pluginKey: 'google', name: 'Google' }, 'mcp:weather'];
      const saved = await save({ title: 'Searcher', endpoint, model: 'gpt-4', promptPrefix: 'Search.', tools });
      expect(saved).toMatchObject({
        promptPrefix: 'Search.',
        tools: [
          { pluginKey: 'google', name: 'Google', authConfig: [{ authField: 'GOOGLE_CSE_ID' }, {}] },
          { pluginKey: 'mcp:weather', name: 'mcp:weather', description: '', authConfig: [] },
        ],
      });
      expect(await save(saved)).toMatchObject({ tools: saved.tools });
      expect(await list()).toMatchObject([{ tools: saved.tools }]);
    },
  );

  it('are listed by order, then newest first, with one default', async () => {
    await save({ title: 'Old', endpoint: 'openAI' });
    await save({ title: 'New', endpoint: 'openAI' });
    const first = await save({ title: 'First', endpoint: 'openAI', defaultPreset: true });
    expect(first).toMatchObject({ defaultPreset: true, order: 0 });
    const second = await save({ title: 'Second', endpoint: 'openAI', defaultPreset: true });
    expect((await list()).map(({ title, defaultPreset, order }) => [title, defaultPreset, order])).toEqual([
      ['Second', true, 0],
      ['First', undefined, undefined],
      ['New', undefined, undefined],
      ['Old', undefined, undefined],
    ]);
    const unset = await save({ ...second, defaultPreset: false });
    expect(unset).not.toHaveProperty('defaultPreset');
    expect(unset).not.toHaveProperty('order');
  });

  it('are changed under their id', async () => {
    const saved = await save(whole);
    const changed = await save({ ...saved, title: 'Prose', temperature: 1 });
    expect(changed).toMatchObject({ presetId: saved.presetId, title: 'Prose' });
    expect(changed).not.toHaveProperty('temperature');
    expect(await list()).toHaveLength(1);
  });

  it('get defaults for invalid settings, and no endpoint for an unknown one', async () => {
    const saved = await save({ ...whole, temperature: 'hot', stop: 5 });
    expect(saved).not.toHaveProperty('temperature');
    expect(saved).toMatchObject({ promptPrefix: 'In verse.' });
    expect(await save({ title: 'Lost', endpoint: 'Nowhere' })).toMatchObject({ endpoint: null });
  });

  it('may have ids that are no UUIDs: the same id is the same preset', async () => {
    const first = await save({ ...whole, presetId: 'my own name' });
    const second = await save({ ...whole, presetId: 'my own name', title: 'Renamed' });
    expect(second).toMatchObject({ presetId: first.presetId, title: 'Renamed' });
    expect(await remove({ presetId: 'my own name' })).toEqual({ acknowledged: true, deletedCount: 1 });
  });

  it('are deleted one by one, or all at once', async () => {
    const { presetId } = await save(whole);
    await save(whole);
    await save(whole);
    expect(await remove({ presetId })).toEqual({ acknowledged: true, deletedCount: 1 });
    expect(await remove({ presetId })).toEqual({ acknowledged: true, deletedCount: 0 });
    expect(await remove({ presetId: 'of-another-product' })).toEqual({ acknowledged: true, deletedCount: 0 });
    const wrapped = await save(whole);
    expect(await remove({ arg: { presetId: wrapped.presetId } })).toEqual({ acknowledged: true, deletedCount: 1 });
    expect(await remove({ ...(await save(whole)) })).toEqual({ acknowledged: true, deletedCount: 1 });
    const bare = await fetch(`${server.url}/api/presets/delete`, { method: 'POST', headers: alice.headers });
    expect(bare.status).toBe(201);
    expect(await bare.json()).toEqual({ acknowledged: true, deletedCount: 2 });
  });

  it.each([
    { presetId: '' },
    { presetId: null },
    { presetId: 5 },
    { arg: {} },
    { arg: { presetId: null } },
    { arg: null },
    { id: 'x' },
  ])('are not all deleted by %j', async (body) => {
    await save(whole);
    const response = await alice.post('/api/presets/delete', body);
    expect(response.status).toBe(422);
    expect(await response.json()).toEqual({ message: expect.stringContaining('presetId') });
    expect(await list()).toHaveLength(1);
  });

  it.each([{ presetId: 5 }, { title: 5 }, { title: 'x'.repeat(256) }, { endpoint: 5 }, { defaultPreset: 'yes' }])(
    'are refused with a sentence when %j',
    async (body) => {
      const response = await alice.post('/api/presets', body);
      expect(response.status).toBe(422);
      expect(await response.json()).toEqual({ message: expect.any(String) });
    },
  );

  it('are not found for other users', async () => {
    const { presetId } = await save(whole);
    const bob = await signUp(server.url, 'bob');
    expect(await bob.json('/api/presets')).toEqual([]);
    const removed = await bob.post('/api/presets/delete', { presetId });
    expect(await removed.json()).toEqual({ acknowledged: true, deletedCount: 0 });
    expect(await list()).toHaveLength(1);
  });

  it('fail in plain text on a server error', async () => {
    await server.db.sql`alter table presets rename to presets_away`;
    const response = await alice
      .get('/api/presets')
      .finally(() => server.db.sql`alter table presets_away rename to presets`);
    expect(response.status).toBe(500);
    const text = await response.text();
    expect(text).toContain('An error occurred');
    expect(text).not.toContain('presets');
    expect(await server.db.query.$count(presets)).toBe(0);
  });
});

async function save(body: object) {
  const response = await alice.post('/api/presets', body);
  expect(response.status).toBe(201);
  return Preset.parse(await response.json());
}

async function list() {
  return z.array(Preset).parse(await alice.json('/api/presets'));
}

async function remove(body: object): Promise<unknown> {
  const response = await alice.post('/api/presets/delete', body);
  expect(response.status).toBe(201);
  return response.json();
}
