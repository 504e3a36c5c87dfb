// A server that is killed while it imports the ZIP file of an export: each conversation is here whole or not at all, and
// the same file, imported again, brings the rest and doubles nothing. KILL_SEEDS=5 makes it shorter.
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { readdir, stat, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ImportLine } from '@parley/schema/transfer/results';
import { insertThread } from '@parley/scripts/seed/threads';
import { createLocalStore } from '@parley/server/files/stores/local';
import { sweepFiles } from '@parley/server/files/sweep';
import { storageKey } from '@parley/server/storage/file-store';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { exportOf } from '../../integration/transfer/archives.ts';
import { createTestDatabase } from '../../support/database.ts';
import { exchange, question } from '../../support/exchange.ts';
import { openHttpClients } from '../../support/http-clients.ts';
import { signUp, type Client } from '../../support/rest/client.ts';
import { keepTestFile } from '../../support/uploads.ts';
import { forkServer } from './fork-server.ts';

const SEEDS = Number(process.env.KILL_SEEDS ?? 20);
const THREADS = 300;
const MESSAGES = 6;
const FILES = 10;
const HOUR_MS = 3_600_000;

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let server: { child: ChildProcess; url: string };
let archive: Uint8Array<ArrayBuffer>;
const folder = mkdtempSync(join(tmpdir(), 'parley-killed-imports-'));
const uploads = join(folder, 'uploads');
const store = createLocalStore(join(uploads, 'stored'));

beforeAll(async () => {
  archive = new Uint8Array(await buildArchive());
  database = await createTestDatabase();
  server = await start();
});
afterAll(async () => {
  if (server) await kill();
  await database?.drop();
  rmSync(folder, { recursive: true, force: true });
});

it(
  `${SEEDS} killings of an import leave nothing half, and importing again brings what one import brings`,
  async () => {
    const whole = await signUp(server.url, 'whole');
    const lines = await importUntil(whole, () => false);
    const firstConvo = lines.findIndex((line) => 'index' in line);
    const wanted = await holdingsOf(whole);
    expect(wanted).toMatchObject({ convos: THREADS + FILES, files: FILES, expiring: 0, assistants: 1 });
    const reached = new Set<string>();
    for (let seed = 0; seed < SEEDS; seed++) {
      const when = `seed ${seed}`;
      const person = await signUp(server.url, `person${seed}`);
      // From before the first line to before the last one, by turns among those of files and those of conversations.
      const share = seed / SEEDS;
      const killAfter = seed % 2 === 0 ? share * firstConvo : firstConvo + share * (lines.length - firstConvo);
      const told = await importUntil(person, (count) => count >= killAfter && killed());
      reached.add(kindOf(told.findLast((line) => kindOf(line) !== 'progress')));
      server = await start();
      expect(await halves(person), when).toEqual([]);
      await importUntil(person, () => false);
      expect(await holdingsOf(person), when).toEqual(wanted);
      expect(await halves(person), when).toEqual([]);
    }
    console.log(`Killed after: ${[...reached].join(', ')}`);
    expect([...reached]).toEqual(expect.arrayContaining(['file', 'conversation']));
    await expectNoLeftovers();
  },
  SEEDS * 60_000 + 120_000,
);

/** A few hundred conversations, some with a file, and an assistant, as a person has them elsewhere. */
async function buildArchive(): Promise<Uint8Array> {
  const elsewhere = await openHttpClients({ env: { OPENAI_MODELS: 'fake:echo', TITLE_CONVO: 'false' } });
  const alice = await elsewhere.signUp('alice');
  const { deps } = elsewhere.services;
  for (let n = 0; n < FILES; n++) {
    const { id } = await keepTestFile(deps, alice.userId, { name: `notes ${n}.txt`, text: `Note ${n} `.repeat(2_000) });
    const asked = question(`What is in note ${n}?`);
    if (asked.target.kind === 'send') asked.target.files = [id];
    await exchange(elsewhere.services, alice.userId, asked);
  }
  for (let n = 0; n < THREADS; n++)
    await insertThread(deps.db, alice.userId, MESSAGES, (at) => `Thread ${n}, message ${at}`);
  await alice.api.assistants.create.mutate({ name: 'Poet', model: 'fake:echo', instructions: 'Answer in verse.' });
  const bytes = await exportOf(elsewhere, alice);
  await alice.close();
  await elsewhere.close();
  return bytes;
}

/** Imports the archive and returns the lines that were told until its end or until `isOver` for their number. */
async function importUntil({ headers }: Client, isOver: (lines: number) => boolean): Promise<ImportLine[]> {
  const told: ImportLine[] = [];
  const init = { method: 'POST', body: archive, headers: { ...headers, 'content-type': 'application/zip' } };
  const sending = fetch(`${server.url}/api/import`, init);
  if (isOver(0)) return sending.then(() => told).catch(() => told);
  let rest = '';
  try {
    for await (const text of (await sending).body?.pipeThrough(new TextDecoderStream()) ?? []) {
      const lines = (rest + text).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines.filter((one) => one !== '')) told.push(JSON.parse(line) as ImportLine);
      if (isOver(told.length)) break;
    }
  } catch {
    // The server is dead.
  }
  return told;
}

function killed(): true {
  server.child.kill('SIGKILL');
  return true;
}

function kindOf(line: ImportLine | undefined): string {
  if (!line) return 'nothing';
  return 'index' in line ? 'conversation' : 'kind' in line ? line.kind : 'end';
}

/** What a person has, by what an import may double or lose. */
async function holdingsOf({ id }: Client) {
  const { sql } = database.db;
  const [row] = await sql`
    select
      (select count(*)::int from convos where user_id = ${id}) as convos,
      (select count(*)::int from messages where user_id = ${id}) as messages,
      (select count(*)::int from files where user_id = ${id}) as files,
      (select count(*)::int from files where user_id = ${id} and expires_at is not null) as expiring,
      (select count(distinct file_id)::int from file_uses where user_id = ${id}) as used,
      (select count(*)::int from assistants where user_id = ${id}) as assistants,
      (select md5(string_agg(m.parts::text, '' order by m.parts::text)) from messages m
        where user_id = ${id} and m.parts::text not like '%fileId%') as texts`;
  return row;
}

/** Conversations that miss a message, and files without their bytes. */
async function halves({ id }: Client): Promise<string[]> {
  const { sql } = database.db;
  const short: { title: string; count: number }[] = await sql`
    select c.title, count(m.id)::int from convos c
    left join messages m on m.user_id = c.user_id and m.convo_id = c.id
    where c.user_id = ${id} group by c.id, c.title having count(m.id) not in (2, ${MESSAGES})`;
  const kept: { hash: string; bytes: number; name: string }[] = await sql`
    select hash, bytes::int, name from files where user_id = ${id}`;
  const lacking: string[] = [];
  for (const { hash, bytes, name } of kept) {
    const size = await stat(join(uploads, 'stored', storageKey(id, hash))).then(
      (found) => found.size,
      () => null,
    );
    if (size !== bytes) lacking.push(name);
  }
  return [...short.map(({ title, count }) => `${title}: ${count}`), ...lacking];
}

/** After an hour and a sweep the store has the bytes of the files, and nothing that an import left. */
async function expectNoLeftovers(): Promise<void> {
  const { db } = database;
  const arrivals = join(uploads, 'arriving');
  const past = new Date(Date.now() - 2 * HOUR_MS);
  for (const name of await readdir(arrivals)) await utimes(join(arrivals, name), past, past);
  await db.sql`update blobs set since = since - interval '2 hours'`;
  await db.sql`update files set expires_at = expires_at - interval '2 hours'`;
  const stores = { current: store, all: [store], of: () => store };
  await sweepFiles({ db, stores, arrivals, onFault: (error) => expect.fail(String(error)) });
  expect(await readdir(arrivals)).toEqual([]);
  const rows: { user_id: string; hash: string }[] = await db.sql`select user_id, hash from files`;
  const keys: string[] = [];
  for await (const key of store.list('')) keys.push(key);
  expect(keys.toSorted()).toEqual(rows.map(({ user_id, hash }) => storageKey(user_id, hash)).toSorted());
}

async function kill(): Promise<void> {
  if (server.child.exitCode !== null || server.child.signalCode !== null) return;
  const ended = once(server.child, 'exit');
  server.child.kill('SIGKILL');
  await ended;
}

async function start(): Promise<{ child: ChildProcess; url: string }> {
  if (server) await kill();
  const env = {
    SESSION_EXPIRY: String(24 * HOUR_MS),
    REGISTER_MAX: '1000',
  };
  return forkServer({ connection: database.connection, folder, env });
}
