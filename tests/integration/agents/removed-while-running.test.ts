// What an answer or its tool needs goes away while the tool runs: the answer ends cleanly or goes on, nothing comes back,
// and the operator's log has no error.
import { startFakeMcpServer, type FakeMcpServer } from '@parley/scripts/fake-tools/mcp-server';
import { convos } from '@parley/db/tables/convos';
import { deletions } from '@parley/db/tables/deletions';
import { generationEvents, generations } from '@parley/db/tables/generations';
import { messages } from '@parley/db/tables/messages';
import { connections, mcpTools, pluginKeys } from '@parley/db/tables/tools';
import { users } from '@parley/db/tables/users';
import type { ActionAuth } from '@parley/schema/assistants/assistants';
import type { AskInput } from '@parley/schema/chat/ask';
import { isLoopCall, type ToolCall } from '@parley/schema/messages/messages';
import { createViolations } from '@parley/server/abuse/violations';
import { sweepConnections } from '@parley/server/actions/rows';
import { createActionSource } from '@parley/server/actions/source';
import { sweepGenerations } from '@parley/server/chat/recovery';
import { createEncryption } from '@parley/server/keys/encryption';
import { createEgress } from '@parley/server/platform/egress';
import { exchangeFrames } from '@parley/server/rest/present/exchange-frames';
import { createCaller } from '@parley/server/router';
import { createServices, type Services } from '@parley/server/services';
import { grantTool } from '@parley/server/tools/grants';
import { sweepTrash } from '@parley/server/trash/sweep';
import { sweepAccounts } from '@parley/server/trash/sweep-accounts';
import { eq, sql } from 'drizzle-orm';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { question, readAll } from '../../support/exchange.ts';
import { openTestServices, type TestServices } from '../../support/services.ts';
import { startHeldService, type HeldService } from '../../support/tools/held-service.ts';
import { choosing, toolOf } from '../../support/tools/tool-run.ts';

let base: TestServices;
let services: Services;
let fake: FakeMcpServer;
let held: HeldService;
const lines: string[] = [];
const rejections: unknown[] = [];
const onRejection = (reason: unknown) => void rejections.push(reason);

beforeAll(async () => {
  process.on('unhandledRejection', onRejection);
  fake = await startFakeMcpServer();
  held = await startHeldService();
  base = await openTestServices({
    OPENAI_MODELS: 'gpt-4',
    ASSISTANTS_API_KEY: 'fake',
    ASSISTANTS_BASE_URL: '${FAKE_PROVIDER}/v1',
    ASSISTANTS_MODELS: 'gpt-4',
    MCP_USER_SERVERS: 'on',
    EGRESS_ALLOWED_HOSTS: `${fake.host},${held.host}`,
    WOLFRAM_BASE_URL: held.url,
  });
  const { config, secrets, db } = base.deps;
  const log = pino({ level: 'error' }, { write: (line: string) => void lines.push(line) });
  // Who waits for what no longer exists would wait for this long.
  const timings = { askTimeoutMs: 3_600_000 };
  services = await createServices({ config, secrets, db, log, demo: null, timings });
});
afterAll(async () => {
  await services.close();
  await base.close();
  await fake.close();
  await held.close();
  process.off('unhandledRejection', onRejection);
});

beforeEach(() => {
  lines.length = 0;
  rejections.length = 0;
  return () => {
    expect(lines).toEqual([]);
    expect(rejections).toEqual([]);
  };
});

let arrived = 0;

/** A new person, who talks to the services under test. */
async function arrive() {
  const values = { email: `person-${++arrived}@example.com`, name: 'Someone' };
  const [{ id } = { id: '' }] = await base.deps.db.query.insert(users).values(values).returning();
  const signedIn = { userId: id, sid: 'a sign-in' };
  return { id, api: createCaller({ deps: services.deps, http: null, socket: null, token: null, signedIn }) };
}

type Someone = Awaited<ReturnType<typeof arrive>>;

let asked = 0;

function asking(name: string, key: string, over: Partial<AskInput> = {}): AskInput {
  asked += 1;
  // What a plugin does not know is left out.
  const words = `Number ${asked} [[call-tool:${name} {"nl_query":"6*7"}]]`;
  return question(words, { model: 'gpt-4', settings: { tools: [key] }, ...over });
}

const saved = { key: 'wolfram', values: { WOLFRAM_APP_ID: 'mine' } };

/** A person whose answer waits for Wolfram. */
async function waitForWolfram(over?: Partial<AskInput>, someone?: Someone) {
  const person = someone ?? (await arrive());
  await person.api.plugins.install(saved);
  held.hold('/');
  const input = asking('wolfram', 'wolfram', over);
  const created = await person.api.messages.ask(input);
  await held.begun();
  return { ...person, input, created };
}

/** The calls of the answer, which has ended. */
async function endOf(
  { id }: Someone,
  { generationId }: AskInput,
): Promise<{ finish: string | null; calls: ToolCall[] }> {
  const last = (await readAll({ ...base, deps: services.deps }, id, generationId)).at(-1)?.event;
  if (last?.type !== 'final') throw new Error(`It ended with ${last?.type ?? 'nothing'}`);
  return { finish: last.reply.finishReason, calls: last.reply.parts.filter(isLoopCall).map(({ call }) => call) };
}

async function lastOf(frames: AsyncIterable<string>): Promise<string | undefined> {
  let last: string | undefined;
  for await (const frame of frames) last = frame;
  return last;
}

describe('a conversation', () => {
  it('streams to its end when it is deleted, and stays deleted', async () => {
    const { id, api, input } = await waitForWolfram();
    const told = readAll({ ...base, deps: services.deps }, id, input.generationId);
    await api.convos.remove({ conversationId: input.conversationId });
    expect((await told).at(-1)?.event).toMatchObject({ type: 'final', reply: { finishReason: 'incomplete' } });
    expect((await api.convos.list({ limit: 10, cursor: null })).convos).toEqual([]);
    await expect(api.messages.list({ conversationId: input.conversationId })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
  });

  it.each(['purged', 'swept with its account'])(
    'that is %s stays gone, and who reads it is told at once',
    async (how) => {
      const { id, api, input, created } = await waitForWolfram();
      const { db } = services.deps;
      const reported: unknown[] = [];
      const call = { userId: id, report: (error: unknown) => void reported.push(error) };
      const frames = lastOf(exchangeFrames(api, call, input, created));
      const told = readAll({ ...base, deps: services.deps }, id, input.generationId);
      const refused = expect(told).rejects.toMatchObject({ reason: { type: 'not_found' } });
      if (how === 'purged') {
        const long = { deletedAt: sql`now() - interval '1 year'` };
        await db.query.update(convos).set(long).where(eq(convos.userId, id));
        await sweepTrash(db);
      } else {
        const isDue = { deletionDueAt: sql`now() - interval '1 second'` };
        await db.query.update(users).set(isDue).where(eq(users.id, id));
        await sweepAccounts(services.deps);
      }
      held.release();
      await refused;
      expect(await frames).toMatch(/^event: error\ndata: .*"final":true/);
      expect(reported).toEqual([]);
      await sweepGenerations(db);
      const isThis = eq(generationEvents.generationId, input.generationId);
      expect(await db.query.select().from(generationEvents).where(isThis)).toEqual([]);
      expect(await db.query.select().from(messages).where(eq(messages.userId, id))).toEqual([]);
      const running = await db.query.select().from(generations).where(eq(generations.id, input.generationId));
      expect(running.filter(({ endedAt }) => endedAt === null)).toEqual([]);
    },
  );
});

it('the reply of a person who is banned meanwhile ends, saved as far as it came', async () => {
  const person = await waitForWolfram();
  const { db, log, auth, config } = services.deps;
  const bans = { ...config.bans, enabled: true, interval: 1 };
  await createViolations({ db, log, auth, bans }).count({ userId: person.id, ip: null }, 'concurrent');
  const [user] = await db.query.select().from(users).where(eq(users.id, person.id));
  expect(user?.bannedUntil).not.toBeNull();
  expect(await endOf(person, person.input)).toMatchObject({ finish: 'incomplete', calls: [{ state: 'stopped' }] });
  held.release();
});

it('a plugin that is uninstalled ends the call that it makes', async () => {
  const person = await waitForWolfram();
  await person.api.plugins.uninstall({ key: saved.key, fields: ['WOLFRAM_APP_ID'] });
  held.release();
  const calls = [{ state: 'done', output: expect.stringContaining('let go') }];
  expect(await endOf(person, person.input)).toMatchObject({ finish: 'stop', calls });
  const { query } = services.deps.db;
  expect(await query.select().from(pluginKeys).where(eq(pluginKeys.userId, person.id))).toEqual([]);
});

it('an assistant that is deleted ends its reply', async () => {
  const someone = await arrive();
  await someone.api.plugins.install(saved);
  const { assistantId } = await someone.api.assistants.create({ model: 'gpt-4', tools: [saved.key] });
  const settings = { assistant_id: assistantId };
  const person = await waitForWolfram({ endpoint: 'assistants', model: null, settings }, someone);
  await person.api.assistants.remove({ assistantId });
  held.release();
  expect(await endOf(person, person.input)).toMatchObject({ finish: 'stop', calls: [{ state: 'done' }] });
  expect((await person.api.assistants.list({})).assistants).toEqual([]);
});

describe('an action', () => {
  it.each([
    ['is deleted', 'its token is requested', '/token'],
    ['is deleted', 'it is called', '/held'],
    ['goes with its assistant', 'its token is requested', '/token'],
    ['goes with its assistant', 'it is called', '/held'],
  ])('that %s while %s ends its call, and leaves no token', async (how, _, path) => {
    const someone = await arrive();
    const { id, api } = someone;
    const { assistantId } = await api.assistants.create({ model: 'gpt-4' });
    const auth: ActionAuth = {
      type: 'oauth',
      clientUrl: `${held.url}/token`,
      authorizationUrl: `${held.url}/authorize`,
      scope: 'read',
      tokenExchangeMethod: 'default_post',
      grant: 'client_credentials',
    };
    const client = { oauthClientId: 'client', oauthClientSecret: 'secret' };
    const rawSpec = JSON.stringify(held.document);
    const { id: actionId } = await api.actions.save({ assistantId, rawSpec, auth, ...client });
    const key = `action:${actionId}`;
    const name = await allow(id, key);
    held.hold(path);
    const input = asking(name, key);
    await api.messages.ask(input);
    await held.begun();
    await (how === 'is deleted'
      ? api.actions.remove({ assistantId, actionId })
      : api.assistants.remove({ assistantId }));
    held.release();
    const calls = [{ state: 'done', output: expect.stringContaining('let go') }];
    expect(await endOf(someone, input)).toMatchObject({ finish: 'stop', calls });
    const { db } = services.deps;
    // What goes with an assistant can come back for seven days.
    await db.query.update(deletions).set({ createdAt: sql`now() - interval '8 days'` });
    await sweepTrash(db);
    await sweepConnections(db);
    expect(await db.query.select().from(connections).where(eq(connections.userId, id))).toEqual([]);
  });

  /** Allows the only tool of the key, and returns its name. */
  async function allow(userId: string, key: string): Promise<string> {
    const { config, db, log, secrets, actions } = services.deps;
    const egress = createEgress(config.server.egressAllowedHosts);
    const source = createActionSource(
      { config, db, log, egress, encryption: createEncryption(secrets.credsKey, []) },
      actions,
    );
    const [tool] = (await source.tools(choosing(userId, [key]))).tools;
    if (!tool) throw new Error('The action has no tool');
    await grantTool(db.query, userId, tool);
    return tool.name;
  }
});

it('a server that is removed fails its call, and the reply goes on', async () => {
  const someone = await arrive();
  const { id } = await someone.api.mcp.add({ name: 'Mine', url: fake.url, auth: 'none' });
  const tool = await toolOf(services.deps.mcp.source, choosing(someone.id, [`mcp:${id}`]), 'mcp_Mine_slow');
  await grantTool(services.deps.db.query, someone.id, tool);
  const called = fake.calls.length;
  const input = asking('mcp_Mine_slow', `mcp:${id}`);
  await someone.api.messages.ask(input);
  await expect.poll(() => fake.calls.length, { timeout: 15_000 }).toBeGreaterThan(called);
  await someone.api.mcp.remove({ id });
  expect(await endOf(someone, input)).toMatchObject({ finish: 'stop', calls: [{ state: 'failed' }] });
  const { db } = services.deps;
  expect(await db.query.select().from(mcpTools).where(eq(mcpTools.userId, someone.id))).toEqual([]);
});
