// A tool server goes away while its tool runs: the answer ends cleanly, nothing comes back, and the operator's log has no
// error.
import { startFakeMcpServer, type FakeMcpServer } from '@parley/scripts/fake-tools/mcp-server';
import { mcpTools } from '@parley/db/tables/tools';
import type { AskInput } from '@parley/schema/chat/ask';
import { isLoopCall, type ToolCall } from '@parley/schema/messages/messages';
import { createCaller } from '@parley/server/router';
import { createServices, type Services } from '@parley/server/services';
import { grantTool } from '@parley/server/tools/grants';
import { eq } from 'drizzle-orm';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { question, readAll } from '../../support/exchange.ts';
import { openTestServices, type TestServices } from '../../support/services.ts';
import { choosing, toolOf } from '../../support/tools/tool-run.ts';

let base: TestServices;
let services: Services;
let fake: FakeMcpServer;
const lines: string[] = [];
const rejections: unknown[] = [];
const onRejection = (reason: unknown) => void rejections.push(reason);

beforeAll(async () => {
  process.on('unhandledRejection', onRejection);
  fake = await startFakeMcpServer();
  const env = { OPENAI_MODELS: 'gpt-4', ASSISTANTS_API_KEY: 'fake', ASSISTANTS_BASE_URL: '${FAKE_PROVIDER}/v1' };
  base = await openTestServices({ ...env, MCP_USER_SERVERS: 'on', EGRESS_ALLOWED_HOSTS: fake.host });
  const { config, secrets, db } = base.deps;
  const log = pino({ level: 'error' }, { write: (line: string) => void lines.push(line) });
  services = await createServices({ config, secrets, db, log, demo: null });
});
afterAll(async () => {
  await services.close();
  await base.close();
  await fake.close();
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

const people = ['alice', 'bob', 'carol', 'dave', 'erin'] as const;
let arrived = 0;

/** A new person, who talks to the services under test. */
async function arrive() {
  const { id } = await base.as(people[arrived++ % people.length] ?? 'alice');
  const signedIn = { userId: id, sid: 'a sign-in' };
  return { id, api: createCaller({ deps: services.deps, http: null, socket: null, token: null, signedIn }) };
}

type Someone = Awaited<ReturnType<typeof arrive>>;

let asked = 0;

function asking(name: string, key: string, over: Partial<AskInput> = {}): AskInput {
  const settings = { tools: [key], ...over.settings };
  asked += 1;
  return question(`Number ${asked} [[call-tool:${name} {}]]`, { model: 'gpt-4', ...over, settings });
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

it('a server that is removed fails its call, and the answer goes on', async () => {
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
