// Providers that administrators add: they act at once and everywhere, under what the environment and the yaml file say,
// and their keys never come out.
import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { PassThrough } from 'node:stream';
import { text as textOf } from 'node:stream/consumers';
import { join } from 'node:path';
import { auditEvents, providerSettings } from '@parley/db/tables/administration';
import type { SaveProvider, TryProvider } from '@parley/schema/catalog/saved-providers';
import { messageText } from '@parley/schema/messages/messages';
import { startFakeProvider, type FakeProvider } from '@parley/scripts/fake-provider';
import { loadConfig } from '@parley/server/load-config';
import { createDemoStream } from '@parley/server/providers/demo/stream';
import { createCaller } from '@parley/server/router';
import { createServices } from '@parley/server/services';
import { chooseModel } from '@parley/server/v1/models';
import { desc, eq } from 'drizzle-orm';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { exchange, isAskedAbout, question, readAll, untilText } from '../../support/exchange.ts';
import { createFolder } from '../../support/folders.ts';
import { openTestServices, type Person, type TestServices } from '../../support/services.ts';
import { follow } from '../convos/follow.ts';

const KEY = 'sk-right-0123456789';

let fake: FakeProvider;
let services: TestServices;
let admin: Person;
let user: Person;

beforeAll(async () => {
  fake = await startFakeProvider();
  const env = {
    OPENAI_API_KEY: '',
    OLLAMA_URL: 'off',
    EGRESS_ALLOWED_HOSTS: new URL(fake.url).host,
    ANTHROPIC_REVERSE_PROXY: fake.url,
    GOOGLE_REVERSE_PROXY: fake.url,
    GOOGLE_KEY: 'of-the-operator',
    OPENAI_REVERSE_PROXY: `${fake.url}/v1`,
  };
  services = await openTestServices(env);
  admin = await services.as('alice', 'ADMIN');
  user = await services.as('bob');
});
afterEach(async () => {
  await services.deps.db.query.delete(providerSettings);
  await services.deps.endpoints.reload();
  fake.clear();
});
afterAll(async () => {
  await services.close();
  await fake.close();
});

const mine = (over: Partial<SaveProvider> = {}): SaveProvider => ({ ...unsaved(), version: null, ...over });
const save = (over: Partial<SaveProvider> = {}) => admin.api.admin.providers.save(mine(over));
const unsaved = (over: Partial<TryProvider> = {}): TryProvider => ({
  name: 'Ours',
  type: 'custom',
  baseURL: `${fake.url}/v1`,
  apiKey: KEY,
  ...over,
});
const attempt = (over: Partial<TryProvider> = {}, model?: string) =>
  admin.api.admin.providers.try({ ...unsaved(over), ...(model !== undefined && { model }) });
const rows = () => admin.api.admin.providers.list();
const rowOf = async (name: string) => (await rows()).find((row) => row.name === name);
const refused = (reason: object) => ({ cause: { reason } });
const conflict = refused({ type: 'conflict' });

describe('a provider that an administrator adds', () => {
  it('is offered to everybody at once, with the models of its list, and answers', async () => {
    expect(Object.keys(await user.api.endpoints.list())).not.toContain('Ours');
    await save();
    const listed = await user.api.endpoints.list();
    expect(listed.Ours).toEqual({ type: 'custom', userProvide: false, userProvideURL: false, order: 1000 });
    expect((await user.api.endpoints.models()).Ours).toContain('gpt-4');
    const { reply } = await exchange(services, user.id, question('Hello there', { endpoint: 'Ours' }));
    expect(messageText(reply)).toBe('Hello there');
    const [call] = fake.requests.filter(isAskedAbout('Hello there'));
    expect(call?.headers.authorization).toBe(`Bearer ${KEY}`);
  });

  it('of a built-in kind works like one set by variables, also for plugins that use its key', async () => {
    await save({ name: 'openAI', type: 'openAI', baseURL: undefined });
    const { openAI, gptPlugins, google } = await user.api.endpoints.list();
    expect(openAI).toEqual({ userProvide: false, userProvideURL: false, order: 1000 });
    expect(gptPlugins).toMatchObject({ azure: false, order: 5000 });
    expect(google?.order).toBeLessThan(1000);
    await save({ name: 'anthropic', type: 'anthropic', baseURL: undefined, models: ['claude-2'], fetchModels: false });
    expect((await user.api.endpoints.models()).anthropic).toEqual(['claude-2']);
    expect(await admin.api.endpoints.readiness()).toContainEqual({ endpoint: 'anthropic', state: 'ready', why: null });
  });

  it('is listed with who changed it and when, and its key is only said to be there', async () => {
    await save({ models: ['gpt-4'] });
    const row = await rowOf('Ours');
    expect(row).toMatchObject({
      type: 'custom',
      source: 'saved',
      state: 'on',
      hasKey: true,
      models: { first: 'gpt-3.5-turbo' },
      saved: { version: 1, isOn: true, baseURL: `${fake.url}/v1`, models: ['gpt-4'], changedBy: 'alice' },
    });
    expect(row?.models.count).toBeGreaterThan(3);
    expect(JSON.stringify([await rows(), await user.api.endpoints.list()])).not.toContain(KEY);
  });

  it('is in the log of changes, without its key', async () => {
    await save();
    await admin.api.admin.providers.setOn({ name: 'Ours', version: 1, isOn: false });
    await admin.api.admin.providers.remove({ name: 'Ours', version: 2 });
    const events = await services.deps.db.query.select().from(auditEvents).orderBy(desc(auditEvents.id)).limit(3);
    expect(events).toMatchObject([
      { event: 'provider.removed', actorId: admin.id, details: { name: 'Ours' } },
      { event: 'provider.switched', details: { name: 'Ours', isOn: false } },
      {
        event: 'provider.saved',
        details: { name: 'Ours', type: 'custom', isNew: true, key: 'set', address: `${fake.url}/v1` },
      },
    ]);
    expect(JSON.stringify(events)).not.toContain(KEY);
  });

  it('has its key encrypted and bound to its name', async () => {
    await save();
    const [row] = await services.deps.db.query.select().from(providerSettings);
    expect(JSON.stringify(row)).not.toContain(KEY);
    const values = { ...row, name: 'Theirs', type: 'custom' };
    await services.deps.db.query.insert(providerSettings).values(values);
    await services.deps.endpoints.reload();
    expect(Object.keys(await user.api.endpoints.list())).not.toContain('Theirs');
    expect(await rowOf('Theirs')).toMatchObject({ state: 'unused', unused: 'key' });
  });

  it('needs an address, a name of its own, a key where its kind has keys, and a model', async () => {
    const invalid = refused({ type: 'invalid_input' });
    await expect(save({ baseURL: undefined })).rejects.toMatchObject(invalid);
    await expect(save({ name: ' ' })).rejects.toThrow('The provider needs a name.');
    await expect(save({ name: 'openai' })).rejects.toMatchObject(invalid);
    await expect(save({ apiKey: 'two words' })).rejects.toThrow('A key is one word');
    await expect(save({ fetchModels: false })).rejects.toMatchObject(invalid);
    const mistral = { name: 'Mistral', baseURL: 'https://api.mistral.ai/v1', apiKey: undefined };
    await expect(save(mistral)).rejects.toMatchObject(invalid);
    await expect(save({ type: 'azureOpenAI', name: 'azureOpenAI' })).rejects.toMatchObject(invalid);
    expect(await services.deps.db.query.$count(providerSettings)).toBe(0);
  });

  it('may not be at an address of this network that the operator has not named', async () => {
    const forbidden = refused({ type: 'forbidden_base_url' });
    for (const baseURL of ['http://127.0.0.1:1/v1', 'http://169.254.169.254/latest', 'https://[::1]/v1', 'ftp://x.y']) {
      await expect(save({ baseURL })).rejects.toMatchObject(forbidden);
      await expect(attempt({ baseURL })).rejects.toMatchObject(forbidden);
    }
  });

  it('can be Azure, whose address is made of its parts', async () => {
    const azure = { instanceName: 'our-azure', deploymentName: 'main', version: '2024-10-21' };
    await save({ name: 'azureOpenAI', type: 'azureOpenAI', baseURL: undefined, azure, models: ['gpt-4o'] });
    expect((await user.api.endpoints.models()).azureOpenAI).toEqual(['gpt-4o']);
    const target = await services.deps.endpoints.assert('azureOpenAI').target(user.id, 'gpt-4o');
    expect(target.baseURL).toBe('https://our-azure.openai.azure.com/openai/deployments/main');
  });
});

describe('a change of it', () => {
  it('keeps the key, and the models that were fetched', async () => {
    await save();
    await user.api.endpoints.models();
    const lists = () => fake.requests.filter(({ path }) => path === '/v1/models').length;
    await save({ name: 'Second' });
    const before = lists();
    await admin.api.admin.providers.save(mine({ apiKey: undefined, version: 1, models: ['one'], fetchModels: false }));
    expect((await user.api.endpoints.models()).Ours).toEqual(['one']);
    await user.api.endpoints.models();
    expect(lists() - before).toBe(1);
    await exchange(services, user.id, question('Still?', { endpoint: 'Ours', model: 'one' }));
    expect(fake.requests.find(isAskedAbout('Still?'))?.headers.authorization).toBe(`Bearer ${KEY}`);
  });

  it('does not send the key to another address', async () => {
    await save();
    const elsewhere = mine({ baseURL: `${fake.url}/other/v1`, apiKey: undefined, version: 1 });
    await expect(admin.api.admin.providers.save(elsewhere)).rejects.toMatchObject(refused({ type: 'invalid_input' }));
    await expect(attempt({ baseURL: elsewhere.baseURL, apiKey: undefined })).rejects.toMatchObject(
      refused({ type: 'invalid_input' }),
    );
    expect(fake.requests.filter(({ path }) => path.startsWith('/other'))).toEqual([]);
  });

  it('is refused in words when another administrator has changed it, and changes nothing', async () => {
    await save();
    await expect(save()).rejects.toMatchObject(conflict);
    const carol = await services.as('carol', 'ADMIN');
    await carol.api.admin.providers.setOn({ name: 'Ours', version: 1, isOn: false });
    await expect(save({ version: 1 })).rejects.toMatchObject(conflict);
    await expect(admin.api.admin.providers.setOn({ name: 'Ours', version: 1, isOn: true })).rejects.toMatchObject(
      conflict,
    );
    await expect(admin.api.admin.providers.remove({ name: 'Ours', version: 1 })).rejects.toMatchObject(conflict);
    expect(await rowOf('Ours')).toMatchObject({ state: 'off', saved: { version: 2, changedBy: 'carol' } });
    await carol.api.admin.providers.remove({ name: 'Ours', version: 2 });
    await expect(save({ version: 2 })).rejects.toMatchObject(conflict);
    const both = await Promise.allSettled([save({ apiKey: 'first' }), save({ apiKey: 'second' })]);
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  });

  it('of the order orders the menu, and names all of them', async () => {
    await save({ name: 'A' });
    await save({ name: 'B' });
    await admin.api.admin.providers.order({ names: ['B', 'A'] });
    const { A, B } = await user.api.endpoints.list();
    expect([B?.order, A?.order]).toEqual([1000, 1001]);
    await expect(admin.api.admin.providers.order({ names: ['B'] })).rejects.toMatchObject(conflict);
  });

  it('lets an answer that runs go on', async () => {
    await save();
    const input = question('A long one', { endpoint: 'Ours', model: 'fake:never-ending' });
    await user.api.messages.ask(input);
    await untilText(services, user.id, input.generationId);
    await admin.api.admin.providers.remove({ name: 'Ours', version: 1 });
    await expect(user.api.messages.ask(question('Another', { endpoint: 'Ours' }))).rejects.toMatchObject(
      refused({ type: 'not_found', what: 'endpoint' }),
    );
    expect(fake.openStreams()).toBe(1);
    await user.api.messages.abort({ generationId: input.generationId });
    const last = (await readAll(services, user.id, input.generationId)).at(-1)?.event;
    expect(last).toMatchObject({ type: 'final', reply: { reason: null } });
  });

  const holder = (userId: string) => ({
    userId,
    keyId: randomUUID(),
    scopes: ['chat'] as const,
    endpoints: null,
    monthlyCredits: null,
    expiresAt: null,
  });

  it('is seen by another process, and told to open pages of both', async () => {
    const { config, secrets, db, log } = services.deps;
    const neighbour = await createServices({ config, secrets, db, log, demo: null });
    const followers = await Promise.all([services, neighbour].map((process) => follow(process, user.id)));
    await save();
    await expect.poll(() => neighbour.deps.endpoints.list().map(({ name }) => name)).toContain('Ours');
    expect(await chooseModel(neighbour.deps, holder(user.id), 'Ours/gpt-3.5-turbo')).toMatchObject({
      endpoint: { name: 'Ours' },
    });
    await admin.api.admin.providers.setOn({ name: 'Ours', version: 1, isOn: false });
    await expect.poll(() => neighbour.deps.endpoints.list().map(({ name }) => name)).not.toContain('Ours');
    // Keys of programs name none that is off, by its name or by its place.
    for (const { deps } of [services, neighbour])
      for (const model of ['Ours/gpt-3.5-turbo', 'Ours#0/gpt-3.5-turbo', '0'])
        await expect(chooseModel(deps, holder(user.id), model), model).rejects.toThrow(model);
    for (const { until } of followers) await until(({ type }) => type === 'endpoints');
    await neighbour.close();
  });
});

it('the demo is there while nothing else is offered, and comes back', async () => {
  const folder = createFolder();
  const config = await loadConfig({ env: { DATA_DIR: folder, OLLAMA_URL: 'off' }, cwd: folder });
  const { secrets, db, log } = services.deps;
  const fresh = await createServices({ config, secrets, db, log, demo: async () => ({ stream: createDemoStream() }) });
  const names = () => fresh.deps.endpoints.list().map(({ name }) => name);
  expect(names()).toEqual(['Demo']);
  await save({ name: 'anthropic', type: 'anthropic', baseURL: undefined });
  await expect.poll(names).toEqual(['anthropic', 'assistants']);
  await admin.api.admin.providers.setOn({ name: 'anthropic', version: 1, isOn: false });
  await expect.poll(names).toEqual(['Demo']);
  await fresh.close();
});

describe('what the operator sets', () => {
  it('wins: it is shown, and cannot be added', async () => {
    expect(await rowOf('google')).toMatchObject({ source: 'environment', saved: null, hasKey: true });
    const mineToo = { name: 'google', type: 'google' as const, baseURL: undefined };
    await expect(save(mineToo)).rejects.toMatchObject(refused({ type: 'invalid_input' }));
  });

  it('wins over what was saved before, and its address is never mixed with a saved key', async () => {
    await save();
    await save({ name: 'openAI', type: 'openAI', baseURL: undefined });
    const folder = createFolder();
    const own = `{ name: ours, apiKey: k, baseURL: ${fake.url}/v1, models: { default: [theirs] } }`;
    writeFileSync(join(folder, 'parley.yaml'), `version: 1.0.7\nendpoints: { custom: [${own}] }`);
    const env = { OPENAI_API_KEY: 'theirs', OLLAMA_URL: 'off', EGRESS_ALLOWED_HOSTS: new URL(fake.url).host };
    const config = await loadConfig({ env: { ...env, DATA_DIR: folder }, cwd: folder });
    const { secrets, db, log } = services.deps;
    const other = await createServices({ config, secrets, db, log, demo: null });
    const { endpoints } = other.deps;
    expect((await endpoints.assert('openAI').target(user.id, 'gpt-4')).apiKey).toBe('theirs');
    expect(await endpoints.assert('ours').models(user.id)).toEqual(['theirs']);
    expect(() => endpoints.assert('Ours')).toThrow();
    await other.close();
  });
});

describe('a try', () => {
  it('fetches the list and has a model answer, and saves nothing', async () => {
    const tried = await attempt();
    expect(tried).toMatchObject({ ok: true, answer: { model: 'gpt-3.5-turbo' } });
    expect(tried.models).toContain('gpt-4');
    expect(await attempt({}, 'fake:echo')).toMatchObject({ answer: { text: 'Say hello in one short sentence.' } });
    expect(await services.deps.db.query.$count(providerSettings)).toBe(0);
  });

  it.each([
    ['custom', 'Ours', 'Incorrect API key provided: …'],
    ['anthropic', 'anthropic', 'invalid x-api-key'],
  ] as const)('with a wrong key says what %s says, without the key', async (type, name, words) => {
    const baseURL = type === 'custom' ? `${fake.url}/v1` : undefined;
    const tried = await attempt({ type, name, baseURL, apiKey: 'sk-wrong-1' });
    expect(tried).toMatchObject({ ok: false, step: 'models', reason: { type: 'invalid_api_key' } });
    expect(!tried.ok && tried.words).toContain(words);
    expect(JSON.stringify(tried)).not.toContain('sk-wrong-1');
  });

  it('tells a wrong key also where no list is fetched', async () => {
    const tried = await attempt({ apiKey: 'sk-wrong-1', fetchModels: false, models: ['gpt-4'] });
    expect(tried).toMatchObject({ ok: false, step: 'answer', reason: { type: 'invalid_api_key' } });
    expect(JSON.stringify(tried)).not.toContain('sk-wrong-1');
  });

  it.each([
    ['html', { step: 'models', reason: { type: 'provider_malformed' } }],
    ['500', { step: 'models', reason: { type: 'provider_unavailable', status: 500 } }],
  ])('of a provider that is %s ends with a reason', async (scenario, expected) => {
    fake.script('html', {
      about: '',
      script: () => ({ kind: 'page', status: 200, contentType: 'text/html', body: '<p>' }),
    });
    const refusal = { kind: 'refusal', status: 500, type: 'x', code: null, message: 'Oh', headers: {} } as const;
    fake.script('500', { about: '', script: () => refusal });
    expect(await attempt({ baseURL: `${fake.url}/as/${scenario}/v1` })).toMatchObject({ ok: false, ...expected });
  });

  it('ends in time when a provider or a model says nothing', async () => {
    const { config, secrets, db, log } = services.deps;
    const timings = { tryAnswerMs: 300, modelListTimeoutMs: 300 };
    const impatient = await createServices({ config, secrets, db, log, demo: null, timings });
    const signedIn = { userId: admin.id, sid: 'impatient' };
    const api = createCaller({ deps: impatient.deps, http: null, socket: null, token: null, signedIn });
    const values = unsaved({ baseURL: `${fake.url}/as/silent/v1` });
    const silent = await api.admin.providers.try(values);
    expect(silent).toMatchObject({ ok: false, step: 'models', reason: { type: 'provider_unavailable' } });
    const named = await api.admin.providers.try({ ...values, fetchModels: false, models: ['gpt-4'] });
    expect(named).toMatchObject({ ok: false, step: 'answer', reason: { type: 'provider_stalled' } });
    await impatient.close();
    await expect.poll(() => fake.openStreams()).toBe(0);
  });
});

it('no key is ever in the log', async () => {
  const stream = new PassThrough();
  const { config, secrets, db } = services.deps;
  const loud = await createServices({ config, secrets, db, log: pino({ level: 'trace' }, stream), demo: null });
  await save();
  await expect.poll(() => loud.deps.endpoints.list().map(({ name }) => name)).toContain('Ours');
  await loud.deps.endpoints.assert('Ours').models(user.id);
  await save({ version: 1, apiKey: 'sk-wrong-2' });
  await attempt({ apiKey: undefined });
  await expect
    .poll(async () => (await loud.deps.endpoints.assert('Ours').target(user.id, 'x')).apiKey)
    .toBe('sk-wrong-2');
  await loud.deps.endpoints.assert('Ours').models(user.id);
  await loud.close();
  stream.end();
  const logged = await textOf(stream);
  expect(logged).toContain('could not be fetched');
  expect(logged).not.toContain(KEY);
  expect(logged).not.toContain('sk-wrong-2');
  const events = await db.query
    .select()
    .from(auditEvents)
    .orderBy(desc(auditEvents.id))
    .where(eq(auditEvents.actorId, admin.id));
  expect(JSON.stringify(events)).not.toContain('sk-');
});
