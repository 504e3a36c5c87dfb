// Sets of files: what they hold, whose they are, and what is told of a file before it is deleted.
import { randomUUID } from 'node:crypto';
import { fileUses } from '@parley/db/tables/files';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { exchange, question } from '../../support/exchange.ts';
import { addFile } from '../../support/retrieval/stored-files.ts';
import { openTestServices, type Person, type TestServices } from '../../support/services.ts';
import { follow } from '../convos/follow.ts';

let services: TestServices;
let alice: Person;
let bob: Person;

beforeAll(async () => {
  services = await openTestServices();
  alice = await services.as('alice');
  bob = await services.as('bob');
});
afterAll(() => services.close());

it('a set is saved as a whole, renamed, listed by name, and announced to the other browsers', async () => {
  const [first, second] = [await addFile(services, alice, 'One'), await addFile(services, alice, 'Two')];
  const feed = await follow(services, alice.id);
  const id = randomUUID();
  expect(await alice.api.files.sets.save({ id, name: ' Taxes ', fileIds: [second, first, second] })).toEqual({
    id,
    name: 'Taxes',
    fileIds: [first, second],
  });
  await feed.until((change) => change.type === 'folders');
  const empty = await alice.api.files.sets.save({ id: randomUUID(), name: 'and nothing', fileIds: [] });
  const changed = await alice.api.files.sets.save({ id, name: 'Bills', fileIds: [second] });
  expect(await alice.api.files.sets.list()).toEqual([empty, changed]);
  await alice.api.files.sets.remove({ id });
  await alice.api.files.sets.remove({ id });
  expect(await alice.api.files.sets.list()).toEqual([empty]);
});

it('a deleted file leaves its sets; a file that leaves them stays among those of its person', async () => {
  const [kept, gone] = [await addFile(services, alice, 'Kept'), await addFile(services, alice, 'Gone')];
  const set = await alice.api.files.sets.save({ id: randomUUID(), name: 'Both', fileIds: [kept, gone] });
  await alice.api.files.remove({ ids: [gone] });
  expect(await alice.api.files.sets.list()).toContainEqual({ ...set, fileIds: [kept] });
  await alice.api.files.sets.remove({ id: set.id });
  const { files } = await alice.api.files.list();
  expect(files.find(({ fileId }) => fileId === kept)).toMatchObject({ expiresAt: null });
});

it('a set takes no file of another person, no more than a hundred, and no name of spaces', async () => {
  const his = await addFile(services, bob, 'His');
  const save = (over: object) =>
    alice.api.files.sets.save({ id: randomUUID(), name: 'Set', fileIds: [], ...over }).catch(({ code }) => code);
  expect(await save({ fileIds: [his] })).toBe('NOT_FOUND');
  expect(await save({ fileIds: Array.from({ length: 101 }, () => randomUUID()) })).toBe('BAD_REQUEST');
  expect(await save({ name: '  ' })).toBe('BAD_REQUEST');
  expect((await alice.api.files.sets.list()).map(({ name }) => name)).not.toContain('Set');
});

it('a person has at most a hundred sets', async () => {
  const carol = await services.as('carol');
  const save = (n: number) => carol.api.files.sets.save({ id: randomUUID(), name: `Set ${n}`, fileIds: [] });
  for (let n = 0; n < 100; n += 1) await save(n);
  await expect(save(100)).rejects.toMatchObject({ code: 'UNPROCESSABLE_CONTENT' });
  expect(await carol.api.files.sets.list()).toHaveLength(100);
});

it('what uses files is told and counted: chats, folders, assistants and sets, without what is in the trash', async () => {
  const fileId = await addFile(services, alice, 'Much used');
  const other = await addFile(services, alice, 'Used once');
  const asked = (text: string) => {
    const target = { kind: 'send' as const, messageId: randomUUID(), parentMessageId: null, text };
    return exchange(services, alice.id, question(text, { target: { ...target, files: [fileId] } }));
  };
  const { convo } = await asked('Read it');
  const deleted = await asked('Read it, too');
  await alice.api.convos.remove({ conversationId: deleted.convo.conversationId });
  const folder = await alice.api.folders.create({ id: randomUUID(), name: 'Garden' });
  await alice.api.folders.setFiles({ folderId: folder.id, fileIds: [fileId, other] });
  const reader = { name: 'Reader', endpoint: 'openAI', model: 'fake:echo', tools: [{ type: 'retrieval' as const }] };
  const { assistantId } = await alice.api.assistants.create({ ...reader, fileIds: [fileId] });
  const set = await alice.api.files.sets.save({ id: randomUUID(), name: 'Green', fileIds: [fileId] });

  const skillId = randomUUID();
  await alice.api.skills.save({ id: skillId, name: 'garden', description: 'Plants', body: 'Plant.' });
  await services.deps.db.query
    .insert(fileUses)
    .values({ userId: alice.id, fileId: other, kind: 'skill', ref: skillId });

  const uses = await alice.api.files.usesOf({ fileId });
  expect(uses.messages).toMatchObject([{ conversationId: convo.conversationId }]);
  expect(uses.others).toEqual([
    { kind: 'assistant', id: assistantId, name: 'Reader' },
    { kind: 'folder', id: folder.id, name: 'Garden' },
    { kind: 'set', id: set.id, name: 'Green' },
  ]);
  const counts = { chats: 1, folders: 1, assistants: 1, sets: 1, skills: 1 };
  expect(await alice.api.files.countUses({ ids: [fileId, other] })).toEqual(counts);
  expect(await bob.api.files.countUses({ ids: [fileId, other] })).toEqual({
    chats: 0,
    folders: 0,
    assistants: 0,
    sets: 0,
    skills: 0,
  });
});
