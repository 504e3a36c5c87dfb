// A backup that is stopped, killed or finds no room leaves nothing that could be taken for one.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { open } from '@parley/db/client';
import { isEmpty } from '@parley/db/dump';
import { getTableColumns, getTableName, is } from 'drizzle-orm';
import { PgTable } from 'drizzle-orm/pg-core';
import { openBackup } from '@parley/server/backup/restore-backup';
import { build } from '@parley/scripts/build';
import { root } from '@parley/scripts/build-stamps';
import { beforeAll, expect, inject, onTestFinished, test } from 'vitest';
import { copyTemplate, createTestDatabase } from '../../support/database.ts';
import { createFolder } from '../../support/folders.ts';

const MB = 1_000_000;

beforeAll(() => build(), 300_000);

test('a backup has all columns of every table', async () => {
  const { database, folder } = await prepare(0);
  const path = join(folder, 'saved.zip');
  expect(await backup(database, path).ended).toMatchObject({ code: 0 });
  const { manifest } = await openBackup(path);
  const saved = new Map(manifest.tables.map(({ name, columns }) => [name, columns]));
  const modules = readdirSync(join(root, 'db/src/tables'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => import(join(root, 'db/src/tables', file)) as Promise<Record<string, unknown>>);
  const tables = (await Promise.all(modules))
    .flatMap((module) => Object.values(module))
    .filter((one) => is(one, PgTable));
  expect(tables.length).toBeGreaterThan(30);
  for (const table of tables) {
    const columns = Object.values(getTableColumns(table)).filter(({ generated }) => generated === undefined);
    const name = getTableName(table);
    expect(saved.get(name)?.toSorted(), name).toEqual(columns.map((column) => column.name).toSorted());
  }
  // And the database has none that nobody would save.
  const rows = await database.db.sql<{ name: string }[]>`select relname as name from pg_class c
    join pg_namespace n on n.oid = relnamespace where relkind in ('r', 'p', 'f')
    and nspname not like 'pg\\_%' and nspname not in ('information_schema', 'drizzle')`;
  expect(rows.map(({ name }) => name).toSorted()).toEqual([...saved.keys()].toSorted());
  expect(await database.db.sql`select 1 from pg_largeobject_metadata`).toHaveLength(0);
});

test.each([
  ['SIGTERM', 143],
  ['SIGINT', 130],
] as const)('a backup that gets %s says so, and leaves no file and no snapshot', async (signal, code) => {
  const { database, folder } = await prepare(3 * MB);
  const running = backup(database, join(folder, 'saved.zip'));
  await holdInTheMiddle(database, folder, running);
  running.child.kill(signal);
  const { stdout, stderr, ...ended } = await running.ended;
  expect([ended.code, stdout, lastLine(stderr)]).toEqual([code, '', `Stopped by ${signal}. No backup was made.`]);
  expect(readdirSync(folder)).toEqual([]);
  await expect.poll(() => snapshots(database)).toHaveLength(0);
  expect(await database.db.sql`select 1 from facts where starts_with(name, 'backup')`).toHaveLength(0);
});

test("a killed backup's leftovers are refused by a restore and removed by the next backup, which leaves others", async () => {
  const { database, folder } = await prepare(3 * MB);
  const path = join(folder, 'saved.zip');
  const first = backup(database, path);
  const release = await holdInTheMiddle(database, folder, first);
  first.child.kill('SIGKILL');
  await first.ended;
  const [left = ''] = readdirSync(folder);
  expect(left).toMatch(/^saved\.zip\.[\da-f-]+\.part$/);
  const target = await copyTemplate();
  onTestFinished(async () => void (await target.drop()));
  const refused = await command(['restore', join(folder, left)], target.connection.database).ended;
  expect(refused).toMatchObject({
    code: 1,
    stdout: '',
    stderr: `${join(folder, left)} is no backup, or not a whole one.\n`,
  });
  writeFileSync(join(folder, 'notes.zip.part'), 'of somebody else');

  // One that is still being written is left alone.
  const living = backup(database, join(folder, 'second.zip'));
  await expect.poll(() => readdirSync(folder).filter((file) => file.startsWith('second.zip'))).toHaveLength(1);
  await expect.poll(() => readdirSync(folder)).not.toContain(left);
  const other = backup(database, join(folder, 'third.zip'));
  await expect.poll(() => readdirSync(folder).filter((file) => file.startsWith('third.zip'))).toHaveLength(1);
  expect(readdirSync(folder).filter((file) => file.startsWith('second.zip'))).toHaveLength(1);
  await release();
  expect(await living.ended).toMatchObject({ code: 0 });
  expect(await other.ended).toMatchObject({ code: 0 });
  expect(readdirSync(folder).toSorted()).toEqual(['notes.zip.part', 'second.zip', 'third.zip']);
});

test('a backup that finds no room says so and leaves nothing', async () => {
  const { database, folder } = await prepare(12 * MB);
  const path = join(folder, 'saved.zip');
  // In blocks of 512 or 1024 bytes, as the shell counts.
  const limited = ['-c', 'ulimit -f 4000; exec "$0" "$@"', process.execPath, 'server/dist/commands.js', 'backup', path];
  const { code, stdout, stderr } = await start('sh', limited, database.connection.database).ended;
  expect([code, stdout]).toEqual([1, '']);
  expect(lastLine(stderr)).toBe(`There is no room for ${path} (EFBIG): no backup was made.`);
  expect(readdirSync(folder)).toEqual([]);
  await expect.poll(() => snapshots(database)).toHaveLength(0);
});

test('a backup into a folder that is not there says so', async () => {
  const { database, folder } = await prepare(0);
  const path = join(folder, 'absent', 'saved.zip');
  const { code, stderr } = await backup(database, path).ended;
  expect([code, lastLine(stderr)]).toEqual([1, expect.stringContaining(`${path} cannot be written: ENOENT`)]);
});

test('a backup whose database goes away in the middle fails and leaves nothing', async () => {
  const { database, folder } = await prepare(3 * MB);
  const running = backup(database, join(folder, 'saved.zip'));
  await holdInTheMiddle(database, folder, running);
  await database.db.sql`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and query ilike 'copy%'`;
  expect(await running.ended).toMatchObject({ code: 1, stdout: '' });
  expect(readdirSync(folder)).toEqual([]);
});

test('a backup that is cut anywhere is refused', async () => {
  const { database, folder } = await prepare(0);
  const path = join(folder, 'saved.zip');
  expect(await backup(database, path).ended).toMatchObject({ code: 0 });
  const bytes = readFileSync(path);
  const cut = join(folder, 'cut.zip');
  for (let share = 0; share < 1; share += 0.05) {
    writeFileSync(cut, bytes.subarray(0, Math.floor(bytes.length * share)));
    await expect(openBackup(cut), `${share}`).rejects.toThrow(`${cut} is no backup, or not a whole one.`);
  }
  for (const missing of [1, 2, 10, 21, 22, 23, 100]) {
    writeFileSync(cut, bytes.subarray(0, -missing));
    await expect(openBackup(cut), `${missing}`).rejects.toThrow(`${cut} is no backup, or not a whole one.`);
  }
});

test('a restore that gets SIGTERM leaves an empty database', async () => {
  const { database, folder } = await prepare(1 * MB);
  const path = join(folder, 'saved.zip');
  expect(await backup(database, path).ended).toMatchObject({ code: 0 });
  const target = await createTestDatabase();
  onTestFinished(() => target.drop());
  const running = command(['restore', path], target.connection.database);
  const held = target.db.sql.begin(async (tx) => {
    await tx`lock table users in share mode`;
    const isWaiting = () => database.db.sql`select 1 from pg_stat_activity
      where datname = ${target.connection.database} and wait_event_type = 'Lock'`;
    await expect.poll(isWaiting).toHaveLength(1);
    running.child.kill('SIGTERM');
    const { code, stderr } = await running.ended;
    expect([code, lastLine(stderr)]).toEqual([143, expect.stringMatching(/^Stopped by SIGTERM\. Either all rows/)]);
  });
  await held;
  expect(await isEmpty(target.connection)).toBe(true);
  expect(await command(['restore', path], target.connection.database).ended).toMatchObject({ code: 0 });
});

type Database = Awaited<ReturnType<typeof createTestDatabase>>;
type Running = ReturnType<typeof start>;

/** A database with about so many bytes that do not compress, in the first tables of a backup. */
async function prepare(bytes: number) {
  const database = await createTestDatabase();
  onTestFinished(() => database.drop());
  const rows = Math.ceil(bytes / 32_000);
  await database.db.sql`insert into facts (name, value)
    select 'filler ' || n, (select string_agg(md5(n || ' ' || m), '') from generate_series(1, 1000) as m)
    from generate_series(1, ${rows}::int) as n`;
  return { database, folder: createFolder() };
}

/**
 * Waits until the first rows are in the file of a backup, while a later table is locked. Returns what unlocks it. A
 * backup needs the lock of `users`, which comes after `facts`.
 */
async function holdInTheMiddle({ connection, db }: Database, folder: string, running: Running) {
  const sql = open(connection, { max: 1 });
  await sql`begin`;
  await sql`lock table users in access exclusive mode`;
  const release = () => sql.end({ timeout: 0 });
  onTestFinished(release);
  const isWaiting = () => db.sql`select 1 from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock' and query ilike 'copy%'`;
  await expect.poll(isWaiting).toHaveLength(1);
  expect(running.child.exitCode).toBe(null);
  expect(readdirSync(folder)).toHaveLength(1);
  return release;
}

function snapshots({ db }: Database) {
  return db.sql`select 1 from pg_stat_activity where datname = current_database() and query ilike 'copy%'`;
}

function backup({ connection }: Database, path: string): Running {
  return command(['backup', path], connection.database);
}

function command(args: string[], database: string): Running {
  return start(process.execPath, ['server/dist/commands.js', ...args], database);
}

function start(program: string, args: string[], database: string) {
  const { PATH = '', HOME = '' } = process.env;
  const { folder, user } = inject('database');
  const environment = {
    PGHOST: folder,
    PGUSER: user,
    DATABASE_URL: `postgres:///${database}`,
    DATA_DIR: createFolder(),
  };
  const child = spawn(program, args, { cwd: root, env: { PATH, HOME, ...environment } });
  onTestFinished(() => void child.kill('SIGKILL'));
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (text: Buffer) => (stdout += text.toString()));
  child.stderr.on('data', (text: Buffer) => (stderr += text.toString()));
  const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, stdout, stderr }));
  return { child, ended };
}

function lastLine(text: string): string {
  return text.trimEnd().split('\n').at(-1) ?? '';
}
