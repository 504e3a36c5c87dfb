import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { assertReachable, connect, findPostgresError } from '@parley/db/client';
import type { Db } from '@parley/db/client';
import { migrate } from '@parley/db/migrate';
import { sql } from 'drizzle-orm';
import { beforeEach, expect, inject, test } from 'vitest';
import * as z from 'zod';
import { createFolder } from '../../support/folders.ts';

const folder = fileURLToPath(new URL('../../fixtures/migrations', import.meta.url));

const server = inject('database');
let database = '';
let db: Db;

const here = () => ({ ...server, database });

beforeEach(async () => {
  database = `migrated_${randomUUID().replaceAll('-', '')}`;
  const admin = connect(server, { max: 1 });
  await admin.sql.unsafe(`create database ${database}`);
  await admin.end();
  db = connect(here(), { max: 1 });
  return () => db.end();
});

test('three processes at once migrate an empty database', async () => {
  await Promise.all([migrate(here(), folder), migrate(here(), folder), migrate(here(), folder)]);
  await db.sql`insert into notes (text) values ('hello')`;
  expect(await db.sql`select count(*) from drizzle.__drizzle_migrations`).toEqual([{ count: 2 }]);
});

test('a second migration run changes nothing', async () => {
  await migrate(here(), folder);
  await migrate(here(), folder);
  expect(await db.sql`select count(*) from drizzle.__drizzle_migrations`).toEqual([{ count: 2 }]);
});

test('a database of a newer version is refused', async () => {
  await migrate(here(), folder);
  await db.sql`insert into drizzle.__drizzle_migrations (hash, created_at) values ('later', 1800000000000)`;
  await expect(migrate(here(), folder)).rejects.toThrow(/made by a newer version of Parley \(1 of its migrations/);
});

test('a failing migration leaves nothing behind, and the corrected one runs', async () => {
  const copy = createFolder();
  cpSync(folder, copy, { recursive: true });
  const file = join(copy, '0001_notes.sql');
  writeFileSync(file, `${readFileSync(file, 'utf8')};--> statement-breakpoint\nselect nonsense;`);
  await expect(migrate(here(), copy)).rejects.toThrow(/^The database cannot be migrated: column "nonsense" does not/);
  expect(await db.sql`select to_regclass('notes') as found`).toEqual([{ found: null }]);
  await migrate(here(), folder);
  expect(await db.sql`select to_regclass('notes')::text as found`).toEqual([{ found: 'notes' }]);
});

test('migrations have ascending timestamps', () => {
  const journal = JSON.parse(
    readFileSync(new URL('../../../db/migrations/meta/_journal.json', import.meta.url), 'utf8'),
  );
  const moments: number[] = journal.entries.map((entry: { when: number }) => entry.when);
  expect(moments).toEqual(moments.toSorted((a, b) => a - b));
});

test('search entries from before the date column get the dates of their messages', async () => {
  const copy = createFolder();
  cpSync(fileURLToPath(new URL('../../../db/migrations', import.meta.url)), copy, { recursive: true });
  const file = join(copy, 'meta/_journal.json');
  const whole = readFileSync(file, 'utf8');
  const journal = JSON.parse(whole);
  writeFileSync(file, JSON.stringify({ ...journal, entries: journal.entries.slice(0, 5) }));
  await migrate(here(), copy);
  const id = '00000000-0000-4000-8000-000000000001';
  await db.sql`insert into users (id, email, name) values (${id}, 'alice@example.com', 'Alice')`;
  await db.sql`
    insert into convos (user_id, id, title, endpoint, endpoint_type, change_seq, created_at)
    values (${id}, ${id}, 'Tulips', 'openAI', 'openAI', 1, '2021-02-03 04:05:06.789012Z')`;
  await db.sql`
    insert into messages (user_id, id, convo_id, depth, is_created_by_user, sender, endpoint, endpoint_type, parts, created_at)
    values (${id}, ${id}, ${id}, 0, true, 'User', 'openAI', 'openAI', '[{"type":"text","text":"Tulips"}]', '1999-12-31 23:59:59Z')`;
  writeFileSync(file, whole);
  await migrate(here(), copy);
  expect(await db.sql`select is_title, written_at, body from search_entries order by is_title`).toEqual([
    { is_title: false, written_at: Date.UTC(1999, 11, 31, 23, 59, 59) * 1000, body: 'tulips' },
    { is_title: true, written_at: Date.UTC(2021, 1, 3, 4, 5, 6) * 1000 + 789_012, body: 'tulips' },
  ]);
});

test('the database error is found inside the error of drizzle', async () => {
  await migrate(here(), folder);
  const insert = () => db.query.execute(sql`insert into notes (text) values ('twice')`);
  await insert();
  const error = await insert().catch((reason: unknown) => reason);
  expect(findPostgresError(error)).toMatchObject({ code: '23505', constraint_name: 'notes_text_unique' });
});

test('plain SQL returns timestamps as dates and counts as numbers, also beside drizzle', async () => {
  await db.query.execute(sql`select 1`);
  const [row] = await db.sql`select now() as at, 5::bigint as n, '{"a":1}'::jsonb as json`;
  expect(row).toEqual({ at: expect.any(Date), n: 5, json: { a: 1 } });
});

test('an unreachable database gives one sentence without its password', async () => {
  const refused = assertReachable({ kind: 'url', url: 'postgres://alice:secret@127.0.0.1:1/parley' });
  await expect(refused).rejects.toThrow(
    'The database at 127.0.0.1:1/parley cannot be reached: connect ECONNREFUSED 127.0.0.1:1.',
  );
});

test('a server that accepts and stays silent counts as unreachable', async () => {
  const silent = createServer().listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const { port } = z.object({ port: z.number() }).parse(silent.address());
  const waited = assertReachable({ kind: 'url', url: `postgres://alice:secret@127.0.0.1:${port}/parley` }, 0.1);
  await expect(waited).rejects.toThrow(/cannot be reached: no answer within 0\.1 seconds\.$/);
  silent.close();
});
