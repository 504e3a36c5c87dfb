// PROCESSES: several processes at one port, each of which can die, drain and be replaced by itself.
import { readFileSync } from 'node:fs';
import { build } from '@parley/scripts/build';
import { startFakeProvider, type FakeProvider } from '@parley/scripts/fake-provider';
import { startServer } from '@parley/scripts/server-process';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { createFolder } from '../../support/folders.ts';
import { question, signUp } from '../../support/rest/client.ts';
import { processEnvironment } from '../../support/server.ts';

const TOKEN = 'a-token-of-the-operator';

let provider: FakeProvider;

beforeAll(async () => {
  await build();
  provider = await startFakeProvider();
}, 120_000);
afterAll(() => provider.close());

test('all processes serve at one port and their numbers are added up', async () => {
  const server = await start({ METRICS_TOKEN: TOKEN });
  expect(workersOf(server.pid)).toHaveLength(2);
  expect(server.said().match(/Parley is ready on/g)).toHaveLength(1);
  for (let n = 0; n < 8; n++) await get(server.url, '/health');
  const scrape = await get(server.url, '/metrics', { authorization: `Bearer ${TOKEN}` });
  expect(scrape).toMatch(/duration_seconds_count\{method="GET",route="\/health",status="200"\} 8$/m);
  expect(await server.end('SIGTERM')).toBe(0);
  expect(server.said().match(/has stopped/g)).toHaveLength(2);
}, 60_000);

test('a process that is killed is replaced while the others serve', async () => {
  const server = await start();
  const alice = await signUp(server.url, 'alice');
  const [killed = 0, spared = 0] = workersOf(server.pid);
  process.kill(killed, 'SIGKILL');
  await expect.poll(() => workersOf(server.pid)).not.toContain(killed);
  const asked = await alice.post('/api/ask/openAI', question('Still there? [[echo]]'));
  expect(await asked.text()).toContain('Still there?');
  await expect.poll(() => workersOf(server.pid).length, { timeout: 30_000 }).toBe(2);
  expect(workersOf(server.pid)).toContain(spared);
  expect(server.said()).toContain(`Process ${killed} ended and is replaced`);
}, 60_000);

test('a process that is told to stop drains while new requests go to the others', async () => {
  const server = await start({ DRAIN_SECONDS: '3' });
  const alice = await signUp(server.url, 'alice');
  const [stopped = 0] = workersOf(server.pid);
  process.kill(stopped, 'SIGTERM');
  while (workersOf(server.pid).includes(stopped)) {
    const asked = await alice.post('/api/ask/openAI', question('Is anybody there? [[echo]]'));
    expect(await asked.text()).toContain('Is anybody there?');
  }
  await expect.poll(() => workersOf(server.pid).length, { timeout: 30_000 }).toBe(2);
  expect(await get(server.url, '/ready')).toBe('OK');
}, 90_000);

test('a start that fails says one sentence and leaves no process', async () => {
  const server = await start();
  const failing = startServer(createFolder(), {
    ...(await processEnvironment(provider)),
    PROCESSES: '2',
    PORT: new URL(server.url).port,
  });
  await expect(failing).rejects.toThrow(/\nPort \d+ is in use: [^\n]+\n$/);
}, 60_000);

async function start(more: Record<string, string> = {}) {
  const env = await processEnvironment(provider, { PROCESSES: '2', ...more });
  const server = await startServer(createFolder(), env);
  onTestFinished(async () => void (await server.end('SIGTERM')));
  return server;
}

/** Over a connection of its own, which any of the processes may get. */
async function get(url: string, path: string, headers: Record<string, string> = {}): Promise<string> {
  return (await fetch(url + path, { headers: { connection: 'close', ...headers } })).text();
}

/** The numbers of the processes that this one has started. */
function workersOf(pid: number): number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8');
  return children.split(' ').filter(Boolean).map(Number);
}
