import { randomUUID } from 'node:crypto';
import { fileUses } from '@parley/db/tables/files';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { send, signUp, type Client } from '../../support/rest/client.ts';
import { startTestServer, type TestServer } from '../../support/server.ts';
import { upload, type FileDocument } from '../../support/uploads.ts';

let server: TestServer;
let alice: Client;

beforeAll(async () => {
  server = await startTestServer();
  alice = await signUp(server.url, 'alice');
});
afterAll(() => server?.close());

it('takes a file away from the assistants that have it', async () => {
  const file = await upload(server.url, alice, { bytes: 'knowledge', name: 'a.txt' });
  const use = { userId: alice.id, fileId: file.file_id, kind: 'assistant', ref: 'asst_one' } as const;
  await server.db.query.insert(fileUses).values(use);
  expect(await remove({ files: [named(file)], assistant_id: 'asst_one' })).toEqual([
    200,
    { message: 'Files deleted successfully' },
  ]);
  expect(await server.db.query.select().from(fileUses).where(eq(fileUses.fileId, file.file_id))).toEqual([]);
  expect(await alice.json('/api/files')).toEqual([]);
});

it('answers 204 when no id is valid, and 400 when the request is malformed', async () => {
  expect(await remove({ files: [{ file_id: 'no id' }, {}], assistant_id: null })).toEqual([204, null]);
  expect(await remove({ files: [], assistant_id: 'asst_one' })).toEqual([204, null]);
  const malformed = [400, { message: 'Error in request', error: expect.any(String) }];
  expect(await remove({ files: 'all' })).toEqual(malformed);
  expect(await remove({ files: [{ file_id: randomUUID() }], assistant_id: 5 })).toEqual(malformed);
});

it('passes over ids that are foreign, missing or of a provider', async () => {
  const bob = await signUp(server.url, 'bob');
  const his = await upload(server.url, bob, { bytes: 'of bob', name: 'b.txt' });
  const files = [named(his), { file_id: randomUUID() }, { file_id: 'file-abc' }];
  expect((await remove({ files }))[0]).toBe(200);
  expect(await bob.json('/api/files')).toHaveLength(1);
});

function named({ file_id, filepath, source, embedded }: FileDocument) {
  return { file_id, filepath, source, embedded };
}

async function remove(body: object): Promise<[number, unknown]> {
  const response = await send(server.url, 'DELETE', '/api/files', body, alice.headers);
  const text = await response.text();
  return [response.status, text === '' ? null : JSON.parse(text)];
}
