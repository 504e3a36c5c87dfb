// The backup of an installation of about 500 MB while 50 answers run, restored into a second installation: every row and
// every file is there. BACKUP_SHARE=0.1 makes it smaller.
import { execFile } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { open } from '@parley/db/client';
import { startEmbedded } from '@parley/db/embedded';
import { build } from '@parley/scripts/build';
import { root } from '@parley/scripts/build-stamps';
import { startFakeProvider, type FakeProvider } from '@parley/scripts/fake-provider';
import { startServer } from '@parley/scripts/server-process';
import { createLocalStore } from '@parley/server/files/stores/local';
import { storageKey } from '@parley/server/storage/file-store';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { begin, finalOf, question, signUp } from '../../support/rest/client.ts';

const SHARE = Number(process.env.BACKUP_SHARE ?? 1);
const PEOPLE = 200;
const CONVOS = Math.ceil(8_000 * SHARE);
const MESSAGES_OF_A_CONVO = 20;
const FILES = Math.ceil(400 * SHARE);
const FILE_BYTES = 500_000;
const CHUNKS_OF_A_FILE = 50;
const ANSWERS = 50;
/** One has rows only while answers run, and a restore writes some of the other itself. */
const PASSING = ['generation_events', 'facts'];

const folder = mkdtempSync(join(tmpdir(), 'parley-backup-'));
let provider: FakeProvider;

beforeAll(async () => {
  await build();
  provider = await startFakeProvider();
}, 600_000);
afterAll(async () => {
  await provider?.close();
  rmSync(folder, { recursive: true, force: true });
});

test('a large installation is the same after a backup and a restore', async () => {
  const [first, second, path] = [join(folder, 'first'), join(folder, 'second'), join(folder, 'saved.zip')];
  const server = await startServer(folder, environment(first));
  const started = server.said();
  try {
    const alice = await signUp(server.url, 'alice');
    await fill(first);
    const before = await readRows(first);
    const slowly = () => begin(alice, question('Write slowly [[slow:400]]', { model: 'gpt-4' }));
    const answers = await Promise.all(Array.from({ length: ANSWERS }, slowly));
    const saved = await command(['backup', path], environment(first));
    expect([saved.code, saved.stderr.replace(/^.* \(\d+ s\)(?:: .*)?\n/gm, '')]).toEqual([0, '']);
    // The operator was told, once a second at most.
    expect(saved.stderr).toMatch(/^Saving (?:\w+ \(table \d+ of \d+\): \d+ rows|files: \d+), [\d.]+ MB \(\d+ s\)$/m);
    const ends = await Promise.all(answers.map((answer) => answer.rest()));
    // Before the answers, whose errors say less.
    expect(server.said().slice(started.length)).toBe('');
    const finals = ends.map((frames) => finalOf(frames).responseMessage);
    expect(finals.filter(({ error, unfinished }) => error || unfinished)).toEqual([]);
    const after = await readRows(first);
    await server.end('SIGTERM');

    const restored = await command(['restore', path], environment(second));
    expect(restored.code, restored.stderr).toBe(0);
    const found = await readRows(second);
    console.log(
      `${saved.stdout}${statSync(path).size} bytes; ${[...found.values()].reduce((sum, rows) => sum + rows.size, 0)} rows`,
    );
    expect([...found.keys()]).toEqual([...before.keys()]);
    for (const [table, rows] of found) {
      if (PASSING.includes(table)) continue;
      const [earlier, later] = [before.get(table) ?? new Set<string>(), after.get(table) ?? new Set<string>()];
      // A row that was there all the time is saved, and where nothing has changed there is nothing else.
      const steady = [...earlier].filter((row) => later.has(row));
      expect(
        steady.filter((row) => !rows.has(row)),
        table,
      ).toEqual([]);
      if (steady.length === earlier.size && steady.length === later.size) expect(rows.size, table).toBe(steady.length);
    }
    for (const table of ['messages', 'chunks', 'chunk_vectors', 'files'])
      expect(found.get(table)?.size, table).toBeGreaterThan(FILES - 1);
    expect(await readFiles(second)).toEqual(await readFiles(first));
  } finally {
    await server.end('SIGKILL');
  }
}, 3_600_000);

/** The hashes of all rows, by table. */
async function readRows(dataDir: string): Promise<Map<string, Set<string>>> {
  return withSql(dataDir, async (sql) => {
    const tables = await sql<{ name: string }[]>`select relname as name from pg_class
      where relnamespace = 'public'::regnamespace and relkind = 'r' order by 1`;
    const found = new Map<string, Set<string>>();
    for (const { name } of tables) {
      const rows = await sql<{ hash: string }[]>`select md5(one::text) as hash from ${sql(name)} as one`;
      found.set(name, new Set(rows.map(({ hash }) => hash)));
      expect(found.get(name)?.size, name).toBe(rows.length);
    }
    return found;
  });
}

/** The hashes of all stored files, by their keys. */
async function readFiles(dataDir: string): Promise<Record<string, string>> {
  const store = storeOf(dataDir);
  const found: Record<string, string> = {};
  for await (const key of store.list('')) {
    const hash = createHash('sha256');
    for await (const chunk of await store.read(key)) hash.update(chunk);
    found[key] = hash.digest('hex');
  }
  expect(Object.keys(found).length).toBeGreaterThanOrEqual(FILES);
  return Object.fromEntries(Object.entries(found).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** People, conversations, files with their bytes, and the texts of these with their embeddings. */
async function fill(dataDir: string): Promise<void> {
  await withSql(dataDir, async (sql) => {
    await sql`insert into users (email, name) select 'person' || n || '@example.com', 'Person ' || n
      from generate_series(1, ${PEOPLE}::int) as n`;
    // Without triggers: indexing all messages for search would take most of the time.
    await sql`set session_replication_role = replica`;
    await sql`insert into convos (user_id, id, title, endpoint, endpoint_type, model, change_seq)
      select users.id, gen_random_uuid(), 'Talk ' || n, 'openAI', 'openAI', 'gpt-4', n
      from (select id, row_number() over (order by email) as at from users where email like 'person%') as users
      join generate_series(1, ${CONVOS}::int) as n on n % ${PEOPLE}::int + 1 = users.at`;
    await sql`insert into messages (user_id, id, convo_id, depth, is_created_by_user, sender, endpoint, endpoint_type, parts)
      select user_id, gen_random_uuid(), id, n, n % 2 = 0, 'User', 'openAI', 'openAI', jsonb_build_array(
        jsonb_build_object('type', 'text', 'text', E'Tab\t, backslash \\\\, line\nbreak, 雪 🦭 ' || n || repeat(md5(id::text || n), 25)))
      from convos, generate_series(0, ${MESSAGES_OF_A_CONVO - 1}::int) as n where title like 'Talk %'`;
    await sql`set session_replication_role = origin`;
    const people = await sql<{ id: string }[]>`select id from users where email like 'person%' order by email`;
    for (let n = 0; n < FILES; n += 1) await addFile(sql, dataDir, people[n % people.length]?.id ?? '', n);
  });
}

async function addFile(sql: ReturnType<typeof open>, dataDir: string, userId: string, n: number): Promise<void> {
  const bytes = randomBytes(FILE_BYTES + n);
  const hash = createHash('sha256').update(bytes).digest('hex');
  const path = join(dataDir, `arriving-${n}`);
  writeFileSync(path, bytes);
  const from = { path, bytes: bytes.length, mime: 'text/plain' };
  await storeOf(dataDir).put(storageKey(userId, hash), from, new AbortController().signal);
  rmSync(path, { force: true });
  await sql`insert into blobs (user_id, hash, store, bytes, state) values (${userId}, ${hash}, 'local', ${bytes.length}, 'stored')`;
  const [file] = await sql<{ id: string }[]>`
    insert into files (user_id, id, hash, name, mime, bytes, context, source, embedded)
    values (${userId}, gen_random_uuid(), ${hash}, ${`notes-${n}.txt`}, 'text/plain', ${bytes.length}, 'message_attachment',
      'local', true) returning id`;
  const fileId = file?.id ?? '';
  await sql`insert into documents (user_id, file_id, state, chunks, model)
    values (${userId}, ${fileId}, 'ready', ${CHUNKS_OF_A_FILE}, 'text-embedding-3-small')`;
  await sql`insert into chunks (user_id, file_id, n, body, tokens)
    select ${userId}, ${fileId}, at, 'Walruses ' || at || ' ' || repeat(md5(${fileId}::text || at) || ' ', 50), 500
    from generate_series(0, ${CHUNKS_OF_A_FILE - 1}::int) as at`;
  await sql`insert into chunk_vectors (user_id, file_id, n, model, bits, vec, scale)
    select ${userId}, ${fileId}, at, 'text-embedding-3-small',
      ('x' || repeat(md5(${fileId}::text || at), 12))::varbit, decode(repeat(md5(at || ${fileId}::text), 96), 'hex'),
      random()
    from generate_series(0, ${CHUNKS_OF_A_FILE - 1}::int) as at`;
}

async function withSql<T>(dataDir: string, work: (sql: ReturnType<typeof open>) => Promise<T>): Promise<T> {
  const database = await startEmbedded(dataDir);
  const sql = open(database.connection, { max: 1, max_lifetime: null });
  try {
    return await work(sql);
  } finally {
    await sql.end();
    await database.stop();
  }
}

function storeOf(dataDir: string) {
  return createLocalStore(join(dataDir, 'uploads', 'stored'));
}

function environment(dataDir: string): Record<string, string> {
  return {
    DATA_DIR: dataDir,
    PORT: '0',
    OPENAI_API_KEY: 'sk-test',
    OPENAI_REVERSE_PROXY: `${provider.url}/v1`,
    OPENAI_MODELS: 'fake:echo,gpt-4',
    TITLE_CONVO: 'false',
    LOG_LEVEL: 'error',
  };
}

function command(args: string[], extra: Record<string, string>) {
  const { PATH = '', HOME = '' } = process.env;
  const env = { PATH, HOME, ...extra };
  return new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
    execFile(process.execPath, ['server/dist/commands.js', ...args], { cwd: root, env }, (error, stdout, stderr) =>
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, stdout, stderr }),
    );
  });
}
