// Files live by use: as long as a message, a conversation in the trash, or a profile needs them.
import { randomUUID } from 'node:crypto';
import { convos } from '@parley/db/tables/convos';
import { deletions } from '@parley/db/tables/deletions';
import { files, fileUses } from '@parley/db/tables/files';
import { users } from '@parley/db/tables/users';
import type { FinalEvent } from '@parley/schema/generation/events';
import { messageAttachments } from '@parley/schema/messages/messages';
import { buildTree, latestLeaf, pathTo } from '@parley/schema/messages/tree';
import { sweepTrash } from '@parley/server/trash/sweep';
import { arrivalsFolder } from '@parley/server/storage/arrivals';
import { storageKey } from '@parley/server/storage/file-store';
import { keepFile } from '@parley/server/files/attach-files';
import { sweepFiles } from '@parley/server/files/sweep';
import { and, eq, inArray, isNotNull, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asJson } from '../../../web/src/export/as-json.ts';
import { exchange, question } from '../../support/exchange.ts';
import { importFor } from '../transfer/import-file.ts';
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

describe('a file that is taken out of an unsent question', () => {
  const draft = (key: string, fileId: string) => ({
    key,
    text: 'Read',
    files: [
      {
        type: 'file' as const,
        fileId,
        path: `/api/files/download/${alice.id}/${fileId}`,
        name: 'a.txt',
        mime: 'text/plain',
        bytes: 1,
      },
    ],
    editedAt: new Date().toISOString(),
    basedOn: 0,
  });

  it('is deleted at once, though its draft still names it', async () => {
    const fileId = await addFile(alice);
    const key = randomUUID();
    await alice.api.drafts.save(draft(key, fileId));
    expect(await alice.api.files.discard({ ids: [fileId], drafts: [key] })).toEqual({ removed: [fileId] });
    expect(await rowOf(fileId)).toBeUndefined();
  });

  it('stays where another draft, a message, or somebody else has it', async () => {
    const shared = await addFile(alice);
    await alice.api.drafts.save(draft(randomUUID(), shared));
    const sent = await addFile(alice);
    await askWith(alice, sent);
    const his = await addFile(bob);
    const ids = [shared, sent, his];
    expect(await alice.api.files.discard({ ids, drafts: [randomUUID()] })).toEqual({ removed: [] });
    for (const id of ids) expect(await rowOf(id)).toBeDefined();
    await bob.api.files.remove({ ids: [his] });
  });
});

describe('a copy of a message', () => {
  it('in a fork uses its files too', async () => {
    const fileId = await addFile(alice);
    const { convo, request } = await askWith(alice, fileId);
    const { conversationId } = convo;
    const fork = await alice.api.convos.fork({ conversationId, forkId: randomUUID() });
    const [copy] = await alice.api.messages.list({ conversationId: fork.conversationId });
    expect((await refsOf(fileId)).toSorted()).toEqual([request.messageId, copy?.messageId].toSorted());
    expect((await alice.api.files.usesOf({ fileId })).messages).toHaveLength(2);
  });

  it('in a fork names a file that is gone, and no more', async () => {
    const fileId = await addFile(alice);
    const { convo } = await askWith(alice, fileId);
    await alice.api.files.remove({ ids: [fileId] });
    const { conversationId } = await alice.api.convos.fork({
      conversationId: convo.conversationId,
      forkId: randomUUID(),
    });
    const [copy] = await alice.api.messages.list({ conversationId });
    expect(copy && messageAttachments(copy).map((part) => part.fileId)).toEqual([fileId]);
    expect(await refsOf(fileId)).toEqual([]);
  });

  it('an imported conversation uses the files of the person who imports it, and nobody else’s', async () => {
    const fileId = await addFile(alice);
    const file = (await exportOf(alice, await askWith(alice, fileId))).replace(
      /"conversationId": *"[^"]*"/,
      '"conversationId": "a copy"',
    );
    const others = await importAs(bob, file);
    const own = await importAs(alice, file.replaceAll(/"messageId": *"([^"]*)"/g, '"messageId": "copy of $1"'));
    expect(await refsOf(fileId)).toHaveLength(2);
    const ofOwn = await alice.api.messages.list({ conversationId: own });
    expect(await refsOf(fileId)).toContain(ofOwn[0]?.messageId);
    const [foreign] = await bob.api.messages.list({ conversationId: others });
    expect(foreign && messageAttachments(foreign)).toHaveLength(1);
    expect(await bob.api.files.list({})).toMatchObject({ files: [] });
  });

  it('that is imported keeps a file whose time is running', async () => {
    const kept = await addFile(alice);
    const unused = await addFile(alice);
    const file = (await exportOf(alice, await askWith(alice, kept))).replaceAll(kept, unused);
    expect((await rowOf(unused))?.expiresAt).not.toBeNull();
    const ids = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
    await importAs(
      alice,
      file.replaceAll(ids, (id) => (id === unused || id === alice.id ? id : `another ${id}`)),
    );
    expect((await rowOf(unused))?.expiresAt).toBeNull();
  });
});

describe('a file goes with its last use', () => {
  it('when the message was deleted permanently, an hour later, with its bytes', async () => {
    const fileId = await addFile(alice);
    const { convo, request } = await askWith(alice, fileId);
    await alice.api.messages.remove({ conversationId: convo.conversationId, messageId: request.messageId });
    await emptyBin();
    expect(await refsOf(fileId)).toEqual([]);
    expect((await rowOf(fileId))?.expiresAt).not.toBeNull();
    const key = storageKey(alice.id, (await rowOf(fileId))?.hash ?? '');
    expect(await isStored(key)).toBe(true);
    await spendTimeOf(fileId);
    expect([await rowOf(fileId), await isStored(key)]).toEqual([undefined, false]);
  });

  it('when a branch was deleted permanently', async () => {
    const [first, second] = [await addFile(alice), await addFile(alice)];
    const before = await askWith(alice, first);
    const place = { conversationId: before.convo.conversationId };
    const messageId = randomUUID();
    const parentMessageId = before.reply.messageId;
    const target = { kind: 'send' as const, messageId, parentMessageId, text: 'And this', files: [second] };
    await exchange(services, alice.id, question('', { ...place, target }));
    await alice.api.messages.prune({ ...place, messageId: parentMessageId });
    await emptyBin();
    await spendTimeOf(first, second);
    expect([await rowOf(first), await rowOf(second)]).toEqual([expect.objectContaining({ id: first }), undefined]);
  });

  it('when the conversation was deleted permanently, but not while a fork has it', async () => {
    const fileId = await addFile(alice);
    const { convo } = await askWith(alice, fileId);
    const place = { conversationId: convo.conversationId };
    const fork = await alice.api.convos.fork({ ...place, forkId: randomUUID() });
    await alice.api.convos.remove(place);
    await emptyBin();
    await spendTimeOf(fileId);
    expect((await rowOf(fileId))?.expiresAt).toBeNull();
    await alice.api.convos.remove({ conversationId: fork.conversationId });
    await emptyBin();
    await spendTimeOf(fileId);
    expect(await rowOf(fileId)).toBeUndefined();
  });

  it('but not while the trash can bring the use back', async () => {
    const fileId = await addFile(alice);
    const { convo, request } = await askWith(alice, fileId);
    const { deletionId } = await alice.api.convos.remove({ conversationId: convo.conversationId });
    await sweepTrash(services.deps.db);
    await sweep();
    await spendTimeOf(fileId);
    expect(await refsOf(fileId)).toEqual([request.messageId]);
    await alice.api.convos.restore({ deletionId: deletionId ?? '' });
    expect(await alice.api.files.usesOf({ fileId })).toMatchObject({ messages: [{ messageId: request.messageId }] });
  });

  it('but not when it is attached again within the hour', async () => {
    const fileId = await addFile(alice);
    const { convo } = await askWith(alice, fileId);
    await alice.api.convos.remove({ conversationId: convo.conversationId });
    await emptyBin();
    await askWith(alice, fileId);
    await spendTimeOf(fileId);
    expect((await rowOf(fileId))?.expiresAt).toBeNull();
  });

  it('but an avatar stays', async () => {
    const fileId = await addFile(alice, { text: 'a face', context: 'avatar' });
    const use = { userId: alice.id, fileId, kind: 'avatar', ref: alice.id } as const;
    await services.deps.db.query.insert(fileUses).values(use);
    await sweep();
    await spendTimeOf(fileId);
    expect(await refsOf(fileId)).toEqual([alice.id]);
  });

  it('and when the account was deleted permanently', async () => {
    const carol = await services.as('carol');
    const fileId = await addFile(carol);
    await askWith(carol, fileId);
    const key = storageKey(carol.id, (await rowOf(fileId))?.hash ?? '');
    await services.deps.db.query.delete(users).where(eq(users.id, carol.id));
    await sweep();
    expect([await rowOf(fileId), await refsOf(fileId), await isStored(key)]).toEqual([undefined, [], false]);
  });
});

describe('a file that its person keeps', () => {
  it('stays past its hour, and past the last message that used it, until it is deleted', async () => {
    const file = await keepTestFile(services.deps, alice.id);
    const fileId = file.id;
    await keepFile(services.deps.db, alice.id, file);
    await spendTimeOf(fileId);
    expect((await rowOf(fileId))?.expiresAt).toBeNull();
    const { convo } = await askWith(alice, fileId);
    await alice.api.convos.remove({ conversationId: convo.conversationId });
    await emptyBin();
    await spendTimeOf(fileId);
    expect(await refsOf(fileId)).toEqual([alice.id]);
    expect(await alice.api.files.discard({ ids: [fileId], drafts: [] })).toEqual({ removed: [] });
    expect((await alice.api.files.usesOf({ fileId })).messages).toEqual([]);
    expect(await alice.api.files.remove({ ids: [fileId] })).toEqual({ removed: [fileId] });
  });
});

/** Lets the week of the trash pass. */
async function emptyBin(): Promise<void> {
  const { db } = services.deps;
  const old = sql`now() - interval '30 days'`;
  await db.query.update(deletions).set({ createdAt: old });
  await db.query.update(convos).set({ deletedAt: old }).where(isNotNull(convos.deletedAt));
  await sweepTrash(db);
  await sweep();
}

/** Lets the hour of unused files pass. */
async function spendTimeOf(...fileIds: string[]): Promise<void> {
  await services.deps.db.query
    .update(files)
    .set({ expiresAt: sql`now() - interval '1 minute'` })
    .where(and(inArray(files.id, fileIds), isNotNull(files.expiresAt)));
  await sweep();
}

function sweep(): Promise<void> {
  const { db, stores, config } = services.deps;
  const onFault = (error: unknown) => {
    throw error;
  };
  return sweepFiles({ db, stores, arrivals: arrivalsFolder(config), onFault });
}

async function isStored(key: string): Promise<boolean> {
  for await (const _ of services.deps.stores.current.list(key)) return true;
  return false;
}

async function askWith({ id }: Person, ...fileIds: string[]): Promise<FinalEvent> {
  const messageId = randomUUID();
  const target = { kind: 'send', messageId, parentMessageId: null, text: 'See this', files: fileIds } as const;
  return exchange(services, id, question('', { target }));
}

async function exportOf({ api }: Person, { convo }: FinalEvent): Promise<string> {
  const tree = buildTree(await api.messages.list({ conversationId: convo.conversationId }));
  const path = pathTo(tree, latestLeaf(tree)?.messageId ?? '');
  const transcript = { convo, title: 'A talk', tree, path, exportAt: '12:00:00', failureOf: () => 'It failed.' };
  return asJson(transcript, { includeOptions: true, exportBranches: true, recursive: false }).join('');
}

/** The id of the conversation that it makes. */
async function importAs(person: Person, file: string): Promise<string> {
  const lines = await importFor(services, person, file);
  const imported = lines.flatMap((line) =>
    'conversationId' in line && line.outcome === 'imported' ? line.conversationId : [],
  );
  expect(imported).toHaveLength(1);
  return imported[0] ?? '';
}

async function addFile({ id }: Pick<Person, 'id'>, file?: Parameters<typeof keepTestFile>[2]): Promise<string> {
  return (await keepTestFile(services.deps, id, file)).id;
}

async function refsOf(fileId: string): Promise<string[]> {
  const rows = await services.deps.db.query.select().from(fileUses).where(eq(fileUses.fileId, fileId));
  return rows.map(({ ref }) => ref);
}

async function rowOf(fileId: string) {
  const [row] = await services.deps.db.query.select().from(files).where(eq(files.id, fileId));
  return row;
}
