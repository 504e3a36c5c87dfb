import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { blobs, files } from '@parley/db/tables/files';
import { users } from '@parley/db/tables/users';
import { arrivalsFolder } from '@parley/server/storage/arrivals';
import { attachFiles } from '@parley/server/files/attach-files';
import type { FileStore, FileStores } from '@parley/server/storage/file-store';
import {
  announceBlob,
  saveFile,
  createFileSaver,
  putBytes,
  recordFile,
  type FileSaver,
  type NewFile,
} from '@parley/server/files/save-file';
import { sweepFiles } from '@parley/server/files/sweep';
import { and, eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isFullRun } from '../../support/extent.ts';
import { openTestServices, type Person, type TestServices } from '../../support/services.ts';

let services: TestServices;
let keeping: FileSaver;
let alice: Person;
let arrivals: string;

beforeAll(async () => {
  services = await openTestServices({ FILES_MAX_MB_PER_USER: '1' });
  keeping = createFileSaver(services.deps);
  arrivals = arrivalsFolder(services.deps.config);
  await mkdir(arrivals, { recursive: true });
  alice = await services.as('alice');
});
afterAll(() => services.close());

describe('a process that dies', () => {
  it('leaves nothing after an hour when the bytes were not stored', async () => {
    const file = await newFile('announced');
    await announceBlob(keeping, file);
    await sweep();
    expect(await blobOf(file)).toMatchObject({ state: 'arriving' });
    await makeOld(file);
    await sweep();
    expect(await blobOf(file)).toBeUndefined();
  });

  it('leaves neither bytes nor a row when the file was not recorded', async () => {
    const file = await newFile('put');
    await announceBlob(keeping, file);
    await putBytes(keeping, file);
    expect(await keysOf(file)).toHaveLength(1);
    await makeOld(file);
    await sweep();
    expect([await blobOf(file), await keysOf(file)]).toEqual([undefined, []]);
  });

  it('leaves the file when it had not responded, and the same upload finds it', async () => {
    const temporaryId = randomUUID();
    const file = await newFile('recorded', { temporaryId });
    await announceBlob(keeping, file);
    await putBytes(keeping, file);
    const row = await recordFile(keeping, file, false);
    await sweep();
    expect((await saveFile(keeping, await newFile('recorded', { temporaryId }))).id).toBe(row?.id);
  });

  it('leaves a mark when it was removing bytes, and the next sweep finishes', async () => {
    const file = await newFile('leaving');
    const row = await saveFile(keeping, file);
    await alice.api.files.remove({ ids: [row.id] });
    const again = await newFile('leaving');
    await saveFile(keeping, again);
    await services.deps.db.query.delete(files).where(eq(files.hash, file.hash));
    await services.deps.db.query.update(blobs).set({ state: 'leaving' }).where(eq(blobs.hash, file.hash));
    await keeping.stores.current.remove(`${alice.id}/${file.hash.slice(0, 2)}/${file.hash}`);
    await sweep();
    expect(await blobOf(file)).toBeUndefined();
  });

  it('leaves a temporary file for an hour', async () => {
    const old = await newFile('an old one');
    const fresh = await newFile('a fresh one');
    const past = new Date(Date.now() - 2 * 3_600_000);
    await utimes(old.path, past, past);
    await sweep();
    const names = await readdir(arrivals);
    expect([names.includes(nameIn(old)), names.includes(nameIn(fresh))]).toEqual([false, true]);
  });
});

describe('bytes that are being removed', () => {
  it('are stored again by an upload of the same bytes', async () => {
    const file = await newFile('back again');
    await saveFile(keeping, file);
    await services.deps.db.query.delete(files).where(eq(files.hash, file.hash));
    await services.deps.db.query.update(blobs).set({ state: 'leaving' }).where(eq(blobs.hash, file.hash));
    await keeping.stores.current.remove(keyIn(file));
    const row = await saveFile(keeping, await newFile('back again'));
    expect([row.hash, (await blobOf(file))?.state]).toEqual([file.hash, 'stored']);
    expect(await keysOf(file)).toHaveLength(1);
  });

  it('are waited for by an upload of the same bytes', async () => {
    const file = await newFile('crossing');
    const row = await saveFile(keeping, file);
    const removing = gate();
    const goOn = gate();
    const slow: FileStore = {
      ...keeping.stores.current,
      async remove(key) {
        removing.resolve();
        await goOn.promise;
        await keeping.stores.current.remove(key);
      },
    };
    await services.deps.db.query.delete(files).where(eq(files.id, row.id));
    const swept = sweepFiles({ ...sweeping(), stores: only(slow) });
    await removing.promise;
    const kept = saveFile(keeping, await newFile('crossing'));
    await sleep(50);
    goOn.resolve();
    await swept;
    expect((await kept).hash).toBe(file.hash);
    expect(await keysOf(file)).toHaveLength(1);
  });

  it('stay when the store fails, and are removed by a later sweep', async () => {
    const file = await newFile('stubborn');
    const row = await saveFile(keeping, file);
    await services.deps.db.query.delete(files).where(eq(files.id, row.id));
    const broken: FileStore = { ...keeping.stores.current, remove: () => Promise.reject(new Error('503')) };
    const faults: unknown[] = [];
    const onFault = (error: unknown) => void faults.push(error);
    await sweepFiles({ ...sweeping(), stores: only(broken), onFault });
    expect([faults.length, (await blobOf(file))?.state]).toEqual([1, 'leaving']);
    await sweep();
    expect(await blobOf(file)).toBeUndefined();
  });
});

describe('the sweep', () => {
  it('removes an unused file after its time, and keeps a used one', async () => {
    const unused = await saveFile(keeping, await newFile('unused'));
    const used = await saveFile(keeping, await newFile('used'));
    const { query } = services.deps.db;
    await query.transaction((tx) => attachFiles(tx, alice.id, randomUUID(), [used.id]));
    await query
      .update(files)
      .set({ expiresAt: sql`now() - interval '1 minute'` })
      .where(eq(files.id, unused.id));
    await sweep();
    const left = await query.select({ id: files.id }).from(files).where(eq(files.userId, alice.id));
    expect([left.some(({ id }) => id === unused.id), left.some(({ id }) => id === used.id)]).toEqual([false, true]);
    expect(await blobOf({ hash: unused.hash ?? '' })).toBeUndefined();
  });

  it('removes the bytes of a deleted user', async () => {
    const carol = await services.as('carol');
    const file = { ...(await newFile('of carol')), userId: carol.id };
    await saveFile(keeping, file);
    await services.deps.db.query.delete(users).where(eq(users.id, carol.id));
    await sweep();
    expect([await blobOf(file), await keysOf(file)]).toEqual([undefined, []]);
  });

  it('removes the bytes of all files of an account with more than a batch of them', async () => {
    const userId = await forgetFiles(isFullRun ? 1_100 : 510, 'local');
    await sweep();
    expect(await countBlobs(userId)).toBe(0);
  });

  it('removes bytes that come after a batch of those that a store does not let go', async () => {
    const stuck = await forgetFiles(600, 's3');
    const userId = await forgetFiles(1, 'local');
    const { current } = keeping.stores;
    const stores = { current, all: [current], of: (source: string) => (source === 's3' ? fail() : current) };
    const faults: unknown[] = [];
    // The second finds those first that the first one did not come to.
    for (let n = 0; n < 2; n++)
      await sweepFiles({ ...sweeping(), stores, onFault: (error) => void faults.push(error) });
    expect(faults.length).toBeLessThanOrEqual(1_200);
    expect([await countBlobs(stuck), await countBlobs(userId)]).toEqual([600, 0]);
    await services.deps.db.query.delete(blobs).where(eq(blobs.userId, stuck));
  });
});

describe('a store that fails', () => {
  it('leaves nothing behind, and the same upload succeeds later', async () => {
    const file = await newFile('at the second try');
    const before = (await alice.api.files.usage()).bytes;
    const broken: FileStore = { ...keeping.stores.current, put: () => Promise.reject(new Error('503')) };
    const failing = saveFile({ ...keeping, stores: only(broken) }, file);
    await expect(failing).rejects.toThrow('503');
    expect((await alice.api.files.usage()).bytes).toBe(before);
    expect((await saveFile(keeping, file)).hash).toBe(file.hash);
    expect(await keysOf(file)).toHaveLength(1);
  });
});

describe('the quota', () => {
  it('counts equal bytes once, refuses an upload beyond it, and keeps nothing of that', async () => {
    const bob = await services.as('bob');
    const of = async (text: string) => ({ ...(await newFile(text)), userId: bob.id });
    const half = 'x'.repeat(600 * 1024);
    await saveFile(keeping, await of(half));
    await saveFile(keeping, await of(half));
    const usage = { bytes: half.length, quotaBytes: 1024 * 1024, isFoundByMeaning: false };
    expect(await bob.api.files.usage()).toEqual(usage);
    const beyond = await of('y'.repeat(600 * 1024));
    await expect(saveFile(keeping, beyond)).rejects.toMatchObject({ reason: { type: 'storage_full' } });
    expect((await bob.api.files.usage()).bytes).toBe(half.length);
    await sweep();
    expect([await blobOf(beyond), await keysOf(beyond)]).toEqual([undefined, []]);
  });

  it('holds for simultaneous uploads', async () => {
    const dave = await services.as('dave');
    const texts = ['a', 'b', 'c', 'd'].map((letter) => letter.repeat(400 * 1024));
    const kept = await Promise.allSettled(
      texts.map(async (text) => saveFile(keeping, { ...(await newFile(text)), userId: dave.id })),
    );
    expect(kept.filter(({ status }) => status === 'fulfilled').length).toBeLessThanOrEqual(2);
    expect((await dave.api.files.usage()).bytes).toBeLessThanOrEqual(1024 * 1024);
  });
});

describe('the list of files', () => {
  it('comes in pages, newest first, with the number of uses', async () => {
    const erin = await services.as('erin');
    const ids: string[] = [];
    for (const text of ['one', 'two', 'three'])
      ids.unshift((await saveFile(keeping, { ...(await newFile(`list ${text}`)), userId: erin.id })).id);
    const first = await erin.api.files.list({ limit: 2 });
    const rest = await erin.api.files.list({ limit: 2, cursor: first.nextCursor });
    expect([...first.files, ...rest.files].map(({ fileId }) => fileId)).toEqual(ids);
    expect([first.nextCursor === null, rest.nextCursor]).toEqual([false, null]);
    expect(first.files[0]).toMatchObject({ uses: 0, name: 'file.txt', source: 'local', temporaryId: null });
    expect(first.files[0]?.path).toBe(`/api/files/download/${erin.id}/${ids[0]}`);
    await expect(alice.api.files.usesOf({ fileId: ids[0] ?? '' })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(await alice.api.files.remove({ ids })).toEqual({ removed: [] });
  });
});

function gate() {
  let resolve = () => {};
  const promise = new Promise<void>((open) => (resolve = open));
  return { promise, resolve };
}

/** Stores of which there is one. */
function only(store: FileStore): FileStores {
  return { current: store, all: [store], of: () => store };
}

function sweeping() {
  return {
    db: keeping.db,
    stores: keeping.stores,
    arrivals,
    onFault: (error: unknown) => {
      throw error;
    },
  };
}

function sweep() {
  return sweepFiles(sweeping());
}

/** As many rows of bytes that no file needs, of a user who is gone; the store has none of them. */
async function forgetFiles(count: number, store: 'local' | 's3'): Promise<string> {
  const userId = randomUUID();
  const hashes = Array.from({ length: count }, (_, n) => createHash('sha256').update(String(n)).digest('hex'));
  const rows = hashes.map((hash) => ({ userId, hash, store, bytes: 12, state: 'stored' as const }));
  await services.deps.db.query.insert(blobs).values(rows);
  return userId;
}

function countBlobs(userId: string): Promise<number> {
  return services.deps.db.query.$count(blobs, eq(blobs.userId, userId));
}

function fail(): never {
  throw new Error('503');
}

async function newFile(text: string, over: Partial<NewFile> = {}): Promise<NewFile> {
  const path = join(arrivals, randomUUID());
  await writeFile(path, text);
  return {
    userId: alice.id,
    path,
    bytes: text.length,
    hash: createHash('sha256').update(text).digest('hex'),
    name: 'file.txt',
    mime: 'text/plain',
    context: 'message_attachment',
    ...over,
  };
}

async function blobOf({ hash }: Pick<NewFile, 'hash'>) {
  const [blob] = await services.deps.db.query.select().from(blobs).where(eq(blobs.hash, hash));
  return blob;
}

async function makeOld({ userId, hash }: NewFile): Promise<void> {
  await services.deps.db.query
    .update(blobs)
    .set({ since: sql`now() - interval '2 hours'` })
    .where(and(eq(blobs.userId, userId), eq(blobs.hash, hash)));
}

function keyIn({ userId, hash }: NewFile): string {
  return `${userId}/${hash.slice(0, 2)}/${hash}`;
}

async function keysOf(file: NewFile): Promise<string[]> {
  const keys: string[] = [];
  for await (const key of keeping.stores.current.list(keyIn(file))) keys.push(key);
  return keys;
}

function nameIn({ path }: NewFile): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
