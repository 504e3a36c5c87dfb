import { createHash, randomUUID } from 'node:crypto';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { blobs } from '@parley/db/tables/files';
import { metadata } from '@parley/db/tables/metadata';
import { arrivalsFolder } from '@parley/server/storage/arrivals';
import { compareStores, compareStoresDaily } from '@parley/server/files/stores/compare-stores';
import { storageKey, type FileStore } from '@parley/server/storage/file-store';
import { readFileBytes } from '@parley/server/files/read-file';
import { createLocalStore } from '@parley/server/files/stores/local';
import { sweepFiles } from '@parley/server/files/sweep';
import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestServices, type Person, type TestServices } from '../../support/services.ts';
import { keepTestFile } from '../../support/uploads.ts';

let services: TestServices;
let alice: Person;
let local: FileStore;
let faults: unknown[] = [];

beforeAll(async () => {
  services = await openTestServices();
  alice = await services.as('alice');
  local = services.deps.stores.current;
  await mkdir(arrivalsFolder(services.deps.config), { recursive: true });
});
afterAll(() => services.close());

describe('comparing the stores with the database', () => {
  it('removes bytes that no row knows, and nothing else', async () => {
    const orphan = await putOrphan(local, alice.id);
    const stranger = await putOrphan(local, randomUUID());
    const kept = await keep('kept');
    await compare();
    await sweep();
    expect([await isIn(local, orphan), await isIn(local, stranger)]).toEqual([false, true]);
    expect(await isIn(local, storageKey(alice.id, kept.hash ?? ''))).toBe(true);
    expect(faults).toEqual([]);
  });

  it('removes with the daily sweep what many killed processes left, and no file that was acknowledged', async () => {
    const left = await Promise.all(Array.from({ length: 12 }, () => putOrphan(local, alice.id)));
    const acknowledged = await Promise.all(['one', 'two', 'three'].map((text) => keep(`acknowledged ${text}`)));
    await services.deps.db.query.delete(metadata).where(eq(metadata.name, 'stores_compared_at'));
    await sweepFiles(deps());
    const there = await Promise.all(left.map((key) => isIn(local, key)));
    expect(there).toEqual(left.map(() => false));
    for (const { hash } of acknowledged) expect(await isIn(local, storageKey(alice.id, hash ?? ''))).toBe(true);
    expect(faults).toEqual([]);
  });

  it('removes bytes from a store that a row does not name', async () => {
    const other = { ...createLocalStore(join(services.deps.config.server.dataDir, 'other')), source: 's3' as const };
    const file = await keep('in two stores');
    const key = storageKey(alice.id, file.hash ?? '');
    await putAt(other, key, 'in two stores');
    await compare([local, other]);
    await sweep();
    expect([await isIn(local, key), await isIn(other, key)]).toEqual([true, false]);
  });

  it('keeps the files of lost bytes, tells of them, and takes the bytes again', async () => {
    const file = await keep('lost');
    await makeOld(file.hash);
    await local.remove(storageKey(alice.id, file.hash ?? ''));
    await compare();
    expect(faults.map(String)).toEqual(['Error: The stores lack the bytes of 1 files']);
    await sweep();
    expect((await keep('lost')).hash).toBe(file.hash);
    const read = await readFileBytes(services.deps, alice.id, file.id, 100);
    expect(Buffer.from(read?.bytes ?? []).toString()).toBe('lost');
  });

  it('leaves bytes alone that are only not listed yet', async () => {
    const file = await keep('late');
    await makeOld(file.hash);
    await compare([{ ...local, list: () => noKeys() }]);
    expect([(await blobOf(file.hash))?.state, faults]).toEqual(['stored', []]);
  });

  it('changes nothing when a store fails on the way', async () => {
    const orphan = await putOrphan(local, alice.id);
    const broken: FileStore = { ...local, source: 's3', list: () => broke() };
    await compare([local, broken]);
    await sweep();
    expect([await isIn(local, orphan), faults.map(String)]).toEqual([true, ['Error: 503']]);
  });

  it('happens once a day', async () => {
    let lists = 0;
    const counting: FileStore = { ...local, list: (prefix) => (lists++, local.list(prefix)) };
    const daily = () =>
      compareStoresDaily({ ...deps(), stores: { current: counting, all: [counting], of: () => counting } });
    await services.deps.db.query.delete(metadata).where(eq(metadata.name, 'stores_compared_at'));
    await Promise.all([daily(), daily()]);
    await daily();
    expect(lists).toBe(1);
    const value = new Date(Date.now() - 25 * 60 * 60_000).toISOString();
    await services.deps.db.query.update(metadata).set({ value }).where(eq(metadata.name, 'stores_compared_at'));
    await daily();
    expect(lists).toBe(2);
  });
});

function deps() {
  const { db, config, stores } = services.deps;
  faults = [];
  return { db, stores, arrivals: arrivalsFolder(config), onFault: (error: unknown) => void faults.push(error) };
}

function compare(all: readonly FileStore[] = [local]): Promise<void> {
  return compareStores({ ...deps(), stores: { ...services.deps.stores, all } });
}

async function sweep(): Promise<void> {
  const before = faults;
  await sweepFiles(deps());
  faults = before;
}

function keep(text: string) {
  return keepTestFile(services.deps, alice.id, { text });
}

async function putOrphan(store: FileStore, userId: string): Promise<string> {
  const text = randomUUID();
  const key = storageKey(userId, createHash('sha256').update(text).digest('hex'));
  await putAt(store, key, text);
  return key;
}

async function putAt(store: FileStore, key: string, text: string): Promise<void> {
  const path = join(arrivalsFolder(services.deps.config), randomUUID());
  await writeFile(path, text);
  await store.put(key, { path, bytes: text.length, mime: 'text/plain' }, new AbortController().signal);
  await rm(path);
}

async function isIn(store: FileStore, key: string): Promise<boolean> {
  for await (const found of store.list(key)) if (found === key) return true;
  return false;
}

async function makeOld(hash: string | null): Promise<void> {
  await services.deps.db.query
    .update(blobs)
    .set({ since: sql`now() - interval '2 hours'` })
    .where(eq(blobs.hash, hash ?? ''));
}

async function blobOf(hash: string | null) {
  const [row] = await services.deps.db.query
    .select()
    .from(blobs)
    .where(eq(blobs.hash, hash ?? ''));
  return row;
}

async function* noKeys(): AsyncGenerator<string> {}

async function* broke(): AsyncGenerator<string> {
  yield '';
  throw new Error('503');
}
