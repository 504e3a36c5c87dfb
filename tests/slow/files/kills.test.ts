// A server that is killed at each step of an upload and of the index: no file without bytes, no bytes without a row
// after a sweep, and the next process goes on with the index. KILL_SEEDS=5 makes it shorter.
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { readdir, stat, utimes } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startFakeProvider, type FakeProvider } from '@parley/scripts/fake-provider';
import { createLocalStore } from '@parley/server/files/stores/local';
import { sweepArrivals, sweepFiles } from '@parley/server/files/sweep';
import { storageKey } from '@parley/server/storage/file-store';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase } from '../../support/database.ts';
import { signUp, type Client } from '../../support/rest/client.ts';
import { formOf, postForm } from '../../support/uploads.ts';
import { forkServer } from '../transfer/fork-server.ts';

const SEEDS = Number(process.env.KILL_SEEDS ?? 25);
/** Some 400 chunks: several batches of vectors. */
const PARAGRAPHS = 400;
const FACT = 'The mill stands by the river.';
const HOUR_MS = 3_600_000;

/** What the server has come to when it is killed, as far as that can be seen from outside. */
const STEPS = ['bytes arrive', 'blob arriving', 'blob stored', 'queued', 'reading', 'embedding', 'ready'] as const;
type Step = (typeof STEPS)[number];

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let provider: FakeProvider;
let server: { child: ChildProcess; url: string };
let alice: Client;
const folder = mkdtempSync(join(tmpdir(), 'parley-kills-'));
const uploads = join(folder, 'uploads');
const store = createLocalStore(join(uploads, 'stored'));

beforeAll(async () => {
  database = await createTestDatabase();
  provider = await startFakeProvider();
  server = await start();
  alice = await signUp(server.url, 'alice');
});
afterAll(async () => {
  await kill();
  await provider.close();
  await database.drop();
  rmSync(folder, { recursive: true, force: true });
});

it(
  `${SEEDS} killings leave nothing that a sweep does not remove, and no document behind`,
  async () => {
    const hits = new Map<Step, number>();
    for (let seed = 0; seed < SEEDS; seed++) {
      const step = STEPS[seed % STEPS.length] ?? 'ready';
      const isHit = await killDuring(step, seed);
      if (isHit) hits.set(step, (hits.get(step) ?? 0) + 1);
      server = await start();
      await expectWhole(`seed ${seed}, killed while: ${step}`);
    }
    console.log(`Killed at: ${STEPS.map((step) => `${step} ${hits.get(step) ?? 0}`).join(', ')}`);
    expect(hits.size).toBeGreaterThan(0);
  },
  SEEDS * 120_000,
);

/** Kills the server once it is seen at this step, or when the step went by unseen; returns whether it was seen. */
async function killDuring(step: Step, seed: number): Promise<boolean> {
  const name = `book-${seed}.txt`;
  const sending = step === 'bytes arrive' ? sendHalf(name) : sendWhole(name, seed);
  let isOver = false;
  void sending.finally(() => (isOver = step === 'bytes arrive' || step.startsWith('blob')));
  let isSeen = await isAt(step, name);
  for (const end = Date.now() + 60_000; !isSeen && !isOver && Date.now() < end; isSeen = await isAt(step, name))
    await sleep(1);
  await sleep(pauseOf(seed));
  await kill();
  await sending;
  return isSeen;
}

/** From none to some milliseconds, other ones in each round of the steps. */
function pauseOf(seed: number): number {
  return Math.floor(seed / STEPS.length) * 7;
}

/** Resolves also when the server dies. */
async function sendWhole(name: string, seed: number): Promise<void> {
  const form = formOf({ bytes: `${FACT}\n\n${textOf(seed)}`, name, type: 'text/plain' });
  await postForm(server.url, alice, '/api/files', form).then(
    (response) => response.text(),
    () => null,
  );
}

/** An upload that stops half-way. */
async function sendHalf(name: string): Promise<void> {
  const headers = { ...alice.headers, 'content-type': 'multipart/form-data; boundary=x', 'content-length': 10_000_000 };
  const sending = request(`${server.url}/api/files`, { method: 'POST', headers });
  const ended = new Promise<void>((resolve) => sending.once('error', () => resolve()).once('close', () => resolve()));
  sending.write(`--x\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\n\r\n`);
  sending.write('half of it '.repeat(10_000));
  return ended;
}

async function isAt(step: Step, name: string): Promise<boolean> {
  const { sql } = database.db;
  switch (step) {
    case 'bytes arrive':
      return (await readdir(join(uploads, 'arriving')).catch(() => [])).length > 0;
    case 'blob arriving':
      return (await sql`select from blobs where state = 'arriving'`).length > 0;
    case 'blob stored':
      return (await sql`select from files where name = ${name}`).length > 0;
    default: {
      const rows = await sql`
        select from documents d join files f on f.user_id = d.user_id and f.id = d.file_id
        where f.name = ${name} and d.state = ${step}`;
      return rows.length > 0;
    }
  }
}

/** As after an hour and a sweep: rows and bytes belong together, and all documents are read and embedded. */
async function expectWhole(when: string): Promise<void> {
  const { db } = database;
  await db.sql`update blobs set since = since - interval '2 hours'`;
  await makeOld(join(uploads, 'arriving'));
  await makeOld(join(uploads, 'reading'));
  const stores = { current: store, all: [store], of: () => store };
  const onFault = (error: unknown) => expect.fail(`${when}: ${String(error)}`);
  await sweepFiles({ db, stores, arrivals: join(uploads, 'arriving'), onFault });
  await sweepArrivals(join(uploads, 'reading'));
  const kept: { user_id: string; hash: string; bytes: number; state: string }[] = await db.sql`
    select f.user_id, f.hash, f.bytes::int, b.state
    from files f left join blobs b on b.user_id = f.user_id and b.hash = f.hash`;
  const keys: string[] = [];
  for await (const key of store.list('')) keys.push(key);
  expect(keys.toSorted(), when).toEqual(kept.map(({ user_id, hash }) => storageKey(user_id, hash)).toSorted());
  for (const { user_id, hash, bytes, state } of kept) {
    expect(state, when).toBe('stored');
    expect((await stat(join(uploads, 'stored', storageKey(user_id, hash)))).size, when).toBe(bytes);
  }
  expect(await db.sql`select from blobs where state <> 'stored'`, when).toEqual([]);
  const look = async () => {
    const open: { state: string }[] = await db.sql`select state from documents where state <> 'ready'`;
    return open.map(({ state }) => state);
  };
  await expect.poll(look, { timeout: 60_000, message: when }).toEqual([]);
  const [bad] = await db.sql<{ count: number }[]>`
    select count(*)::int from documents d
    where d.chunks = 0
      or d.chunks <> (select count(*) from chunks c where c.user_id = d.user_id and c.file_id = d.file_id)
      or d.chunks <> (select count(*) from chunk_vectors v where v.user_id = d.user_id and v.file_id = d.file_id)`;
  expect(bad?.count, when).toBe(0);
}

async function makeOld(path: string): Promise<void> {
  const past = new Date(Date.now() - 2 * HOUR_MS);
  for (const name of await readdir(path).catch(() => [])) await utimes(join(path, name), past, past).catch(() => {});
}

async function kill(): Promise<void> {
  const ended = once(server.child, 'exit');
  server.child.kill('SIGKILL');
  await ended;
  // As if the leases of the process had ended.
  await database.db.sql`update documents set lease_until = now() - interval '1 second' where lease_until is not null`;
}

async function start(): Promise<{ child: ChildProcess; url: string }> {
  const env = {
    OPENAI_API_KEY: 'fake',
    OPENAI_REVERSE_PROXY: `${provider.url}/v1`,
    EMBEDDINGS_ENDPOINT: 'openAI',
    EMBEDDINGS_MODEL: 'small',
    SESSION_EXPIRY: String(24 * HOUR_MS),
    FILE_UPLOAD_USER_MAX: '10000',
    FILE_UPLOAD_IP_MAX: '10000',
  };
  return forkServer({ connection: database.connection, folder, env });
}

function textOf(seed: number): string {
  const paragraph = (n: number) => `Paragraph ${n} of book ${seed} tells of rivers, weather and valley ${n % 97}. `;
  return Array.from({ length: PARAGRAPHS }, (_, n) => paragraph(n).repeat(14)).join('\n\n');
}
