// Reads at a hot standby, and at the primary whenever it is behind, gone or no standby: of two real servers.
import { sql } from 'drizzle-orm';
import type { Db } from '@parley/db/client';
import { expect, inject, onTestFinished, test } from 'vitest';
import { finalOf, question, signUp } from '../../support/rest/client.ts';
import { caughtUp, connectTo, startPair, type Pair } from '../../support/postgres/standby.ts';
import { socketAddressOf, startTestServer } from '../../support/server.ts';

test('without the address of a standby, reading is a statement of the database and nothing else', async () => {
  const { db } = connectTo(socketAddressOf(inject('database').database));
  await db.read(async ({ query }) => expect(query).toBe(db.query));
});

test('what reads is at the standby, from the first read', async () => {
  const pair = await startPair();
  const { db, left } = connectTo(pair.url, pair.readUrl);
  for (let n = 0; n < 20; n++) expect(await isAtStandby(db)).toBe(true);
  expect(left).toEqual([]);
  // Measured once a second, however much is read.
  expect(measurements(pair)).toBeLessThan(20);
  expect(pair.statements()).not.toContain('insert');
});

test('an account without rights measures the lag, too', async () => {
  const pair = await startPair();
  await pair.primary`create role plain login`;
  await caughtUp(pair);
  const { db } = connectTo(asPlain(pair.url), asPlain(pair.readUrl));
  expect(await isAtStandby(db)).toBe(true);
});

test('a standby that is behind is left until it has caught up', async () => {
  const pair = await startPair();
  const { db, left } = connectTo(pair.url, pair.readUrl);
  expect(await isAtStandby(db)).toBe(true);
  await pair.standby`select pg_wal_replay_pause()`;
  await pair.primary`insert into facts (name, value) values ('written', 'late')`;
  // What is not there yet is read at the primary at once.
  expect(await db.read(findWritten)).toBe('late');
  await expect.poll(async () => [await isAtStandby(db), ...left]).toEqual([false, 'It is more than 5 seconds behind']);
  await pair.standby`select pg_wal_replay_resume()`;
  await expect.poll(() => isAtStandby(db)).toBe(true);
  expect(left).toHaveLength(1);
});

test('a standby that was cut off from its idle primary is not taken for new', async () => {
  const pair = await startPair();
  const { db } = connectTo(pair.url, pair.readUrl);
  await pair.primary`alter role replica nologin`;
  await pair.primary`select pg_terminate_backend(pid) from pg_stat_replication`;
  await expect.poll(async () => (await pair.standby`select from pg_stat_wal_receiver`).length).toBe(0);
  await pair.primary`insert into facts (name, value) values ('written', 'late')`;
  await expect.poll(() => isAtStandby(db)).toBe(false);
});

test('a standby that stops in the middle of a read has it answered by the primary, and is used again when it is back', async () => {
  const pair = await startPair();
  const { db, left } = connectTo(pair.url, pair.readUrl);
  const { read } = await readLong(pair, db);
  await pair.stopStandby();
  expect(await read).toBe(false);
  expect(await isAtStandby(db)).toBe(false);
  expect(left).toHaveLength(1);
  await pair.startStandby();
  await expect.poll(() => isAtStandby(db)).toBe(true);
});

test('a standby that falls silent in the middle of a read has it answered by the primary', async () => {
  const pair = await startPair();
  const { db, left } = connectTo(pair.url, pair.readUrl);
  const { read } = await readLong(pair, db);
  pair.freeze();
  expect(await read).toBe(false);
  expect(left).toEqual(['It does not answer within 1000 ms']);
});

test('a read that the standby cancels is answered by the primary, and the standby stays in use', async () => {
  const pair = await startPair();
  const { db, left } = connectTo(pair.url, pair.readUrl);
  const { read } = await readLong(pair, db);
  await pair.standby`select pg_cancel_backend(pid) from pg_stat_activity where query like ${LONG}`;
  expect(await read).toBe(false);
  expect(await isAtStandby(db)).toBe(true);
  expect(left).toEqual([]);
});

test('a standby that was promoted is left', async () => {
  const pair = await startPair();
  const { db, left } = connectTo(pair.url, pair.readUrl);
  expect(await isAtStandby(db)).toBe(true);
  await pair.standby`select pg_promote()`;
  await pair.standby`create table of_its_own ()`;
  await expect.poll(() => db.read(async ({ query }) => (await query.execute(OF_ITS_OWN))[0]?.there)).toBe(null);
  expect(left).toEqual(['It is not a standby']);
});

test('a server that is no standby, or one of another database, is never read', async () => {
  const pair = await startPair();
  await pair.primary`create database other`;
  await caughtUp(pair);
  for (const [readUrl, reason] of [
    [pair.url, 'It is not a standby'],
    [pair.readUrl.replace(/parley$/, 'other'), 'It belongs to another database'],
  ] as const) {
    const { db, left } = connectTo(pair.url, readUrl);
    await db.read(async ({ query }) => expect(query).toBe(db.query));
    expect(left).toEqual([reason]);
  }
});

test('a server reads searches, shared links, usage, its overview and exports at the standby, and nothing else', async () => {
  const pair = await startPair();
  const env = { DATABASE_URL: pair.url, DATABASE_READ_URL: pair.readUrl };
  const server = await startTestServer({ env });
  onTestFinished(server.close);
  const alice = await signUp(server.url, 'alice');
  const { conversation } = finalOf(await alice.ask(question('A word like marzipan [[echo]]')));
  const { conversationId } = conversation;
  const call = async (path: string, input: object = {}) => {
    const query = `input=${encodeURIComponent(JSON.stringify(input))}`;
    return (await fetch(`${server.url}/trpc/${path}?${query}`, { headers: alice.headers })).text();
  };
  const link = await fetch(`${server.url}/trpc/shares.create`, {
    method: 'POST',
    headers: { ...alice.headers, 'content-type': 'application/json' },
    body: JSON.stringify({ conversationId, leafId: null, showsName: false, days: null }),
  });
  const { id } = ((await link.json()) as { result: { data: { id: string } } }).result.data;
  // Not there yet, or there: it opens.
  expect(await call('shares.read', { id })).toContain('marzipan');
  await caughtUp(pair);
  expect(await call('convos.search', { query: 'marzipan' })).toContain(conversationId);
  expect(await call('shares.read', { id })).toContain('marzipan');
  expect(await call('usage.mine')).toContain('"asks":1');
  expect(await call('admin.usage.list', { by: 'model' })).toContain('"rows"');
  expect(await call('admin.overview')).toContain('"queued":0');
  const exported = await fetch(`${server.url}/api/export`, { headers: alice.headers });
  expect([exported.status, (await exported.arrayBuffer()).byteLength > 0]).toEqual([200, true]);
  const asked = pair.statements();
  const tables = [
    'search_entries',
    '"shares"',
    '"usage_days"',
    '"usage_totals"',
    '"queued_asks"',
    '"messages"',
    '"files"',
  ];
  for (const table of tables) expect(asked).toContain(`from ${table}`);
  for (const other of ['"sessions"', '"limits"', 'insert into', 'update ', 'for no key', 'ERROR'])
    expect(asked).not.toContain(other);
});

const OF_ITS_OWN = sql`select to_regclass('of_its_own')::text as there`;

function asPlain(url: string): string {
  return url.replace('parley@', 'plain@');
}

function isAtStandby(db: Db): Promise<unknown> {
  return db.read(async ({ query }) => (await query.execute(sql`select pg_is_in_recovery() as is`))[0]?.is);
}

const findWritten: Parameters<Db['read']>[0] = async ({ query }) => {
  const [row] = await query.execute(sql`select value from facts where name = 'written'`);
  if (!row) throw new Error('It is not there');
  return row.value;
};

const LONG = '%pg_sleep(case%';

/** Begins a read that ends at the primary alone, and waits until it runs at the standby. */
async function readLong({ standby }: Pair, db: Db) {
  const read = db.read(async ({ query }) => {
    const [row] = await query.execute(sql`
      select pg_is_in_recovery() as is, pg_sleep(case when pg_is_in_recovery() then 600 else 0 end)`);
    return row?.is;
  });
  const runs = () => standby`select from pg_stat_activity where query like ${LONG} and pid <> pg_backend_pid()`;
  await expect.poll(async () => (await runs()).length).toBe(1);
  return { read };
}

function measurements({ statements }: Pair): number {
  return statements().split('as is_standby').length - 1;
}
