import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startFakeS3, type FakeS3 } from '@parley/scripts/fake-s3/server';
import { storageKey } from '@parley/server/storage/file-store';
import { createS3Store } from '@parley/server/files/stores/s3';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { fileStoreContract } from '../../contracts/file-store.ts';
import { signUp } from '../../support/rest/client.ts';
import { startTestServer } from '../../support/server.ts';
import { upload } from '../../support/uploads.ts';

fileStoreContract('s3', async () => {
  const s3 = await startFakeS3();
  return { store: createS3Store(s3.settings), close: () => s3.close() };
});

let s3: FakeS3;
let folder: string;
beforeAll(async () => {
  s3 = await startFakeS3();
  folder = await mkdtemp(join(tmpdir(), 'parley-s3-'));
});
afterAll(async () => {
  await s3.close();
  await rm(folder, { recursive: true, force: true });
});

it('a busy S3 store is retried a limited number of times', async () => {
  const store = createS3Store(s3.settings);
  s3.failNext(2);
  await put('busy', Buffer.from('after all'));
  expect(s3.objects.get('busy')?.toString()).toBe('after all');
  s3.failNext(10);
  await expect(store.remove('busy')).rejects.toThrow('The store answers 503 to DELETE');
  s3.failNext(0);
});

it('a wrong secret is refused, and the error does not reveal it', async () => {
  const store = createS3Store({ ...s3.settings, secretAccessKey: 'a wrong one' });
  await expect(store.read('busy')).rejects.toThrow(/^The store answers 403 to GET$/);
});

it('an aborted multipart upload leaves no parts', async () => {
  const giveUp = new AbortController();
  const path = join(folder, randomUUID());
  const bytes = randomBytes(20 * 1024 * 1024);
  await writeFile(path, bytes);
  const putting = createS3Store(s3.settings).put('half', { path, bytes: bytes.length, mime: 'x/y' }, giveUp.signal);
  putting.catch(() => undefined);
  await expect.poll(() => [...s3.unfinished.values()].some(({ parts }) => parts.size > 0)).toBe(true);
  giveUp.abort();
  await expect(putting).rejects.toThrow();
  expect([s3.unfinished.size, s3.objects.has('half')]).toEqual([0, false]);
});

it('frees the parts of uploads that died, page after page, and leaves young ones and those of others', async () => {
  const day = 24 * 60 * 60_000;
  const before = new Date();
  const keys = Array.from({ length: 5 }, () => storageKey(randomUUID(), randomBytes(32).toString('hex')));
  for (const [n, key] of keys.entries()) addUnfinished(`${n}+/=`, key, before.getTime() - (n < 4 ? 2 * day : 0));
  addUnfinished('of others', 'backups/monday.tar', before.getTime() - 2 * day);
  await createS3Store(s3.settings).abortUploads?.(new Date(before.getTime() - day));
  expect([...s3.unfinished.keys()]).toEqual(['4+/=', 'of others']);
});

it('a server configured for S3 keeps its files there', async () => {
  const { endpoint, bucket, region, accessKeyId, secretAccessKey } = s3.settings;
  const env = {
    S3_ENDPOINT: endpoint,
    S3_BUCKET: bucket,
    S3_REGION: region,
    S3_ACCESS_KEY_ID: accessKeyId,
    S3_SECRET_ACCESS_KEY: secretAccessKey,
  };
  const server = await startTestServer({ env, yaml: 'version: "1.0.7"\nfileStrategy: s3\n' });
  try {
    const alice = await signUp(server.url, 'alice');
    const file = await upload(server.url, alice, { bytes: 'in a bucket', name: 'a.txt' });
    const key = [...s3.objects.keys()].find((one) => one.startsWith(`${alice.id}/`)) ?? '';
    expect(s3.objects.get(key)?.toString()).toBe('in a bucket');
    const path = `/api/files/download/${alice.id}/${file.file_id}`;
    const part = await fetch(server.url + path, { headers: { ...alice.headers, range: 'bytes=5-6' } });
    expect([part.status, await part.text()]).toEqual([206, 'bu']);
    s3.objects.delete(key);
    expect((await alice.get(path)).status).toBe(404);
  } finally {
    await server.close();
  }
});

function addUnfinished(id: string, key: string, time: number): void {
  s3.unfinished.set(id, { key, initiated: new Date(time), parts: new Map() });
}

async function put(key: string, bytes: Buffer): Promise<void> {
  const path = join(folder, randomUUID());
  await writeFile(path, bytes);
  const store = createS3Store(s3.settings);
  await store.put(key, { path, bytes: bytes.length, mime: 'text/plain' }, new AbortController().signal);
}
