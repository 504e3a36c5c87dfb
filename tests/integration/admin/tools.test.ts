// What administrators set of tools: keys, switches and tool servers, which act at once and everywhere, under what the
// environment and the yaml file say. Keys and headers never come out.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { auditEvents, toolSettings } from '@parley/db/tables/administration';
import { mcpTools, toolGrants } from '@parley/db/tables/tools';
import { isLoopCall, messageText } from '@parley/schema/messages/messages';
import { startFakeMcpServer, type FakeMcpServer } from '@parley/scripts/fake-tools/mcp-server';
import { startPluginUpstreams, type PluginUpstreams } from '@parley/scripts/fake-tools/plugin-upstreams';
import { listTools } from '@parley/server/admin/tools/list-tools';
import { loadConfig } from '@parley/server/load-config';
import { createCaller } from '@parley/server/router';
import { createServices } from '@parley/server/services';
import { desc } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { exchange, question, readAll } from '../../support/exchange.ts';
import { createFolder } from '../../support/folders.ts';
import { openTestServices, type Person, type TestServices } from '../../support/services.ts';
import { callTool, choosing } from '../../support/tools/tool-run.ts';
import { follow } from '../convos/follow.ts';

const TAVILY = 'tavily_search_results_json';
const KEY = 'key-that-nobody-reads';

let upstreams: PluginUpstreams;
let server: FakeMcpServer;
let services: TestServices;
let admin: Person;
let user: Person;

beforeAll(async () => {
  upstreams = await startPluginUpstreams();
  server = await startFakeMcpServer({ auth: { type: 'header', name: 'X-Key', value: KEY } });
  const { url } = upstreams;
  const file = join(createFolder(), 'parley.yaml');
  const ofYaml = { theirs: { url: server.url, headers: { 'X-Key': KEY } } };
  writeFileSync(file, JSON.stringify({ version: '1.0.7', mcpServers: ofYaml, filteredTools: ['web_page'] }));
  services = await openTestServices({
    CONFIG_PATH: file,
    OPENAI_MODELS: 'gpt-4',
    WOLFRAM_APP_ID: 'of-the-operator',
    TAVILY_BASE_URL: url,
    WOLFRAM_BASE_URL: url,
    BRAVE_BASE_URL: url,
    EGRESS_ALLOWED_HOSTS: `${new URL(url).host},${server.host}`,
  });
  admin = await services.as('alice', 'ADMIN');
  user = await services.as('bob');
});
afterEach(async () => {
  await services.deps.db.query.delete(toolSettings);
  await services.deps.toolSettings.reload();
  upstreams.requests.length = 0;
});
afterAll(async () => {
  await services.close();
  await server.close();
  await upstreams.close();
});

const tools = () => admin.api.admin.tools;
const rowOf = async (name: string) => (await tools().list()).find((row) => row.name === name);
const save = (name: string, values: Record<string, string>, version: number | null = null) =>
  tools().saveValues({ name, values, version });
const switchOff = (name: string, version: number | null = null) => tools().setOn({ name, version, isOn: false });
const saveTavily = (version: number | null = null, key = KEY) => save(TAVILY, { TAVILY_API_KEY: key }, version);
const refused = (reason: object) => ({ cause: { reason } });
const conflict = refused({ type: 'conflict' });
const invalid = refused({ type: 'invalid_input' });
const keysOf = async (person: Person) => (await person.api.tools.list()).map(({ key }) => key);

let asked = 0;

/** The model calls the tool once, then answers. */
function asking(tool: string, args: object, chosen = [tool]) {
  asked += 1;
  const words = `Please, number ${asked} [[call-tool:${tool} ${JSON.stringify(args)}]]`;
  return question(words, { model: 'gpt-4', settings: { tools: chosen } });
}

async function answer(tool: string, args: object, chosen?: string[]) {
  const { reply } = await exchange(services, user.id, asking(tool, args, chosen));
  return { calls: reply.parts.filter(isLoopCall).map(({ call }) => call), said: JSON.stringify(reply.parts) };
}

describe('a key that an administrator saves', () => {
  it('serves its plugin and the search of the web at once, and is only said to be there', async () => {
    expect(await rowOf(TAVILY)).toMatchObject({ state: 'users_keys', source: null, canTry: true, saved: null });
    expect(await rowOf('web_search')).toMatchObject({ state: 'needs_service', at: null });
    expect((await user.api.endpoints.startup()).webSearchEnabled).toBeUndefined();
    await saveTavily();
    expect((await user.api.endpoints.startup()).webSearchEnabled).toBe(true);
    expect((await user.api.plugins.list()).find(({ key }) => key === TAVILY)?.isAuthenticated).toBe(true);
    expect(await rowOf('web_search')).toMatchObject({ state: 'on', at: 'Tavily' });
    expect(await rowOf(TAVILY)).toMatchObject({
      state: 'on',
      source: 'saved',
      fields: [{ field: 'TAVILY_API_KEY', isAddress: false }],
      saved: { version: 1, hasValues: true, isUnreadable: false, changedBy: 'alice' },
    });
    expect((await answer('web_search', { query: 'tower' })).calls).toMatchObject([{ state: 'done' }]);
    expect(upstreams.requests.at(-1)?.headers.authorization).toBe(`Bearer ${KEY}`);
    const [row] = await services.deps.db.query.select().from(toolSettings);
    const events = await services.deps.db.query.select().from(auditEvents);
    expect(JSON.stringify([row, events, await tools().list()])).not.toContain(KEY);
    expect(events.at(-1)).toMatchObject({ event: 'tool.key_saved', actorId: admin.id });
  });

  it('is bound to its tool, and needs every field and one word', async () => {
    await saveTavily();
    const [row] = await services.deps.db.query.select().from(toolSettings);
    await services.deps.db.query.insert(toolSettings).values({ ...row, name: 'brave' });
    await services.deps.toolSettings.reload();
    expect(await rowOf('brave')).toMatchObject({ state: 'needs_key', saved: { isUnreadable: true } });
    await expect(save('google', { GOOGLE_CSE_ID: 'one' })).rejects.toMatchObject(invalid);
    await expect(save('serpapi', { OTHER: 'one' })).rejects.toMatchObject(invalid);
    await expect(save('serpapi', { SERPAPI_API_KEY: 'two words' })).rejects.toThrow('is one word');
    await expect(save('calculator', {})).rejects.toMatchObject(invalid);
    await expect(tools().remove({ name: 'calculator', version: 1 })).rejects.toMatchObject(conflict);
    await expect(save('wolfram', { WOLFRAM_APP_ID: 'mine' })).rejects.toMatchObject(invalid);
    expect(await rowOf('wolfram')).toMatchObject({ state: 'on', source: 'environment', fields: [] });
  });

  it('goes to no other address than the one that it was saved for, and to none in this network', async () => {
    const values = {
      AZURE_AI_SEARCH_SERVICE_ENDPOINT: upstreams.url,
      AZURE_AI_SEARCH_INDEX_NAME: 'papers',
      AZURE_AI_SEARCH_API_KEY: KEY,
    };
    await save('azure-ai-search', values);
    const elsewhere = { AZURE_AI_SEARCH_SERVICE_ENDPOINT: `${upstreams.url}/other` };
    await expect(save('azure-ai-search', elsewhere, 1)).rejects.toMatchObject(invalid);
    await expect(tools().tryValues({ name: 'azure-ai-search', values: elsewhere })).rejects.toMatchObject(invalid);
    await expect(save('searxng', { SEARXNG_URL: 'http://169.254.169.254' })).rejects.toMatchObject(
      refused({ type: 'forbidden_base_url' }),
    );
    expect(await tools().tryValues({ name: 'azure-ai-search', values: {} })).toEqual({ ok: true, tools: [] });
    expect(upstreams.requests.map(({ path }) => path)).toEqual(['/indexes/papers/docs/search']);
  });

  it('can be tried before, with the words of the service and without the key', async () => {
    const attempt = (key: string) => tools().tryValues({ name: TAVILY, values: { TAVILY_API_KEY: key } });
    expect(await attempt(KEY)).toEqual({ ok: true, tools: [] });
    const tried = await attempt('fake:refuse-me');
    expect(tried).toMatchObject({ ok: false, reason: { type: 'invalid_api_key', endpoint: 'Tavily Search' } });
    expect(!tried.ok && tried.words).toBe('The key … is not valid');
    expect(await tools().tryValues({ name: 'brave', values: { BRAVE_API_KEY: KEY } })).toMatchObject({ ok: true });
    expect(upstreams.requests.at(-1)?.headers['x-subscription-token']).toBe(KEY);
    expect(await tools().tryValues({ name: 'wolfram', values: {} })).toEqual({ ok: true, tools: [] });
    expect(upstreams.requests.at(-1)?.query.appid).toBe('of-the-operator');
    expect(await services.deps.db.query.$count(toolSettings)).toBe(0);
  });

  it('is given up when its service says nothing', async () => {
    const { toolSettings: live, secrets, db, log } = services.deps;
    const impatient = await createServices({
      config: live.operators,
      secrets,
      db,
      log,
      demo: null,
      timings: { tryAnswerMs: 300 },
    });
    const signedIn = { userId: admin.id, sid: 'impatient' };
    const api = createCaller({ deps: impatient.deps, http: null, socket: null, token: null, signedIn });
    expect(await api.admin.tools.tryValues({ name: TAVILY, values: { TAVILY_API_KEY: 'fake:hang' } })).toMatchObject({
      ok: false,
      reason: { type: 'provider_stalled' },
    });
    await impatient.close();
  });

  it('is refused when another administrator has changed its service, and changes nothing', async () => {
    await saveTavily();
    await expect(saveTavily()).rejects.toMatchObject(conflict);
    const carol = await services.as('carol', 'ADMIN');
    await carol.api.admin.tools.setOn({ name: TAVILY, version: 1, isOn: false });
    await expect(saveTavily(1, 'other')).rejects.toMatchObject(conflict);
    await expect(tools().remove({ name: TAVILY, version: 1 })).rejects.toMatchObject(conflict);
    expect(await rowOf(TAVILY)).toMatchObject({ state: 'off', saved: { version: 2, changedBy: 'carol' } });
    const both = await Promise.allSettled([switchOff('calculator'), switchOff('calculator')]);
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  });

  it('is gone when it is removed, and tools that were off stay off', async () => {
    await saveTavily();
    await tools().remove({ name: TAVILY, version: 1 });
    expect(await rowOf(TAVILY)).toMatchObject({ state: 'users_keys', source: null, saved: null });
    await saveTavily();
    await switchOff(TAVILY, 1);
    expect((await user.api.endpoints.startup()).webSearchEnabled).toBeUndefined();
    await tools().remove({ name: TAVILY, version: 2 });
    expect(await rowOf(TAVILY)).toMatchObject({ state: 'off', saved: { version: 3, hasValues: false } });
  });
});

describe('what is switched off', () => {
  it('is in no list, and an answer is given without it and says so', async () => {
    const { tools: begun } = await services.deps.tools.for(choosing(user.id, ['calculator']));
    await switchOff('calculator');
    expect(await rowOf('calculator')).toMatchObject({ state: 'off', saved: { version: 1, hasValues: false } });
    expect(await keysOf(user)).not.toContain('calculator');
    expect((await user.api.plugins.list()).map(({ key }) => key)).not.toContain('calculator');
    expect((await user.api.assistants.tools()).map(({ key }) => key)).not.toContain('calculator');
    const { calls, said } = await answer('calculator', { input: '6*7' });
    expect(said).toContain('Calculator is switched off on this server.');
    expect(calls.map(({ state }) => state)).not.toContain('done');
    // An answer that runs keeps what it began with.
    const tool = begun.get('calculator');
    expect(tool && (await callTool(tool, { input: '6*7' }, choosing(user.id, [])))).toMatchObject({ type: 'done' });
    await switchOff('file_search');
    expect(services.deps.tools.isOff('file_search')).toBe(true);
    await tools().setOn({ name: 'calculator', version: 1, isOn: true });
    expect((await answer('calculator', { input: '6*7' })).calls).toMatchObject([{ state: 'done' }]);
  });

  it('can be all actions of assistants, which are then neither offered nor saved', async () => {
    expect(await rowOf('actions')).toMatchObject({ kind: 'builtin', state: 'on' });
    await switchOff('actions');
    expect(await rowOf('actions')).toMatchObject({ state: 'off' });
    const { assistantId } = await user.api.assistants.create({ model: 'gpt-4', endpoint: 'openAI' });
    const action = { assistantId, rawSpec: '{}', auth: { type: 'none' as const } };
    await expect(user.api.actions.save(action)).rejects.toMatchObject({
      cause: { reason: { text: 'Actions are switched off on this server' } },
    });
    await tools().setOn({ name: 'actions', version: 1, isOn: true });
    expect(await rowOf('actions')).toMatchObject({ state: 'on' });
    const config = await loadConfig({ env: { ACTIONS: 'off' }, cwd: createFolder() });
    const rows = await listTools({ ...services.deps, config });
    expect(rows.find(({ name }) => name === 'actions')).toMatchObject({ state: 'operator_off' });
  });

  it('cannot be what the yaml file takes out, or what is no tool', async () => {
    expect(await rowOf('web_page')).toMatchObject({ state: 'operator_off' });
    await tools().setOn({ name: 'web_page', version: null, isOn: true });
    expect(await keysOf(user)).not.toContain('web_page');
    await expect(switchOff('nothing')).rejects.toMatchObject(invalid);
  });

  it('may be all assistants, which keep what they are', async () => {
    const assistant = await user.api.assistants.create({ model: 'gpt-4', name: 'Ours', tools: ['calculator'] });
    const { assistantId: assistant_id } = assistant;
    const ask = () => user.api.messages.ask(question('Hello', { endpoint: 'assistants', settings: { assistant_id } }));
    await switchOff('code_interpreter');
    expect((await user.api.endpoints.list()).assistants?.capabilities).not.toContain('code_interpreter');
    await switchOff('assistants');
    expect(Object.keys(await user.api.endpoints.list())).not.toContain('assistants');
    expect(await admin.api.endpoints.readiness()).toContainEqual({
      endpoint: 'assistants',
      state: 'off',
      why: 'an administrator has switched it off',
    });
    await expect(ask()).rejects.toMatchObject(refused({ type: 'not_found', what: 'endpoint' }));
    await tools().setOn({ name: 'assistants', version: 1, isOn: true });
    expect(await user.api.assistants.get({ assistantId: assistant_id })).toMatchObject({ name: 'Ours' });
    const { generationId } = await ask();
    const last = (await readAll(services, user.id, generationId)).at(-1)?.event;
    expect(last?.type === 'final' && messageText(last.reply)).toContain('Hello');
  });

  it('is seen by another process, and told to open pages of both', async () => {
    const { secrets, db, log, toolSettings: live } = services.deps;
    const neighbour = await createServices({ config: live.operators, secrets, db, log, demo: null });
    const followers = await Promise.all([services, neighbour].map((process) => follow(process, user.id)));
    await switchOff('calculator');
    await expect.poll(() => neighbour.deps.tools.isOff('calculator')).toBe(true);
    for (const { until } of followers) await until(({ type }) => type === 'endpoints');
    await saveTavily();
    await expect.poll(() => neighbour.deps.config.plugins.fields['TAVILY_API_KEY']).toBe(KEY);
    await neighbour.close();
  });
});

describe('a tool server that an administrator adds', () => {
  const headers = [{ name: 'X-Key', value: KEY }];
  const ours = () => ({ name: 'ours', url: server.url, headers });

  it('is tried, offered to everybody, called with its headers, and never shows them', async () => {
    const tried = await tools().tryServer(ours());
    expect(tried.ok && tried.tools).toContain('echo');
    expect(await tools().tryServer({ ...ours(), headers: [] })).toMatchObject({
      ok: false,
      reason: { type: 'unauthorized' },
    });
    expect(await services.deps.db.query.$count(mcpTools)).toBe(0);
    await tools().saveServer({ ...ours(), version: null });
    expect(await keysOf(user)).toContain('mcp:ours');
    expect(await user.api.mcp.list()).toMatchObject([{ name: 'theirs' }, { name: 'ours', url: '', isShared: true }]);
    const offered = await services.deps.tools.for(choosing(user.id, ['mcp:ours']));
    expect([...offered.tools.keys()]).toContain('mcp_ours_echo');
    expect(await rowOf('mcp:ours')).toMatchObject({ state: 'on', source: 'saved', at: server.url });
    expect(await rowOf('mcp:theirs')).toMatchObject({ state: 'on', source: 'yaml', saved: null });
    expect(JSON.stringify([await tools().list(), await admin.api.mcp.list()])).not.toContain(KEY);
    await switchOff('mcp:ours', 1);
    expect(await keysOf(user)).not.toContain('mcp:ours');
    expect((await user.api.mcp.list()).map(({ name }) => name)).toEqual(['theirs']);
    expect((await answer('mcp_ours_echo', {}, ['mcp:ours'])).said).toContain('ours is switched off on this server.');
  });

  it('is called through the egress guard, and gives its headers to no other address', async () => {
    const inside = refused({ type: 'forbidden_base_url' });
    await expect(tools().tryServer({ ...ours(), url: 'http://127.0.0.1:9/mcp' })).rejects.toMatchObject(inside);
    await expect(tools().saveServer({ ...ours(), url: 'http://10.0.0.1/mcp', version: null })).rejects.toMatchObject(
      inside,
    );
    await expect(tools().saveServer({ ...ours(), name: 'Theirs', version: null })).rejects.toMatchObject(invalid);
    await tools().saveServer({ ...ours(), version: null });
    const moved = { name: 'ours', url: `${server.url}?other` };
    await expect(tools().tryServer(moved)).rejects.toMatchObject(invalid);
    await expect(tools().saveServer({ ...moved, version: 1 })).rejects.toMatchObject(invalid);
    expect(await tools().tryServer({ name: 'ours', url: server.url })).toMatchObject({ ok: true });
  });

  it('is forgotten with what people allowed it', async () => {
    const { query } = services.deps.db;
    await tools().saveServer({ ...ours(), version: null });
    await query.insert(toolGrants).values({ userId: user.id, tool: 'mcp:ours:echo', fingerprint: 'x' });
    await tools().remove({ name: 'mcp:ours', version: 1 });
    expect(await query.$count(toolGrants)).toBe(0);
    expect(await rowOf('mcp:ours')).toBeUndefined();
    expect(await keysOf(user)).not.toContain('mcp:ours');
    const [event] = await query.select().from(auditEvents).orderBy(desc(auditEvents.id)).limit(1);
    expect(event).toMatchObject({ event: 'tool.server_removed', details: { name: 'ours' } });
  });
});
