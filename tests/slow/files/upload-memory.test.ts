// Files larger than the process may take in memory, sent up and read back. UPLOAD_MB=500 tries what the product
// promises.
import type { ChildProcess } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase } from '../../support/database.ts';
import { signUp } from '../../support/rest/client.ts';
import type { FileDocument } from '../../support/uploads.ts';
import { forkServer } from '../transfer/fork-server.ts';

const MEGABYTES = Number(process.env.UPLOAD_MB ?? 200);
/** What three files at once may add, in megabytes: far less than one of them. */
const MOST_ADDED = 90;
const PIECE = Buffer.from(`${'0123456789abcde'.repeat(65_536)}${'\n'.repeat(65_536)}`);

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let server: ChildProcess;
let url: string;
const folder = mkdtempSync(join(tmpdir(), 'parley-memory-'));

beforeAll(async () => {
  database = await createTestDatabase();
  const flags = ['--max-old-space-size=160'];
  ({ child: server, url } = await forkServer({ connection: database.connection, folder, flags }));
});
afterAll(async () => {
  const ended = once(server, 'exit');
  server.send('end');
  await ended;
  await database.drop();
  rmSync(folder, { recursive: true, force: true });
});

test(`three files of ${MEGABYTES} MB at once go through a process that takes ${MOST_ADDED} MB more at most`, async () => {
  const alice = await signUp(url, 'alice');
  const before = await peak();
  const sent = await Promise.all(
    ['one', 'two', 'three'].map(async (name) => {
      const headers = { ...alice.headers, 'content-type': 'multipart/form-data; boundary=x' };
      const init = { method: 'POST', headers, body: formOf(name), duplex: 'half' };
      const response = await fetch(`${url}/api/files`, init);
      expect(response.status).toBe(200);
      return (await response.json()) as FileDocument;
    }),
  );
  for (const { file_id: id, bytes, filename } of sent) {
    const response = await fetch(`${url}/api/files/download/${alice.id}/${id}`, alice);
    const hash = createHash('sha256');
    for await (const chunk of response.body ?? []) hash.update(chunk);
    expect([bytes, hash.digest('hex')]).toEqual([MEGABYTES * PIECE.length + filename.length, hashOf(filename)]);
  }
  const after = await peak();
  console.log(`${MEGABYTES} MB three times: at most ${before.toFixed(0)} MB before, ${after.toFixed(0)} MB after`);
  expect(after - before).toBeLessThan(MOST_ADDED);
}, 1_800_000);

/** The file is text that begins with its name, so that no two are the same. */
function* piecesOf(name: string): Generator<Buffer> {
  yield Buffer.from(name);
  for (let count = 0; count < MEGABYTES; count++) yield PIECE;
}

function formOf(name: string): ReadableStream<Uint8Array> {
  const field = (head: string, body: string) => `--x\r\nContent-Disposition: form-data; ${head}\r\n\r\n${body}`;
  const head = [
    field('name="file_id"', `${randomUUID()}\r\n`),
    field('name="endpoint"', 'openAI\r\n'),
    field(`name="file"; filename="${name}.txt"`, '').replace('\r\n\r\n', '\r\nContent-Type: text/plain\r\n\r\n'),
  ];
  const pieces = (function* () {
    yield Buffer.from(head.join(''));
    yield* piecesOf(`${name}.txt`);
    yield Buffer.from('\r\n--x--\r\n');
  })();
  return new ReadableStream({
    pull(controller) {
      const { done, value } = pieces.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
  });
}

function hashOf(name: string): string {
  const hash = createHash('sha256');
  for (const piece of piecesOf(name)) hash.update(piece);
  return hash.digest('hex');
}

async function peak(): Promise<number> {
  server.send('peak');
  return (await told<{ peak: number }>()).peak;
}

async function told<T>(): Promise<T> {
  const [said] = (await once(server, 'message')) as [T];
  return said;
}
