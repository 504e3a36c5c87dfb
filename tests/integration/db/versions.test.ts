// Processes of several versions on one database, each with the migrations that it knows.
import { randomUUID } from 'node:crypto';
import { connect, type Db } from '@parley/db/client';
import { migrate, migrateTo } from '@parley/db/migrate';
import { beforeEach, expect, inject, onTestFinished, test } from 'vitest';
import { migrationsOf, readEntries } from '../../support/upgrades/migrations.ts';

const START = 'create table facts (name text primary key, value text not null); create table notes (text text);';
const EXPAND = '-- expand\nalter table notes add column n integer;';
const CONTRACT = '-- contract: oldest 0.11.0\nalter table notes drop column text;';

let connection: ReturnType<typeof inject<'database'>>;
let db: Db;

beforeEach(async () => {
  const server = inject('database');
  connection = { ...server, database: `versions_${randomUUID().replaceAll('-', '')}` };
  const admin = connect(server, { max: 1 });
  await admin.sql.unsafe(`create database ${connection.database}`);
  await admin.end();
  db = connect(connection, { max: 1 });
  return () => db.end();
});

test('an older process starts where newer migrations only expand, and changes nothing', async () => {
  expect(await migrate(connection, migrationsOf([START, EXPAND]), '0.11.0')).toBe(2);
  expect(await migrate(connection, migrationsOf([START]), '0.10.0')).toBe(0);
  expect(await migrate(connection, migrationsOf([START]), '0.9.0')).toBe(0);
  expect([await oldest(), await applied()]).toEqual(['0.9.0', 2]);
});

test('a process that is older than a contraction allows is refused, and others are not', async () => {
  const newest = migrationsOf([START, EXPAND, CONTRACT, '-- expand\nselect 1;']);
  await migrate(connection, newest, '0.12.0');
  expect(await oldest()).toBe('0.11.0');
  const old = migrationsOf([START, EXPAND]);
  for (const version of ['0.10.0', '0.9.12', '0.11.0-rc.1'])
    await expect(migrate(connection, old, version)).rejects.toThrow(
      `The database needs Parley 0.11.0 or newer, and this is ${version}: start such a version, or restore a backup from before it.`,
    );
  for (const version of ['0.11.0', '0.11.1', '0.12.0-rc.1']) expect(await migrate(connection, old, version)).toBe(0);
});

test('a database of a newer version that does not say which may run is refused', async () => {
  await migrate(connection, migrationsOf([START, 'select 1;']), '0.9.0');
  expect(await oldest()).toBe(undefined);
  await expect(migrate(connection, migrationsOf([START]), '0.9.0')).rejects.toThrow(
    'made by a newer version of Parley',
  );
});

test('a process with a migration that the newer version does not have is refused', async () => {
  await migrate(connection, migrationsOf([START, EXPAND]), '0.11.0');
  const otherLine = migrationsOf(['-- expand\nselect 1;'], migrationsOf([START]));
  await expect(migrate(connection, otherLine, '0.10.1')).rejects.toThrow('made by a newer version of Parley');
});

test('a migration that is older than the newest applied one is not left out', async () => {
  await migrate(connection, migrationsOf(['-- expand\nselect 1;'], migrationsOf([START])), '0.10.0');
  const merged = migrationsOf(['-- expand\nselect 1;'], migrationsOf([START, EXPAND]));
  expect(await migrate(connection, merged, '0.10.0')).toBe(1);
  expect(await db.sql`select n from notes`).toEqual([]);
});

test('what may run is written with the migrations or not at all', async () => {
  await migrate(connection, migrationsOf([START, EXPAND]), '0.10.0');
  const failing = migrationsOf([START, EXPAND, `${CONTRACT}--> statement-breakpoint\nselect nonsense;`]);
  await expect(migrate(connection, failing, '0.12.0')).rejects.toThrow('The database cannot be migrated: column');
  expect([await oldest(), await applied()]).toEqual(['0.9.0', 2]);
  await migrate(connection, migrationsOf([START, EXPAND, CONTRACT]), '0.12.0');
  expect([await oldest(), await applied()]).toEqual(['0.11.0', 3]);
});

test('of processes that start at once one migrates, also when they are of two versions', async () => {
  const [older, newer] = [migrationsOf([START]), migrationsOf([START, EXPAND])];
  const versions = [older, newer, older, newer];
  const counts = await Promise.all(versions.map((folder) => migrate(connection, folder, '0.10.0')));
  expect(counts.reduce((sum, count) => sum + count)).toBe(2);
  expect([await oldest(), await applied()]).toEqual(['0.9.0', 2]);
});

test('a restore does not take the tables of a newer version for older ones', async () => {
  const folder = migrationsOf([START, EXPAND]);
  const [first = 0] = readEntries(folder).map(({ when }) => when);
  await migrate(connection, folder, '0.10.0');
  await expect(migrateTo(connection, folder, [first])).rejects.toThrow('made by a newer version of Parley');
});

test('a migration that waits for a table lets others at it, and comes later', async () => {
  await migrate(connection, migrationsOf([START]), '0.10.0');
  const [backup, reader] = [connect(connection, { max: 1 }), connect(connection, { max: 1 })];
  onTestFinished(async () => void (await Promise.all([backup.end(), reader.end()])));
  let migrated: Promise<number> | undefined;
  await backup.sql.begin(async (tx) => {
    await tx`select 1 from notes`;
    migrated = migrate(connection, migrationsOf([START, EXPAND]), '0.10.0');
    await expect
      .poll(
        () => db.sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      )
      .toHaveLength(1);
    expect(await reader.sql`select text from notes`).toEqual([]);
  });
  expect(await migrated).toBe(1);
});

async function oldest() {
  const [fact] = await db.sql<{ value: string }[]>`select value from facts where name = 'oldest'`;
  return fact?.value;
}

async function applied() {
  const rows = await db.sql`select 1 from drizzle.__drizzle_migrations`;
  return rows.length;
}
