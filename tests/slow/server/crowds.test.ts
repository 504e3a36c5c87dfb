// A server that is told to stop at any moment of a crowd: it ends each time, in order, nothing that it has acknowledged
// is lost, and every conversation has a title afterwards. `CROWDS_SEED` repeats a run.
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect, type Db } from '@parley/db/client';
import { startEmbedded } from '@parley/db/embedded';
import { createDevice, registerAccount, type Account, type Device } from '@parley/scripts/api-client';
import { build } from '@parley/scripts/build';
import { createRandom } from '@parley/scripts/chaos/random';
import { startFakeProvider, type FakeProvider } from '@parley/scripts/fake-provider';
import { startServer, type ServerProcess } from '@parley/scripts/server-process';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { question } from '../../support/exchange.ts';

const seed = Number(process.env.CROWDS_SEED ?? Date.now() % 100_000);
const CROWDS = 50;
const PEOPLE = 50;
/** Of each person, at once. */
const QUESTIONS = 4;
/** A crowd is over after about so many milliseconds; then its titles still wait. */
const OVER_MS = 6000;
/** Answers as `plain`, and takes so long for a title. */
const QUESTION = '[[slow-title:100]] How are you?';

const folder = mkdtempSync(join(tmpdir(), 'parley-crowds-'));
let provider: FakeProvider;

beforeAll(async () => {
  await build();
  provider = await startFakeProvider();
}, 120_000);
afterAll(async () => {
  await provider.close();
  rmSync(folder, { recursive: true, force: true });
});

it(`ends each time (seed ${seed})`, async () => {
  const chance = createRandom(`${seed}`);
  let server = await start();
  const accounts: Account[] = [];
  for (let n = 0; n < PEOPLE; n++) accounts.push(await registerAccount(server.url, `crowd${n}`));
  const acknowledged: string[] = [];
  for (let crowd = 0; crowd < CROWDS; crowd++) {
    const devices = accounts.map((account) => createDevice(server.url, account));
    const asking = Promise.allSettled(devices.flatMap((device) => askAll(device, acknowledged)));
    await sleep(chance.between(0, OVER_MS));
    const code = await server.end('SIGTERM');
    const said = server.said().match(/^.*server\.(cut|step_left|failed).*$/gm) ?? [];
    // On a busy machine a step may be left after its time, and the process may end at once after all of its own.
    const isCut = said.some((line) => line.includes('server.cut'));
    const faults = said.filter((line) => line.includes('server.failed'));
    expect({ crowd, code, faults }, said.join('\n')).toEqual({ crowd, code: isCut ? 1 : 0, faults: [] });
    await Promise.all(devices.map((device) => device.close()));
    await asking;
    server = await start();
  }
  expect(acknowledged.length).toBeGreaterThan(0);
  await withDatabase(async ({ sql }) => {
    // What the last crowd left is settled when its leases have ended.
    const unended = () => sql`
      select asked.id from unnest(${acknowledged}::uuid[]) as asked (id)
      where not exists (select 1 from generations g where g.id = asked.id and g.ended_at is not null)`;
    await expect.poll(unended).toHaveLength(0);
    const untitled = () => sql`
      select c.id from convos c where title is null
        and exists (select 1 from messages m where m.convo_id = c.id and not m.is_created_by_user and not m.unfinished)`;
    await expect.poll(untitled).toHaveLength(0);
  });
  await server.end('SIGTERM');
}, 3_600_000);

function start(): Promise<ServerProcess> {
  return startServer(folder, {
    DATA_DIR: folder,
    PORT: '0',
    OPENAI_API_KEY: 'fake',
    OPENAI_REVERSE_PROXY: `${provider.url}/v1`,
    OPENAI_MODELS: 'gpt-4',
    REGISTER_MAX: '1000',
    LOGIN_MAX: '100000',
    LOG_LEVEL: 'error',
  });
}

/** Questions in new conversations; each that the server acknowledges is noted. */
function askAll(device: Device, acknowledged: string[]): Promise<void>[] {
  return Array.from({ length: QUESTIONS }, async () => {
    const input = question(QUESTION, { generationId: randomUUID(), model: 'gpt-4' });
    await device.api.messages.ask.mutate(input);
    acknowledged.push(input.generationId);
  });
}

async function withDatabase(work: (db: Db) => Promise<void>): Promise<void> {
  const { connection, stop } = await startEmbedded(folder);
  const db = connect(connection);
  await work(db);
  await db.end();
  await stop();
}
