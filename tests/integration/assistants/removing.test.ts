// Assistants that are deleted, and come back.
import { randomUUID } from 'node:crypto';
import { actions, assistants } from '@parley/db/tables/assistants';
import { deletions } from '@parley/db/tables/deletions';
import { files, fileUses } from '@parley/db/tables/files';
import { connections } from '@parley/db/tables/tools';
import { sweepConnections } from '@parley/server/actions/rows';
import { sweepTrash } from '@parley/server/trash/sweep';
import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { exchange, question } from '../../support/exchange.ts';
import { addFile } from '../../support/retrieval/stored-files.ts';
import { openTestServices, type Person, type TestServices } from '../../support/services.ts';

let services: TestServices;
let alice: Person;
let bob: Person;

const RAW_SPEC = JSON.stringify({
  openapi: '3.0.0',
  info: { title: 'Pets', version: '1' },
  servers: [{ url: 'https://pets.example' }],
  paths: { '/pets': { get: { operationId: 'listPets', responses: {} } } },
});

beforeAll(async () => {
  services = await openTestServices({ OPENAI_MODELS: 'fake:echo' });
  alice = await services.as('alice');
  bob = await services.as('bob');
});
afterAll(() => services.close());

it('a deleted assistant comes back whole: with its actions, its files, its image and its connections', async () => {
  const { before, ref } = await createWhole();
  const { deletionId } = await alice.api.assistants.remove(ref);
  await expect(alice.api.assistants.get(ref)).rejects.toThrow('not_found');
  expect((await alice.api.assistants.list()).assistants).toEqual([]);
  expect(await alice.api.assistants.actions()).toEqual([]);
  expect(await alice.api.tools.list()).not.toContainEqual(
    expect.objectContaining({ from: expect.objectContaining({ source: 'action' }) }),
  );
  await sweepConnections(services.deps.db);
  expect(await alice.api.convos.restore({ deletionId })).toEqual({ kind: 'assistant', conversationIds: [], count: 1 });
  expect(await alice.api.assistants.get(ref)).toEqual(before);
  expect(await alice.api.assistants.actions(ref)).toHaveLength(1);
  const { query } = services.deps.db;
  expect(await query.select().from(connections).where(eq(connections.userId, alice.id))).toHaveLength(1);
  await expect(alice.api.convos.restore({ deletionId })).rejects.toThrow('not_found');
});

it('a chat of a deleted one says so, and goes on when it is back', async () => {
  const { ref } = await createWhole();
  const asking = () =>
    question('Still there?', { endpoint: 'assistants', model: null, settings: { assistant_id: ref.assistantId } });
  await exchange(services, alice.id, asking());
  expect(await alice.api.assistants.status(ref)).toEqual({ status: 'usable' });
  const { deletionId } = await alice.api.assistants.remove(ref);
  expect(await alice.api.assistants.status(ref)).toEqual({ status: 'deleted', name: 'Keeper', deletionId });
  expect(await bob.api.assistants.status(ref)).toEqual({ status: 'missing' });
  await expect(alice.api.messages.ask(asking())).rejects.toThrow('not_found');
  await alice.api.convos.restore({ deletionId });
  expect((await exchange(services, alice.id, asking())).reply.reason).toBeNull();
});

it('the trash lists it under its name, for its owner alone', async () => {
  const { ref } = await createWhole();
  const { deletionId } = await alice.api.assistants.remove(ref);
  expect((await alice.api.convos.trash({})).deletions[0]).toMatchObject({
    deletionId,
    kind: 'assistant',
    conversationId: null,
    label: 'Keeper',
    count: 1,
  });
  expect((await bob.api.convos.trash({})).deletions).toEqual([]);
  await expect(bob.api.convos.restore({ deletionId })).rejects.toThrow('not_found');
  expect(await alice.api.assistants.status(ref)).toMatchObject({ status: 'deleted' });
});

it('others are answered no more while a shared one is deleted', async () => {
  const { ref } = await createWhole({ isShared: true });
  expect(await bob.api.assistants.status(ref)).toEqual({ status: 'usable' });
  const { deletionId } = await alice.api.assistants.remove(ref);
  expect(await bob.api.assistants.shared()).toEqual([]);
  expect(await bob.api.assistants.status(ref)).toEqual({ status: 'missing' });
  await alice.api.convos.restore({ deletionId });
  expect(await bob.api.assistants.shared()).toHaveLength(1);
  await alice.api.assistants.update({ ...ref, isShared: false });
});

it('a deleted assistant is purged after seven days, with its actions and tokens, and its files expire', async () => {
  const { ref, fileId } = await createWhole();
  const { deletionId } = await alice.api.assistants.remove(ref);
  const { db } = services.deps;
  await sweepTrash(db);
  expect(await alice.api.assistants.status(ref)).toMatchObject({ status: 'deleted' });
  await db.query
    .update(deletions)
    .set({ createdAt: sql`now() - interval '8 days'` })
    .where(eq(deletions.id, deletionId));
  await sweepTrash(db);
  expect(await alice.api.assistants.status(ref)).toEqual({ status: 'missing' });
  const id = ref.assistantId;
  expect(await db.query.$count(assistants, eq(assistants.id, id))).toBe(0);
  expect(await db.query.$count(actions, eq(actions.assistantId, id))).toBe(0);
  expect(await db.query.$count(fileUses, eq(fileUses.ref, id))).toBe(0);
  const [file] = await db.query.select().from(files).where(eq(files.id, fileId));
  expect(file?.expiresAt).not.toBeNull();
  await expect(alice.api.convos.restore({ deletionId })).rejects.toThrow('not_found');
});

async function createWhole({ isShared = false } = {}) {
  const { query } = services.deps.db;
  await query.delete(assistants).where(eq(assistants.userId, alice.id));
  await query.delete(connections).where(eq(connections.userId, alice.id));
  const fileId = await addFile(services, alice, `The mill is old. ${randomUUID()}`);
  const tools = [{ type: 'retrieval' as const }];
  const made = await alice.api.assistants.create({
    name: 'Keeper',
    model: 'fake:echo',
    tools,
    fileIds: [fileId],
    isShared,
  });
  const ref = { assistantId: made.assistantId };
  const action = await alice.api.assistants.saveAction({ ...ref, rawSpec: RAW_SPEC, auth: { type: 'none' } });
  const service = `action:${action.action.id}`;
  await query.insert(connections).values({ userId: alice.id, service, encrypted: 'tokens' });
  return { before: await alice.api.assistants.get(ref), ref, fileId };
}
