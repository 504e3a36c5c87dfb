// What the log of a server says at the level `debug`, as an operator reads it: what is slow, and what is refused.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createDevice, registerAccount, type Device } from '@parley/scripts/api-client';
import { build } from '@parley/scripts/build';
import { root } from '@parley/scripts/build-stamps';
import { startFakeProvider, type FakeProvider } from '@parley/scripts/fake-provider';
import { createServices } from '@parley/server/services';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { createTestDatabase } from '../../support/database.ts';
import { question } from '../../support/exchange.ts';
import { createFolder } from '../../support/folders.ts';
import { withServices } from '../../support/services.ts';

/** Longer than a statement may take without a line. */
const LOCKED_MS = 400;
const PRIVATE = 'a private word';
const UNKNOWN = '00000000-0000-4000-8000-00000000abcd';
const dataDir = createFolder();

const shared = withServices();
let provider: FakeProvider;
let database: Awaited<ReturnType<typeof createTestDatabase>>;
let server: Awaited<ReturnType<typeof start>>;
let alice: Device;

beforeAll(async () => {
  await build();
  provider = await startFakeProvider();
  database = await createTestDatabase();
  server = await start('debug');
  alice = createDevice(server.url, await registerAccount(server.url, 'alice'));
});
afterAll(async () => {
  await alice.close();
  await server.end();
  await provider.close();
  await database.drop();
});

it.each([
  ['of the query builder', 'convos', '$1'],
  ['that is a template', 'limits', '?'],
])('a statement %s that takes 200 ms or more has a line with its text, without its values', async (_, table, value) => {
  const { sql } = database.db;
  const waiting = () =>
    sql`select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`;
  let answered: Promise<unknown> = Promise.resolve();
  await sql.begin(async (tx) => {
    await tx`lock table ${tx(table)} in access exclusive mode`;
    answered = Promise.allSettled([
      alice.api.convos.byId.query({ conversationId: UNKNOWN }),
      fetch(`${server.url}/api/auth/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ email: 'nobody@example.com', password: PRIVATE }),
      }),
    ]);
    await expect.poll(waiting).not.toHaveLength(0);
    await sleep(LOCKED_MS);
  });
  await answered;
  // Tasks of the server may wait for the same lock.
  const isOurs = (statement: string) => statement.includes(table) && statement.includes(value);
  const line = await server.line('db.slow', ({ statement }) => isOurs(String(statement)));
  expect(line).toMatchObject({ level: 'debug', ms: expect.any(Number) });
  expect(server.log()).not.toContain(PRIVATE);
  expect(server.log()).not.toContain(UNKNOWN);
});

it('a call of a provider and one of a tool have lines with their times and ends, without content', async () => {
  const input = question(`Use it: call calculator {"input":"1 + 41"} ${PRIVATE}\n[[tool-steps]]`, {
    model: 'gpt-4',
    settings: { tools: ['calculator'] },
  });
  await alice.api.messages.ask.mutate(input);
  const called = await server.line('provider.called');
  expect(called).toMatchObject({ level: 'debug', endpoint: 'openAI', model: 'gpt-4' });
  expect(called).toMatchObject({ ms: expect.any(Number), firstMs: expect.any(Number) });
  expect(called).not.toHaveProperty('reason');
  const line = { level: 'debug', tool: 'calculator', outcome: 'done', ms: expect.any(Number) };
  expect(await server.line('tool.called')).toMatchObject(line);
  expect(server.log()).not.toContain(PRIVATE);
});

it('a call that fails names the reason and the HTTP status, and so does the reply that failed, with its user', async () => {
  const input = question(`${PRIVATE} [[error-503]]`, { model: 'gpt-4' });
  await alice.api.messages.ask.mutate(input);
  const failure = { endpoint: 'openAI', model: 'gpt-4', reason: 'provider_unavailable', status: 503 };
  expect(await server.line('provider.called', ({ reason }) => reason !== undefined)).toMatchObject(failure);
  const [{ id: userId } = {}] = await database.db.sql<{ id: string }[]>`select id from users`;
  const { generationId } = input;
  const failed = await server.line('generation.failed');
  expect(failed).toMatchObject({ level: 'warn', generationId, userId, ...failure });
  expect(server.log()).not.toContain(PRIVATE);
});

it.each([
  ['a procedure', '/trpc/convos.byId?input=%7B%7D', 'convos.byId', 'unauthorized'],
  ['a path', '/api/convos/none', 'GET /api/convos/:conversationId', 'unauthorized'],
])('a refused request to %s has a line with its reason and its id', async (_, address, path, reason) => {
  const response = await fetch(server.url + address);
  const requestId = response.headers.get('x-request-id');
  const line = await server.line('request.refused', (one) => one.requestId === requestId);
  expect(line).toMatchObject({ level: 'debug', path, reason });
});

it('a refused request of somebody who is signed in names the user', async () => {
  await expect(alice.api.convos.rename.mutate({ conversationId: 'no id', title: PRIVATE })).rejects.toThrow();
  const [{ id: userId } = {}] = await database.db.sql<{ id: string }[]>`select id from users`;
  const line = await server.line('request.refused', ({ path }) => path === 'convos.rename');
  expect(line).toMatchObject({ userId, reason: 'invalid_input', requestId: expect.any(String) });
  expect(server.log()).not.toContain(PRIVATE);
});

it('at another level no call is wrapped, and nothing refused is logged', async () => {
  const { deps } = shared.services;
  const providerAt = async (level: string) => {
    const services = await createServices({ ...deps, secrets: deps.secrets, log: pino({ level }), demo: null });
    const { provider: stream } = services.deps.endpoints.assert('openAI');
    await services.close();
    return stream;
  };
  const [silent, info, debug] = await Promise.all(['silent', 'info', 'debug'].map(providerAt));
  expect(info).toBe(silent);
  expect(debug).not.toBe(info);
  const quiet = await start('info');
  await fetch(`${quiet.url}/api/convos/none`);
  await quiet.end();
  expect(quiet.log()).not.toMatch(/"level":"debug"|request\.refused/);
});

type Line = Record<string, unknown>;

/** The built server on the test's database, with its log as JSON. */
async function start(level: 'debug' | 'info') {
  const { PATH = '', HOME = '' } = process.env;
  const { folder: socket, user } = inject('database');
  const env = {
    PATH,
    HOME,
    PGHOST: socket,
    PGUSER: user,
    DATABASE_URL: `postgres:///${database.connection.database}`,
    DATA_DIR: dataDir,
    PORT: '0',
    HOST: '127.0.0.1',
    LOG_LEVEL: level,
    CONSOLE_JSON: 'true',
    OPENAI_API_KEY: 'fake',
    OPENAI_MODELS: 'gpt-4',
    OPENAI_REVERSE_PROXY: `${provider.url}/v1`,
  };
  const child = spawn(process.execPath, [join(root, 'server/dist/main.js')], { cwd: root, env });
  let said = '';
  for (const output of [child.stdout, child.stderr]) output.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const ended = gone.then(() => Promise.reject(new Error(`The server ended: ${said}`)));
  // Anyone who waits for a line is told.
  ended.catch(() => {});
  const find = (event: string, isIt: (line: Line) => boolean) =>
    said
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as Line)
      .find((line) => line.event === event && isIt(line));
  const line = async (event: string, isIt: (line: Line) => boolean = () => true): Promise<Line> => {
    for (;;) {
      const found = find(event, isIt);
      if (found) return found;
      await Promise.race([once(child.stdout, 'data'), ended]);
    }
  };
  const { url } = await line('server.listening');
  return {
    url: String(url),
    line,
    log: () => said,
    async end() {
      child.kill();
      await gone;
    },
  };
}
