import { randomUUID } from 'node:crypto';
import { files, fileUses } from '@parley/db/tables/files';
import { attachFiles } from '@parley/server/files/attach-files';
import { storageKey } from '@parley/server/storage/file-store';
import { readFileBytes } from '@parley/server/files/read-file';
import { and, eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestServices, type Person, type TestServices } from '../../support/services.ts';
import { keepTestFile } from '../../support/uploads.ts';

let services: TestServices;
let alice: Person;
let bob: Person;

beforeAll(async () => {
  services = await openTestServices();
  alice = await services.as('alice');
  bob = await services.as('bob');
});
afterAll(() => services.close());

describe('attaching files to a message', () => {
  it('returns its parts in order and keeps the files', async () => {
    const notes = await addFile(alice, 'some notes', { name: 'notes.txt', mime: 'text/plain' });
    const photo = await addFile(alice, 'a photo', { name: 'Zoë & me.png', mime: 'image/png', width: 4, height: 3 });
    const messageId = randomUUID();
    const parts = await attach(alice, messageId, [photo, notes, photo]);
    const base = { mime: 'image/png', bytes: 7, name: 'Zoë & me.png' };
    const path = `/images/${alice.id}/${photo}__Zo_me.png`;
    expect(parts).toEqual([
      { type: 'image', fileId: photo, path, width: 4, height: 3, ...base },
      {
        type: 'file',
        fileId: notes,
        path: `/api/files/download/${alice.id}/${notes}`,
        name: 'notes.txt',
        mime: 'text/plain',
        bytes: 10,
      },
    ]);
    expect(await usesOf(photo)).toEqual([{ kind: 'message', ref: messageId }]);
    expect((await rowOf(alice, notes))?.expiresAt).toBeNull();
  });

  it('gives the same result for the same message again', async () => {
    const id = await addFile(alice, 'twice');
    const messageId = randomUUID();
    const first = await attach(alice, messageId, [id]);
    expect(await attach(alice, messageId, [id])).toEqual(first);
    expect(await usesOf(id)).toHaveLength(1);
  });

  it.each([
    ['a missing one', async () => randomUUID()],
    ['no id at all', async () => 'no id'],
    ["another user's", async () => addFile(bob, 'of bob')],
    ['an avatar', async () => addFile(alice, 'a face', { context: 'avatar' })],
  ])('refuses %s and attaches nothing', async (_, foreign) => {
    const id = await addFile(alice, `one of her own ${randomUUID()}`);
    await expect(attach(alice, randomUUID(), [id, await foreign()])).rejects.toMatchObject({
      reason: { type: 'not_found', what: 'file' },
    });
    expect(await usesOf(id)).toEqual([]);
    expect((await rowOf(alice, id))?.expiresAt).not.toBeNull();
  });
});

describe('reading a file for a provider', () => {
  it('returns its bytes and type', async () => {
    const id = await addFile(alice, 'for the model', { mime: 'text/plain' });
    const read = await readFileBytes(services.deps, alice.id, id, 1000);
    expect(read?.mime).toBe('text/plain');
    expect(Buffer.from(read?.bytes ?? []).toString()).toBe('for the model');
  });

  it('returns nothing for a file that is missing, too large, without bytes or of another user', async () => {
    const id = await addFile(alice, 'of alice alone');
    const { deps } = services;
    expect(await readFileBytes(deps, alice.id, randomUUID(), 1000)).toBeNull();
    expect(await readFileBytes(deps, bob.id, id, 1000)).toBeNull();
    expect(await readFileBytes(deps, alice.id, id, 13)).toBeNull();
    await deps.stores.current.remove(storageKey(alice.id, (await rowOf(alice, id))?.hash ?? ''));
    expect(await readFileBytes(deps, alice.id, id, 1000)).toBeNull();
  });
});

function attach({ id }: Person, messageId: string, ids: string[]) {
  return services.deps.db.query.transaction((tx) => attachFiles(tx, id, messageId, ids));
}

async function addFile(of: Person, text: string, over: Parameters<typeof keepTestFile>[2] = {}): Promise<string> {
  return (await keepTestFile(services.deps, of.id, { text, ...over })).id;
}

async function rowOf({ id: userId }: Person, id: string) {
  const [row] = await services.deps.db.query
    .select()
    .from(files)
    .where(and(eq(files.userId, userId), eq(files.id, id)));
  return row;
}

function usesOf(fileId: string) {
  return services.deps.db.query
    .select({ kind: fileUses.kind, ref: fileUses.ref })
    .from(fileUses)
    .where(eq(fileUses.fileId, fileId));
}
