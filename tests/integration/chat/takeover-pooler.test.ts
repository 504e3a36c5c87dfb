// The runs of two living servers, each behind a PgBouncer of its own. Both are killed for longer than a lease, and come back
// one after the other: the first server that can write again finds the runs of the other one with expired leases.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect, type Db } from '@parley/db/client';
import { findProgram } from '@parley/scripts/cluster/programs';
import { expect, onTestFinished, test } from 'vitest';
import { copyTemplate } from '../../support/database.ts';
import { createFolder } from '../../support/folders.ts';
import { startPgbouncer } from '../../support/postgres/pgbouncer.ts';
import { question, signUp } from '../../support/rest/client.ts';
import { socketAddressOf, startTestServer } from '../../support/server.ts';

const hasPgbouncer = findProgram('pgbouncer') !== null;
/** Each server looks for abandoned runs every three seconds. */
const LOOKS_MS = 4000;
const MODE = { pool_mode: 'transaction' };

if (hasPgbouncer)
  test('a living server takes neither its own runs nor those of another one when the pooler was away', keepsRuns);
else test('PgBouncer is not here', () => expect(findProgram('pgbouncer')).toBeNull());

async function keepsRuns(): Promise<void> {
  const { connection, drop } = await copyTemplate();
  onTestFinished(async () => void (await drop()));
  const poolers = await Promise.all(['alice', 'bob'].map(() => startPgbouncer(connection.database, MODE)));
  const db = connect({ kind: 'url', url: socketAddressOf(connection.database) }, { max: 2 });
  onTestFinished(() => db.end());
  const folder = createFolder();
  for (const [n, { url, directUrl }] of poolers.entries()) {
    const env = { DATABASE_URL: url, DATABASE_DIRECT_URL: directUrl, DATA_DIR: folder };
    const server = await startTestServer({ env });
    onTestFinished(server.close);
    const person = await signUp(server.url, `person${n}`);
    await person.post('/api/ask/openAI', question('How far is it?', { model: 'fake:never-ending' }));
  }
  const runs = await readRuns(db);
  expect(new Set(runs.map(({ owner }) => owner)).size).toBe(2);
  expect(runs).toMatchObject([{ isOver: false }, { isOver: false }]);
  // Both have been in touch for a lease: what is abandoned is taken.
  await untilTaken(db, await abandonRun(db));
  for (const { kill } of poolers) await kill();
  await expect.poll(() => leasesLeft(db)).toBe(0);
  for (const [n, { start }] of poolers.entries()) {
    await start();
    await expect.poll(() => leasesLeft(db)).toBe(n + 1);
    await sleep(LOOKS_MS);
  }
  await untilTaken(db, await abandonRun(db));
  expect(await readRuns(db)).toEqual(runs);
}

/** Who runs the answers, and for which time. */
async function readRuns({ sql }: Db): Promise<{ id: string; owner: string; epoch: number; isOver: boolean }[]> {
  return [
    ...(await sql<{ id: string; owner: string; epoch: number; isOver: boolean }[]>`
      select id, owner, epoch, ended_at is not null as "isOver" from generations where kind = 'send' order by id`),
  ];
}

async function leasesLeft({ sql }: Db): Promise<number> {
  const rows = await sql`select from generations where kind = 'send' and lease_until > now()`;
  return rows.length;
}

/** Of a server that is gone. */
async function abandonRun({ sql }: Db): Promise<string> {
  const id = randomUUID();
  await sql`
    insert into generations (id, user_id, kind, endpoint, owner, lease_until)
    select ${id}, id, 'api', 'openAI', ${randomUUID()}, now() - interval '1 minute' from users limit 1`;
  return id;
}

async function untilTaken({ sql }: Db, id: string): Promise<void> {
  await expect.poll(() => sql`select from generations where id = ${id} and ended_at is not null`).toHaveLength(1);
}
