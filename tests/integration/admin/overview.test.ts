// How administrators see the server. Two processes on one database, and one that does not answer.
import { randomUUID } from 'node:crypto';
import { noteBackup } from '@parley/db/backup-facts';
import { connect, open, type Connection, type Db } from '@parley/db/client';
import { queuedAsks } from '@parley/db/tables/drafts';
import { generations } from '@parley/db/tables/generations';
import { createApp } from '@parley/server/app';
import { readOverview } from '@parley/server/admin/overview/overview';
import { loadConfig } from '@parley/server/load-config';
import { createPresence } from '@parley/server/http/presence';
import { createMail } from '@parley/server/platform/mail';
import { createServices, type Services } from '@parley/server/services';
import { VERSION } from '@parley/schema/catalog/startup';
import type { Reason } from '@parley/schema/reasons';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, inject, it, onTestFinished } from 'vitest';
import { startMailServer } from '../../support/accounts/mail-server.ts';
import { POOL_SIZE } from '../../support/database.ts';
import { question, untilText } from '../../support/exchange.ts';
import { createFolder } from '../../support/folders.ts';
import { openTestServices, type Person, type TestServices } from '../../support/services.ts';

let services: TestServices;
let connection: Connection;
let otherDb: Db;
let neighbour: Services;
let alice: Person;

beforeAll(async () => {
  services = await openTestServices({ OPENAI_MODELS: 'gpt-4,fake:never-ending', TITLE_CONVO: 'false' });
  const { config, secrets, db, log } = services.deps;
  const [row] = await db.sql<{ name: string }[]>`select current_database() as name`;
  connection = { ...inject('database'), database: row?.name ?? '' };
  otherDb = connect(connection, { max: POOL_SIZE });
  neighbour = await createServices({ config, secrets, db: otherDb, log, demo: null });
  alice = await services.as('alice', 'ADMIN');
});
afterAll(async () => {
  await neighbour.close();
  await otherDb.end();
  await services.close();
});

const overview = () => alice.api.admin.overview();

it('lists the processes with their version, state and answers, and counts one that does not answer', async () => {
  await ask('Without an end');
  const [own, other] = [services, neighbour].map(({ deps }) => deps.presence.owner);
  const seen = { version: VERSION, state: 'ready' };
  await expect.poll(overview).toMatchObject({
    processes: [
      { id: own, ...seen, answers: 1 },
      { id: other, ...seen, answers: 0 },
    ],
    silent: 0,
    answers: { running: 1, left: 0 },
    queued: 0,
  });
  await services.deps.db.query.insert(queuedAsks).values({
    userId: alice.id,
    id: randomUUID(),
    convoId: randomUUID(),
    text: 'And then?',
    position: 1,
    heldUntil: 'infinity',
  });
  expect(await overview()).toMatchObject({ queued: 1 });

  // It listens as a process does, and says nothing.
  const hung = open(connection, { max: 1 });
  onTestFinished(() => hung.end());
  await hung.listen('parley', () => undefined);
  await expect.poll(overview).toMatchObject({ processes: [{ id: own }, { id: other }], silent: 1 });
});

it('says of each process what its /ready says', async () => {
  const app = createApp(neighbour.deps, createFolder());
  app.server.listen(0, '127.0.0.1');
  onTestFinished(() => app.close());
  await expect.poll(() => app.server.address()).not.toBeNull();
  const address = app.server.address();
  const port = typeof address === 'object' ? address?.port : 0;
  const ready = async () => (await fetch(`http://127.0.0.1:${port}/ready`)).status;
  const stateOf = async () =>
    (await overview()).processes.find(({ id }) => id === neighbour.deps.presence.owner)?.state;
  expect(await ready()).toBe(200);
  await expect.poll(stateOf).toBe('ready');
  app.announceStop();
  expect(await ready()).toBe(503);
  await expect.poll(stateOf).toBe('stopping');
});

it('counts what failed in the last hour, by provider, with the most frequent reason and none of its words', async () => {
  const refused: Reason = { type: 'provider_refused', status: 400, text: 'You asked about "my secret"' };
  await fail('openAI', refused, 10);
  await fail('openAI', refused, 20);
  await fail('openAI', { type: 'provider_unavailable', status: null }, 5);
  await fail('anthropic', { type: 'provider_broke_off' }, 59);
  await fail('google', { type: 'provider_broke_off' }, 61);
  expect((await overview()).failures).toEqual([
    { endpoint: 'openAI', failed: 3, reason: { ...refused, text: '' } },
    { endpoint: 'anthropic', failed: 1, reason: { type: 'provider_broke_off' } },
  ]);
});

it('says how large the database and the disk are, where files are, and when the last backup was', async () => {
  const before = await overview();
  expect(before).toMatchObject({
    files: { source: 'local', isAnswering: true },
    mail: { isSetUp: false, failedAt: null },
    backup: { made: null, restored: null },
  });
  expect(before.database.bytes).toBeGreaterThan(1_000_000);
  expect(before.disks[0]).toMatchObject({ holds: 'data' });
  expect(before.disks[0]?.free).toBeLessThanOrEqual(before.disks[0]?.total ?? 0);
  const made = { endedAt: new Date().toISOString(), bytes: 1234, version: VERSION };
  await noteBackup(connection, made);
  const command = 'npm run backup -- saved.zip';
  expect((await overview()).backup).toEqual({ made, restored: null, command });
});

it('says when the last mail could not be sent, and no more once one could', async () => {
  const server = await startMailServer();
  const mailAt = async (port: number) => {
    const env = { ...server.env, EMAIL_PORT: String(port) };
    return createMail(await loadConfig({ env, cwd: createFolder() }), services.deps.log);
  };
  const letter = { to: 'alice@example.com', subject: 'Hello', text: 'Hello', html: '<p>Hello</p>' };
  const seen = async (mail: Awaited<ReturnType<typeof mailAt>>) => {
    const presence = createPresence({ ...services.deps, owner: randomUUID(), mail });
    return (await readOverview({ ...services.deps, mail, presence })).mail;
  };
  try {
    const broken = await mailAt(1);
    expect(await seen(broken)).toEqual({ isSetUp: true, failedAt: null });
    broken?.send(async () => letter);
    await expect.poll(() => seen(broken)).toEqual({ isSetUp: true, failedAt: expect.stringMatching(/^20.*Z$/) });
    const working = await mailAt(server.port);
    working?.send(async () => letter);
    await expect.poll(() => server.letters).toHaveLength(1);
    await working?.close();
    expect(await seen(working)).toEqual({ isSetUp: true, failedAt: null });
  } finally {
    await server.close();
  }
});

/** Asks what is never answered to its end, and waits until it is being answered. */
async function ask(text: string): Promise<void> {
  const input = question(text, { model: 'fake:never-ending' });
  await alice.api.messages.ask(input);
  await untilText(services, alice.id, input.generationId);
}

async function fail(endpoint: string, reason: Reason, minutesAgo: number): Promise<void> {
  await services.deps.db.query.insert(generations).values({
    id: randomUUID(),
    userId: alice.id,
    convoId: randomUUID(),
    requestId: randomUUID(),
    replyId: randomUUID(),
    kind: 'send',
    endpoint,
    owner: randomUUID(),
    leaseUntil: '2000-01-01',
    endedAt: sql`now() - make_interval(mins => ${minutesAgo})`,
    reason,
  });
}
