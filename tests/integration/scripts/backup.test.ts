// A backup of a server that answers, restored into a new folder, and what a restore refuses.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { connect, open, type Db } from '@parley/db/client';
import { isEmpty } from '@parley/db/dump';
import { readBackupFacts } from '@parley/db/backup-facts';
import { openBackup, restoreBackup } from '@parley/server/backup/restore-backup';
import { createUser, findUserByEmail } from '@parley/server/auth/users';
import { createLocalStore } from '@parley/server/files/stores/local';
import { VERSION } from '@parley/schema/catalog/startup';
import { build } from '@parley/scripts/build';
import { root } from '@parley/scripts/build-stamps';
import { startFakeProvider, type FakeProvider } from '@parley/scripts/fake-provider';
import { startServer } from '@parley/scripts/server-process';
import { afterAll, beforeAll, expect, inject, onTestFinished, test } from 'vitest';
import { withoutProgress } from '../../support/command.ts';
import { answerRequests } from '../../support/exchange.ts';
import { copyTemplate, createTestDatabase } from '../../support/database.ts';
import { createFolder } from '../../support/folders.ts';
import { begin, finalOf, PASSWORD, question, send, signUp } from '../../support/rest/client.ts';
import { upload } from '../../support/uploads.ts';

const MIGRATIONS = join(root, 'db/migrations');
/** When the migration `0028_action_documents` was generated. */
const ACTION_DOCUMENTS = 1795718424564;
let provider: FakeProvider;

beforeAll(async () => {
  await build();
  provider = await startFakeProvider();
}, 120_000);
afterAll(() => provider.close());

test('everything is there after a restore, and answers go on while the backup is made', async () => {
  const [first, second] = [createFolder(), createFolder()];
  const before = await startServer(first, environment(first));
  onTestFinished(async () => void (await before.end('SIGKILL')));
  const alice = await signUp(before.url, 'alice');
  await send(
    before.url,
    'PUT',
    '/api/keys',
    { name: 'openAI', value: JSON.stringify({ apiKey: 'sk-of-alice', baseURL: '' }) },
    alice.headers,
  );
  const kept = finalOf(await alice.ask(question('Where are the walruses? [[echo]]')));
  const file = await upload(before.url, alice, { bytes: 'A document about walruses.', name: 'walrus.txt' });
  const running = await begin(alice, question('Write slowly [[slow:60]]', { model: 'gpt-4' }));
  const path = join(first, 'saved.zip');
  const saved = await command(['backup', path], environment(first));
  expect(saved.stderr).toBe('');
  expect(saved.stdout).toMatch(/^1 accounts, \d+ rows in \d+ tables and 1 files are in .*\. It has the secrets: keep/);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(finalOf(await running.rest()).responseMessage).toMatchObject({ unfinished: false, error: false });
  await before.end('SIGTERM');

  const restored = await command(['restore', path], environment(second));
  expect(restored.stderr).toBe('');
  expect(readFileSync(join(second, 'secrets.json'))).toEqual(readFileSync(join(first, 'secrets.json')));
  const after = await startServer(second, environment(second));
  onTestFinished(async () => void (await after.end('SIGTERM')));
  const form = { email: 'alice@example.com', password: PASSWORD };
  const { token } = (await (await send(after.url, 'POST', '/api/auth/login', form)).json()) as { token: string };
  const headers = { authorization: `Bearer ${token}` };
  const get = (address: string) => send(after.url, 'GET', address, undefined, headers);
  const found = await (await get('/api/search?q=walruses')).text();
  expect(found).toContain(kept.conversation.conversationId);
  expect(await (await get(`/api/files/download/${alice.id}/${file.file_id}`)).text()).toBe(
    'A document about walruses.',
  );
  const asked = await send(after.url, 'POST', '/api/ask/openAI', question('Which key? [[echo]]'), headers);
  expect(await asked.text()).toContain('Which key?');
  expect(answerRequests(provider).at(-1)).toMatchObject({ headers: { authorization: 'Bearer sk-of-alice' } });
}, 180_000);

test('a restore that is killed in its middle leaves an empty database, and begins anew', async () => {
  const { path } = await saveAlice();
  const target = await copyTemplate();
  const sql = open(target.connection, { max: 2 });
  onTestFinished(async () => {
    await sql.end();
    await target.drop();
  });
  const held = sql.begin(async (tx) => {
    // The restore waits for the end of this row, with the tables before this one filled.
    await tx`insert into facts (name, value) values ('secrets', 'of another')`;
    const env = external(target.connection.database);
    const first = spawn(process.execPath, ['server/dist/commands.js', 'restore', path], { cwd: root, env });
    const isWaiting = () => sql`select 1 from pg_stat_activity
      where datname = current_database() and wait_event = 'transactionid' and query ilike 'copy%facts%'`;
    await expect.poll(isWaiting).toHaveLength(1);
    first.kill('SIGKILL');
    await once(first, 'exit');
    throw new Error('let go');
  });
  await expect(held).rejects.toThrow('let go');
  expect(await isEmpty(target.connection)).toBe(true);

  const again = await command(['restore', path], external(target.connection.database));
  expect(again.stderr).toBe('');
  const db = connect(target.connection);
  onTestFinished(() => db.end());
  expect(await findUserByEmail(db, 'alice@example.com')).toMatchObject({ name: 'Alice' });
  // What it was restored from is known, and the backups of its former server are not its own.
  const { manifest } = await openBackup(path);
  expect(await readBackupFacts(db.query)).toMatchObject({
    made: null,
    restored: { madeAt: manifest.madeAt, version: VERSION },
  });
  const last = join(createFolder(), 'again.zip');
  expect(await command(['backup', last], external(target.connection.database))).toMatchObject({ code: 0 });
  expect(await readBackupFacts(db.query)).toMatchObject({ made: { bytes: statSync(last).size, version: VERSION } });
}, 120_000);

test('a restore refuses a database that is not empty', async () => {
  const { path, database } = await saveAlice();
  const { code, stderr } = await command(['restore', path], external(database.connection.database));
  expect([code, stderr]).toEqual([1, 'The database is not empty: a backup is restored into a new one.\n']);
});

test('a restore refuses a backup of a newer version, a damaged one and what is none', async () => {
  const { path } = await saveAlice();
  const target = await emptyDatabase();
  const folder = createFolder();
  const into = {
    connection: target.connection,
    store: createLocalStore(folder),
    secrets: join(folder, 'secrets.json'),
    arrivals: join(folder, 'arriving'),
    migrations: MIGRATIONS,
  };
  const { zip, manifest } = await openBackup(path);
  const newer = { ...manifest, migrations: [...manifest.migrations, Date.now()] };
  await expect(restoreBackup(zip, newer, into)).rejects.toThrow('The backup was made by a newer version of Parley');
  const tables = manifest.tables.map((table) => ({ ...table, sha256: '0'.repeat(64) }));
  await expect(restoreBackup(zip, { ...manifest, tables }, into)).rejects.toThrow('The backup is damaged: the rows of');
  expect(await isEmpty(target.connection)).toBe(true);

  const cut = join(folder, 'cut.zip');
  writeFileSync(cut, readFileSync(path).subarray(0, -100));
  await expect(openBackup(cut)).rejects.toThrow('is no backup, or not a whole one');
});

test('a backup never replaces a file', async () => {
  const { path, database } = await saveAlice();
  const { code, stderr } = await command(['backup', path], external(database.connection.database));
  expect([code, stderr]).toEqual([1, `${path} exists: name a file that does not.\n`]);
});

/** The columns that this migration and those after it add, by their table. */
const ADDED: Record<string, readonly string[]> = {
  actions: ['document'],
  convos: ['pin_position', 'runs_left', 'columns', 'arrived_at'],
  generations: ['budgeted', 'credits', 'is_uncounted', 'group_id'],
  messages: ['rating', 'is_chosen'],
  sessions: ['elevated_until', 'elevated_by'],
};

test('a backup of an older version is migrated', async () => {
  // Of tables with rows the backup has no column that the older version lacks.
  const { path } = await saveAlice(async ({ sql }) => {
    await sql`alter table users drop column state`;
    await sql`alter table generations drop column api_key_id`;
    await sql`drop table tool_settings, sign_in_tickets, recovery_codes, factors, api_keys, budgets, model_access, group_members, groups, usage_totals, usage_days, prompt_marks, prompt_versions, prompts, audit_events, invitations, provider_settings, server_settings`;
  });
  const { zip, manifest } = await openBackup(path);
  const target = await emptyDatabase();
  const folder = createFolder();
  const journal = JSON.parse(readFileSync(join(MIGRATIONS, 'meta/_journal.json'), 'utf8')) as { entries: unknown[] };
  expect(manifest.migrations).toHaveLength(journal.entries.length);
  const older = manifest.migrations.filter((when) => when < ACTION_DOCUMENTS);
  const tables = manifest.tables.map((table) => ({
    ...table,
    columns: table.columns.filter((column) => !ADDED[table.name]?.includes(column)),
  }));
  const { version: _, ...unversioned } = manifest;
  await restoreBackup(
    zip,
    { ...unversioned, migrations: older, tables },
    {
      connection: target.connection,
      store: createLocalStore(folder),
      secrets: '',
      arrivals: join(folder, 'arriving'),
      migrations: MIGRATIONS,
    },
  );
  const sql = open(target.connection, { max: 1 });
  onTestFinished(() => sql.end());
  expect(await sql`select 1 from drizzle.__drizzle_migrations`).toHaveLength(journal.entries.length);
  expect(await sql`select 1 from users`).toHaveLength(1);
  const [fact] = await sql<{ value: string }[]>`select value from facts where name = 'restored'`;
  expect(JSON.parse(fact?.value ?? '')).toMatchObject({ madeAt: manifest.madeAt, version: null });
});

function environment(folder: string): Record<string, string> {
  return {
    DATA_DIR: folder,
    PORT: '0',
    OPENAI_API_KEY: 'user_provided',
    OPENAI_REVERSE_PROXY: `${provider.url}/v1`,
    OPENAI_MODELS: 'fake:echo,gpt-4',
    TITLE_CONVO: 'false',
    LOG_LEVEL: 'silent',
  };
}

function external(database: string): Record<string, string> {
  const { folder, user } = inject('database');
  return { PGHOST: folder, PGUSER: user, DATABASE_URL: `postgres:///${database}`, DATA_DIR: createFolder() };
}

/** A database with Alice in it, and its backup. */
async function saveAlice(prepare?: (db: Db) => Promise<void>) {
  const database = await createTestDatabase();
  onTestFinished(() => database.drop());
  await createUser(database.db, { email: 'alice@example.com', name: 'Alice' });
  await database.db.sql`insert into facts (name, value) values ('secrets', 'a fingerprint')`;
  await prepare?.(database.db);
  const path = join(createFolder(), 'saved.zip');
  const { code, stderr } = await command(['backup', path], external(database.connection.database));
  expect([code, stderr]).toEqual([0, '']);
  return { path, database };
}

/** Not even migrated. */
async function emptyDatabase() {
  const target = await copyTemplate();
  const sql = open(target.connection, { max: 1 });
  await sql`drop schema public cascade`;
  await sql`drop schema drizzle cascade`;
  await sql`create schema public`;
  await sql.end();
  onTestFinished(async () => void (await target.drop()));
  return target;
}

function command(args: string[], extra: Record<string, string>) {
  const { PATH = '', HOME = '' } = process.env;
  const env = { PATH, HOME, ...extra };
  return new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
    execFile(process.execPath, ['server/dist/commands.js', ...args], { cwd: root, env }, (error, stdout, stderr) =>
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, stdout, stderr: withoutProgress(stderr) }),
    );
  });
}
