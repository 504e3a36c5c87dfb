import { randomUUID } from 'node:crypto';
import { mkdtemp, mkdir, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createLocalStore } from '@parley/server/files/stores/local';
import { storageKey, type FileStore } from '@parley/server/storage/file-store';
import { expect, it } from 'vitest';
import { fileStoreContract } from '../../contracts/file-store.ts';

fileStoreContract('local', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'parley-store-'));
  return {
    store: createLocalStore(join(folder, 'stored')),
    close: () => rm(folder, { recursive: true, force: true }),
  };
});

it('the local store reads and removes nothing outside its folder', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'parley-store-'));
  await writeFile(join(folder, 'secret'), 'of somebody else');
  const store = createLocalStore(join(folder, 'stored'));
  await expect(store.read('../secret')).rejects.toThrow('leads out of the folder');
  await expect(store.remove('../secret')).rejects.toThrow('leads out of the folder');
  await expect(store.remove('a/../..')).rejects.toThrow('leads out of the folder');
  await rm(folder, { recursive: true });
});

it('the local store follows no symbolic link', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'parley-store-'));
  await writeFile(join(folder, 'secret'), 'of somebody else');
  const stored = join(folder, 'stored');
  await mkdir(stored);
  const key = randomUUID();
  await symlink(join(folder, 'secret'), join(stored, key));
  await expect(createLocalStore(stored).read(key)).rejects.toThrow('ELOOP');
  await rm(folder, { recursive: true });
});

it('the local store frees what a process that was killed had put half-way', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'parley-store-'));
  const store = createLocalStore(folder);
  const key = storageKey(randomUUID(), 'a'.repeat(64));
  await store.put(key, await arrived(folder), new AbortController().signal);
  const unfinished = join(folder, `${key}.${randomUUID()}.part`);
  await writeFile(unfinished, 'as far as it came');
  await store.abortUploads?.(new Date(Date.now() - 60_000));
  expect(await namesIn(join(folder, dirname(key)))).toHaveLength(2);
  await store.abortUploads?.(new Date(Date.now() + 60_000));
  expect(await namesIn(join(folder, dirname(key)))).toEqual(['a'.repeat(64)]);
  await rm(folder, { recursive: true });
});

it('the local store keeps no folder of a user whose last file is removed', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'parley-store-'));
  const stored = join(folder, 'stored');
  const store = createLocalStore(stored);
  const userId = randomUUID();
  const keys = ['a', 'b'].map((letter) => storageKey(userId, letter.repeat(64)));
  for (const key of keys) await store.put(key, await arrived(folder), new AbortController().signal);
  const [first = '', last = ''] = keys;
  await store.remove(first);
  expect(await namesIn(join(stored, userId))).toEqual(['bb']);
  await store.remove(last);
  expect(await namesIn(stored)).toEqual([]);
  await store.remove(last);
  await rm(folder, { recursive: true });
});

it('the local store puts files while their neighbors are removed', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'parley-store-'));
  const store = createLocalStore(join(folder, 'stored'));
  const userId = randomUUID();
  const from = await arrived(folder);
  const putAndRemove = async (letter: string) => {
    const key = storageKey(userId, `aa${letter.repeat(62)}`);
    for (let round = 0; round < 100; round++) {
      await store.put(key, from, new AbortController().signal);
      expect(await keysOf(store, key)).toEqual([key]);
      await store.remove(key);
    }
  };
  await Promise.all(['1', '2', '3', '4'].map(putAndRemove));
  await rm(folder, { recursive: true });
});

async function arrived(folder: string) {
  const path = join(folder, `arrived-${randomUUID()}`);
  await writeFile(path, 'twelve bytes');
  return { path, bytes: 12, mime: 'text/plain' };
}

async function namesIn(folder: string): Promise<string[]> {
  return (await readdir(folder)).toSorted();
}

async function keysOf(store: FileStore, prefix: string): Promise<string[]> {
  const keys: string[] = [];
  for await (const key of store.list(prefix)) keys.push(key);
  return keys;
}
