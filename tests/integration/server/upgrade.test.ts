// A new version on the database of an older one, and the reverse.
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { open, type Connection } from '@parley/db/client';
import { migrate, migrateTo } from '@parley/db/migrate';
import { VERSION } from '@parley/schema/catalog/startup';
import { build } from '@parley/scripts/build';
import { root } from '@parley/scripts/build-stamps';
import { startFakeProvider, type FakeProvider } from '@parley/scripts/fake-provider';
import { startServer } from '@parley/scripts/server-process';
import { hashPassword } from '@parley/server/auth/password/password-hash';
import { openBackup, restoreBackup } from '@parley/server/backup/restore-backup';
import { createLocalStore } from '@parley/server/files/stores/local';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import * as z from 'zod';
import { withoutProgress } from '../../support/command.ts';
import { copyTemplate } from '../../support/database.ts';
import { answerRequests } from '../../support/exchange.ts';
import { createFolder } from '../../support/folders.ts';
import { PASSWORD, question, send, signUp } from '../../support/rest/client.ts';
import { Message } from '../../support/rest/client-rules.ts';
import { countRows, fillTables } from '../../support/upgrades/fill-tables.ts';
import { migrationsOf, readEntries } from '../../support/upgrades/migrations.ts';

const MIGRATIONS = join(root, 'db/migrations');
const BACKUP = join(root, 'tests/fixtures/backups/0.9.0.zip');
const cut = JSON.parse(readFileSync(join(MIGRATIONS, 'versions.json'), 'utf8')) as Record<string, string>;
const EXPAND = '-- expand\nalter table convos add column of_a_later_version integer;';
const CONTRACT = '-- contract: oldest 99.0.0\nalter table convos drop column of_a_later_version;';
let provider: FakeProvider;

beforeAll(async () => {
  await build();
  provider = await startFakeProvider();
}, 120_000);
afterAll(() => provider.close());

describe('a server on a database that a newer version has migrated', () => {
  it('goes on and starts again while that one only expands, and is refused after a contraction', async () => {
    const { connection, env } = await database();
    const start = async () => {
      const server = await startServer(createFolder(), env);
      onTestFinished(async () => void (await server.end('SIGTERM')));
      return server;
    };
    const running = await start();
    const alice = await signUp(running.url, 'alice');
    await migrate(connection, migrationsOf([EXPAND], MIGRATIONS), '99.0.0');
    const again = await start();
    for (const { url } of [running, again, running]) {
      const asked = await send(url, 'POST', '/api/ask/openAI', question('Still here? [[echo]]'), alice.headers);
      expect(await asked.text()).toContain('Still here?');
    }
    await migrate(connection, migrationsOf([EXPAND, CONTRACT], MIGRATIONS), '99.0.0');
    expect(await program(env)).toEqual({
      code: 1,
      stdout: '',
      stderr: `The database needs Parley 99.0.0 or newer, and this is ${VERSION}: start such a version, or restore a backup from before it.\n`,
    });
  });

  it('restores no backup of it, and that version does', async () => {
    const { connection, env } = await database();
    const newer = migrationsOf([EXPAND], MIGRATIONS);
    await migrate(connection, newer, '99.0.0');
    const path = join(createFolder(), 'saved.zip');
    expect(await program(env, ['backup', path], 'commands.js')).toMatchObject({ code: 0, stderr: '' });
    const target = await database();
    expect(await program(target.env, ['restore', path], 'commands.js')).toMatchObject({
      code: 1,
      stderr: 'The backup was made by a newer version of Parley: restore it with that version.\n',
    });
    await restore(path, target.connection, newer);
    const sql = opened(target.connection);
    expect(await sql`select value from facts where name = 'oldest'`).toEqual([{ value: '0.9.0' }]);
  });
});

describe('--migrate', () => {
  it('migrates, says so in one line and ends, without any other setting', async () => {
    const { env } = await database({ isEmpty: true });
    const { length } = readEntries(MIGRATIONS);
    const wrong = {
      PORT: 'eighty',
      OPENAI_REVERSE_PROXY: 'nowhere',
      CONFIG_PATH: '/nowhere/parley.yaml',
      CREDS_KEY: '5',
    };
    const run = () => program({ ...env, ...wrong }, ['--migrate']);
    const done = { code: 0, stderr: '' };
    expect(await run()).toEqual({
      ...done,
      stdout: `The database has the migrations of ${VERSION}: ${length} were applied.\n`,
    });
    expect(await run()).toEqual({ ...done, stdout: `The database has the migrations of ${VERSION}.\n` });
    const server = await startServer(createFolder(), env);
    expect(await server.end('SIGTERM')).toBe(0);
  });

  it('goes past a pooler, which need not be there', async () => {
    const { env } = await database({ isEmpty: true });
    const pooler = 'postgres://parley:secret@127.0.0.1:1/parley';
    const run = await program({ ...env, DATABASE_DIRECT_URL: env.DATABASE_URL, DATABASE_URL: pooler }, ['--migrate']);
    expect(run).toMatchObject({ code: 0, stderr: '', stdout: expect.stringContaining('were applied.') });
  });

  it('migrates the embedded database', async () => {
    const run = await program({ DATA_DIR: createFolder() }, ['--migrate']);
    expect(run).toMatchObject({ code: 0, stderr: '', stdout: expect.stringContaining('were applied.') });
  });

  it.each([
    [
      { DATABASE_URL: 'postgres://parley:secret@127.0.0.1:1/parley' },
      /^The database at 127\.0\.0\.1:1\/parley cannot be reached: .*\.\n$/,
    ],
    [{ DATABASE_URL: 'mysql://127.0.0.1/parley' }, /^DATABASE_URL .*\n$/],
  ])('fails in one sentence: %j', async (env, sentence) => {
    expect(await program({ DATA_DIR: createFolder(), ...env }, ['--migrate'])).toEqual({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(sentence),
    });
  });
});

describe.each(Object.entries(cut))('the database of %s', (_version, last) => {
  it('keeps its rows when it is migrated, and its people sign in and read their chats', async () => {
    const { connection, env } = await database({ isEmpty: true });
    const sql = opened(connection);
    const entries = readEntries(MIGRATIONS);
    const applied = entries.slice(0, entries.findIndex(({ tag }) => tag === last) + 1);
    await migrateTo(
      connection,
      MIGRATIONS,
      applied.map(({ when }) => when),
    );
    await fillTables(sql, {
      'users.email': 'alice@example.com',
      'users.password_hash': await hashPassword(PASSWORD),
      'convos.title': 'Walruses',
      'budgets.scope': 'person',
      'budgets.group_id': null,
      'transactions.token_value': -1,
      'messages.parts': [{ type: 'text', text: 'Where are the walruses?' }],
    });
    const before = await countRows(sql);
    expect(Object.entries(before).filter(([, count]) => count === 0)).toEqual([]);
    await migrate(connection, MIGRATIONS);
    const after = await countRows(sql);
    expect(Object.entries(before).filter(([table, count]) => count > (after[table] ?? 0))).toEqual([]);
    const server = await startServer(createFolder(), env);
    onTestFinished(async () => void (await server.end('SIGTERM')));
    const alice = await signIn(server.url);
    const [convo] = await sql<{ id: string }[]>`select id from convos`;
    const messages = await (await alice.get(`/api/messages/${convo?.id}`)).json();
    expect(messages).toMatchObject([{ text: 'Where are the walruses?' }]);
  });
});

describe('a backup of 0.9.0', () => {
  it('is restored and migrated with everything that its person made', async () => {
    const { env } = await database({ isEmpty: true });
    const run = await program(env, ['restore', BACKUP], 'commands.js');
    expect([run.stderr, run.stdout]).toEqual([
      '',
      expect.stringMatching(/^1 accounts, .* made by version 0\.9\.0, are/),
    ]);
    const server = await startServer(createFolder(), { ...env, OPENAI_API_KEY: 'user_provided' });
    onTestFinished(async () => void (await server.end('SIGTERM')));
    const alice = await signIn(server.url);
    const json = async (path: string): Promise<unknown> => (await alice.get(path)).json();
    const { conversations } = z
      .object({ conversations: z.array(z.object({ conversationId: z.string(), title: z.string() })) })
      .parse(await json('/api/convos'));
    expect(conversations).toMatchObject([{ title: 'Walruses' }]);
    const [{ conversationId } = { conversationId: '' }] = conversations;
    const messages = Message.array().parse(await json(`/api/messages/${conversationId}`));
    expect(messages.filter(({ isCreatedByUser }) => isCreatedByUser).map(({ text }) => text)).toEqual([
      'Where are the walruses? [[echo]]',
      'And the narwhals? [[echo]]',
    ]);
    expect(messages).toHaveLength(5);
    expect(await json('/api/search?q=narwhals')).toMatchObject({ conversations: [{ conversationId }] });
    expect(await json('/api/presets')).toMatchObject([{ title: 'Terse', temperature: 0.3, promptPrefix: 'Be terse.' }]);
    const [file] = z.array(z.object({ file_id: z.string(), filename: z.string() })).parse(await json('/api/files'));
    expect(await json('/api/assistants')).toMatchObject({
      data: [{ name: 'Poet', instructions: 'Rhyme.', file_ids: [file?.file_id] }],
    });
    expect(await (await alice.get(`/api/files/download/${alice.id}/${file?.file_id}`)).text()).toBe(
      'A document about walruses.',
    );
    // Her saved key is opened with the secrets of the backup.
    const asked = await send(server.url, 'POST', '/api/ask/openAI', question('Which key? [[echo]]'), alice.headers);
    expect(await asked.text()).toContain('Which key?');
    expect(answerRequests(provider).at(-1)).toMatchObject({ headers: { authorization: 'Bearer sk-of-alice' } });
  });
});

async function signIn(url: string) {
  const form = { email: 'alice@example.com', password: PASSWORD };
  const answer = await (await send(url, 'POST', '/api/auth/login', form)).json();
  const { token, user } = z.object({ token: z.string(), user: z.object({ id: z.string() }) }).parse(answer);
  const headers = { authorization: `Bearer ${token}` };
  return { id: user.id, headers, get: (path: string) => send(url, 'GET', path, undefined, headers) };
}

async function database({ isEmpty = false } = {}) {
  const { connection, drop } = await copyTemplate();
  onTestFinished(async () => void (await drop()));
  if (isEmpty) {
    const sql = open(connection, { max: 1 });
    await sql`drop schema public cascade`;
    await sql`drop schema drizzle cascade`;
    await sql`create schema public`;
    await sql.end();
  }
  const env = {
    PGHOST: connection.folder,
    PGUSER: connection.user,
    DATABASE_URL: `postgres:///${connection.database}`,
    DATA_DIR: createFolder(),
    PORT: '0',
    OPENAI_API_KEY: 'fake',
    OPENAI_REVERSE_PROXY: `${provider.url}/v1`,
    OPENAI_MODELS: 'fake:echo,gpt-4',
    TITLE_CONVO: 'false',
    LOG_LEVEL: 'silent',
  };
  return { connection, env };
}

function opened(connection: Connection) {
  const sql = open(connection, { max: 1 });
  onTestFinished(() => sql.end());
  return sql;
}

async function restore(path: string, connection: Connection, migrations: string) {
  const { zip, manifest } = await openBackup(path);
  const folder = createFolder();
  const files = { store: createLocalStore(folder), secrets: '', arrivals: join(folder, 'arriving') };
  await restoreBackup(zip, manifest, { connection, migrations, ...files });
}

/** One of the two programs of the built server, to its end. */
function program(extra: Record<string, string>, args: string[] = [], name = 'main.js') {
  const { PATH = '', HOME = '' } = process.env;
  const options = { cwd: createFolder(), env: { PATH, HOME, ...extra } };
  return new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
    execFile(process.execPath, [join(root, 'server/dist', name), ...args], options, (error, stdout, stderr) =>
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, stdout, stderr: withoutProgress(stderr) }),
    );
  });
}
