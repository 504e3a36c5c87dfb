// What a load balancer sees of a server.
import { once } from 'node:events';
import { build } from '@parley/scripts/build';
import { startFakeProvider, type FakeProvider } from '@parley/scripts/fake-provider';
import { startServer } from '@parley/scripts/server-process';
import { open } from '@parley/db/client';
import { afterAll, beforeAll, expect, inject, onTestFinished, test } from 'vitest';
import WebSocket from 'ws';
import { createFolder } from '../../support/folders.ts';
import { question, signUp } from '../../support/rest/client.ts';
import { processEnvironment, startTestServer } from '../../support/server.ts';

let provider: FakeProvider;

beforeAll(async () => {
  await build();
  provider = await startFakeProvider();
}, 120_000);
afterAll(() => provider.close());

test('a server is ready while its database answers', async () => {
  const server = await startTestServer();
  onTestFinished(server.close);
  const ready = async () => (await fetch(`${server.url}/ready`)).status;
  expect(await ready()).toBe(200);
  const [row] = await server.db.sql<{ name: string }[]>`select current_database() as name`;
  const admin = open(inject('database'), { max: 1 });
  onTestFinished(async () => void (await admin.end()));
  const name = admin(row?.name ?? '');
  await admin`alter database ${name} allow_connections false`;
  await admin`select pg_terminate_backend(pid) from pg_stat_activity where datname = ${row?.name ?? ''}`;
  expect(await ready()).toBe(503);
  expect((await fetch(`${server.url}/health`)).status).toBe(200);
  await admin`alter database ${name} allow_connections true`;
  await expect.poll(ready).toBe(200);
});

test('a server that stops says so, answers meanwhile, and sends its websockets to others', async () => {
  const env = await processEnvironment(provider, { DRAIN_SECONDS: '2' });
  const server = await startServer(createFolder(), env);
  onTestFinished(async () => void (await server.end('SIGKILL')));
  const alice = await signUp(server.url, 'alice');
  const socket = new WebSocket(`${server.url.replace('http', 'ws')}/trpc?connectionParams=1`);
  await once(socket, 'open');
  socket.send(JSON.stringify({ method: 'connectionParams', data: { token: alice.headers.authorization.slice(7) } }));
  const told: string[] = [];
  socket.on('message', (data: Buffer) => told.push(data.toString()));
  const closed = once(socket, 'close');
  const ended = server.end('SIGTERM');
  const status = async () => (await fetch(`${server.url}/ready`)).status;
  await expect.poll(status, { interval: 50 }).toBe(503);
  const asked = await alice.post('/api/ask/openAI', question('Still there? [[echo]]'));
  expect(asked.headers.get('connection')).toBe('close');
  expect(await asked.text()).toContain('Still there?');
  expect((await closed)[0]).toBe(1012);
  expect(told).toContain('{"id":null,"method":"reconnect"}');
  expect(await ended).toBe(0);
}, 60_000);
