// What every file store does.
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { storageKey, MissingFile, type FileStore } from '@parley/server/storage/file-store';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

export interface StoreUnderTest {
  store: FileStore;
  close(): Promise<void>;
}

export function fileStoreContract(name: string, open: () => Promise<StoreUnderTest>): void {
  describe(`the ${name} store`, () => {
    let opened: StoreUnderTest;
    let store: FileStore;
    let folder: string;
    beforeAll(async () => {
      opened = await open();
      store = opened.store;
      folder = await mkdtemp(join(tmpdir(), 'parley-arrivals-'));
    });
    afterAll(async () => {
      await opened?.close();
      await rm(folder, { recursive: true, force: true });
    });

    it('gives back the bytes that were put', async () => {
      const key = await put(Buffer.from('twelve bytes'));
      expect(await textOf(key)).toBe('twelve bytes');
    });

    it('keeps an empty file', async () => {
      expect(await textOf(await put(Buffer.alloc(0)))).toBe('');
    });

    it('gives back a range, both ends included', async () => {
      const key = await put(Buffer.from('0123456789'));
      expect(await textOf(key, { from: 2, to: 5 })).toBe('2345');
      expect(await textOf(key, { from: 9, to: 9 })).toBe('9');
    });

    it('gives back every byte of a file of several parts', async () => {
      const bytes = randomBytes(17 * 1024 * 1024 + 5);
      const key = await put(bytes);
      expect((await bytesOf(key)).equals(bytes)).toBe(true);
      const from = 16 * 1024 * 1024 - 3;
      const middle = await bytesOf(key, { from, to: from + 9 });
      expect(middle.equals(bytes.subarray(from, from + 10))).toBe(true);
    });

    it('takes the same key again, one after the other and at once', async () => {
      const key = newKey();
      const bytes = Buffer.from('the same');
      await put(bytes, key);
      await put(bytes, key);
      await Promise.all([put(bytes, key), put(bytes, key), put(bytes, key)]);
      expect(await textOf(key)).toBe('the same');
      expect(await keysOf(key)).toEqual([key]);
    });

    it('says that a file is missing', async () => {
      await expect(textOf(newKey())).rejects.toBeInstanceOf(MissingFile);
    });

    it('removes a file, and one that is not there', async () => {
      const key = await put(Buffer.from('short-lived'));
      await store.remove(key);
      await expect(textOf(key)).rejects.toBeInstanceOf(MissingFile);
      await store.remove(key);
    });

    it('lists the keys of a prefix', async () => {
      const userId = randomUUID();
      const keys = ['a', 'b', 'c'].map((letter) => storageKey(userId, letter.repeat(64)));
      for (const [index, key] of keys.entries()) await put(Buffer.alloc(index + 1), key);
      await put(Buffer.from('of somebody else'));
      expect((await keysOf(`${userId}/`)).toSorted()).toEqual(keys);
      expect(await keysOf(`${userId}/aa/`)).toEqual(keys.slice(0, 1));
      expect(await keysOf(`${randomUUID()}/`)).toEqual([]);
    });

    it('has nothing of a file whose putting is given up', async () => {
      const key = newKey();
      const given = AbortSignal.abort(new Error('given up'));
      await put(randomBytes(9 * 1024 * 1024), key, given).catch(() => undefined);
      // It may have been whole before the signal was seen, but is never a part.
      for (const listed of await keysOf(key)) expect((await bytesOf(listed)).length).toBe(9 * 1024 * 1024);
    });

    it('stops reading when nobody reads on', async () => {
      const key = await put(randomBytes(3 * 1024 * 1024));
      const reader = (await store.read(key)).getReader();
      await reader.read();
      await reader.cancel();
      expect((await bytesOf(key)).length).toBe(3 * 1024 * 1024);
    });

    it('gives no bytes to a reader that has gone before', async () => {
      const key = await put(Buffer.from('for nobody'));
      const gone = AbortSignal.abort(new Error('gone'));
      // An error that nobody hears would end the run of the tests.
      await expect(readAll(key, gone)).rejects.toThrow('gone');
    });

    it('ends the bytes with an error when their reader goes', async () => {
      const key = await put(randomBytes(9 * 1024 * 1024));
      const leaving = new AbortController();
      const reader = (await store.read(key, undefined, leaving.signal)).getReader();
      await reader.read();
      leaving.abort(new Error('gone'));
      const rest = async () => {
        while (!(await reader.read()).done);
      };
      await expect(rest()).rejects.toThrow();
    });

    async function readAll(key: string, signal: AbortSignal): Promise<void> {
      for await (const _ of await store.read(key, undefined, signal));
    }

    async function put(bytes: Buffer, key = newKey(), signal = new AbortController().signal): Promise<string> {
      const path = join(folder, randomUUID());
      await writeFile(path, bytes);
      await store.put(key, { path, bytes: bytes.length, mime: 'application/octet-stream' }, signal);
      await rm(path);
      return key;
    }

    async function bytesOf(key: string, range?: { from: number; to: number }): Promise<Buffer> {
      const chunks: Uint8Array[] = [];
      for await (const chunk of await store.read(key, range)) chunks.push(chunk);
      return Buffer.concat(chunks);
    }

    async function textOf(key: string, range?: { from: number; to: number }): Promise<string> {
      return (await bytesOf(key, range)).toString();
    }

    async function keysOf(prefix: string): Promise<string[]> {
      const found: string[] = [];
      for await (const key of store.list(prefix)) found.push(key);
      return found;
    }
  });
}

function newKey(): string {
  return storageKey(randomUUID(), randomBytes(32).toString('hex'));
}
