// A file of any length in a process of little memory. IMPORT_MB=500 tries what the product promises.
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ImportLine } from '@parley/schema/transfer/results';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { signUp } from '../../support/rest/client.ts';
import { createTestDatabase } from '../../support/database.ts';
import { longFile } from '../../integration/transfer/long-file.ts';
import { forkServer } from './fork-server.ts';

const MEGABYTES = Number(process.env.IMPORT_MB ?? 60);
/** The whole process, its programs and the pages of its libraries included. */
const MOST = 300;
/** What a file may add, far less than what one of 60 MB takes once as bytes and once as text. */
const MOST_ADDED = 90;

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
  if (server.connected) {
    const ended = once(server, 'exit');
    server.send('end');
    await ended;
  }
  await database.drop();
  rmSync(folder, { recursive: true, force: true });
});

test(`a file of ${MEGABYTES} MB is read by a process that never takes ${MOST} MB`, async () => {
  const alice = await signUp(url, 'alice');
  const before = await peak();
  const init = {
    method: 'POST',
    body: longFile(MEGABYTES),
    headers: { ...alice.headers, 'content-type': 'application/json' },
    duplex: 'half',
  };
  const response = await fetch(`${url}/api/import`, init);
  expect(response.status).toBe(200);
  const { imported, end } = await count(response);
  const after = await peak();
  console.log(
    `${MEGABYTES} MB: ${imported} conversations; at most ${before.toFixed(0)} MB before, ${after.toFixed(0)} MB after`,
  );
  expect(end).toEqual({ end: true, items: imported, fault: null });
  expect(imported).toBeGreaterThan(MEGABYTES * 3);
  expect(after).toBeLessThan(MOST);
  expect(after - before).toBeLessThan(MOST_ADDED);
}, 3_600_000);

async function count(response: Response) {
  let imported = 0;
  let end: ImportLine | undefined;
  let rest = '';
  for await (const text of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const said = JSON.parse(line) as ImportLine;
      if ('end' in said) end = { ...said, items: said.items - 1 };
      else if ('index' in said && said.outcome === 'imported') imported += 1;
    }
  }
  return { imported, end };
}

async function peak(): Promise<number> {
  server.send('peak');
  return (await told<{ peak: number }>()).peak;
}

/** The next word of the server, which may have ended without one. */
function told<T>(): Promise<T> {
  return new Promise((resolve, reject) => {
    const ended = (code: number | null) => reject(new Error(`The server ended with ${code}`));
    server.once('exit', ended);
    server.once('message', (said) => {
      server.off('exit', ended);
      resolve(said as T);
    });
  });
}
