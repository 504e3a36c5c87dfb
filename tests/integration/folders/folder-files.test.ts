// The files of a folder answer every chat in it: whole while they fit, else by what a search finds, and cited.
import { randomUUID } from 'node:crypto';
import { readAssistantFiles } from '@parley/server/assistants/assistant-files';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exchange, followUp, isAskedAbout, question } from '../../support/exchange.ts';
import { addFile, awaitState } from '../../support/retrieval/stored-files.ts';
import { openTestServices, type Person, type TestServices } from '../../support/services.ts';
import { follow } from '../convos/follow.ts';

const SECRET = 'The gate opens with the word quince.';

let services: TestServices;
let alice: Person;
let bob: Person;

beforeAll(async () => {
  services = await openTestServices();
  alice = await services.as('alice');
  bob = await services.as('bob');
});
afterAll(() => services.close());

const folderWith = async (fileIds: string[]) => {
  const { id: folderId } = await alice.api.folders.create({ id: randomUUID(), name: 'Garden' });
  return alice.api.folders.setFiles({ folderId, fileIds });
};

describe('the files of a folder', () => {
  it('files of a folder are set as a whole, told by the list, and announced to the other browsers', async () => {
    const [first, second] = [await addFile(services, alice, 'One'), await addFile(services, alice, 'Two')];
    const feed = await follow(services, alice.id);
    const folder = await folderWith([first, second]);
    expect(folder.fileIds.toSorted()).toEqual([first, second].toSorted());
    await feed.until((change) => change.type === 'folders');
    const changed = await alice.api.folders.setFiles({ folderId: folder.id, fileIds: [second] });
    expect(changed).toEqual({ ...folder, fileIds: [second] });
    expect(await alice.api.folders.list()).toContainEqual(changed);
    await alice.api.files.remove({ ids: [second] });
    expect(await alice.api.folders.list()).toContainEqual({ ...folder, fileIds: [] });
  });

  it('files of a folder are no files of another person, and no folder of another person takes any', async () => {
    const his = await addFile(services, bob, SECRET);
    const folder = await folderWith([]);
    const setting = { folderId: folder.id, fileIds: [his] };
    await expect(alice.api.folders.setFiles(setting)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(bob.api.folders.setFiles(setting)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(await alice.api.folders.list()).toContainEqual(folder);
  });

  it('files of a folder are at most a hundred', async () => {
    const folder = await folderWith([]);
    const fileIds = Array.from({ length: 101 }, () => randomUUID());
    await expect(alice.api.folders.setFiles({ folderId: folder.id, fileIds })).rejects.toMatchObject({
      code: 'BAD_REQUEST',
    });
  });

  it('files of a folder are shown whole in each chat in it, and not in a chat that has left it', async () => {
    const file = await addFile(services, alice, SECRET, { name: 'gate.txt' });
    await awaitState(services, file, 'ready');
    const { id: folderId } = await folderWith([file]);
    const begun = await exchange(services, alice.id, question('How does it open?', { folderId }));
    expect(await sentWith('How does it open?')).toContain(SECRET);
    expect(begun.reply.context).toMatchObject({ files: [{ fileId: file, name: 'gate.txt', shown: 'whole' }] });
    // The question itself has no file.
    expect(begun.request.parts).toEqual([{ type: 'text', text: 'How does it open?' }]);
    const next = await exchange(services, alice.id, followUp('And how does it close?', begun));
    expect(await sentWith('And how does it close?')).toContain(SECRET);
    const { conversationId } = begun.convo;
    await alice.api.convos.moveToFolder({ conversationIds: [conversationId], folderId: null });
    const left = await exchange(services, alice.id, followUp('Who painted it?', next));
    expect(left.reply.context).not.toHaveProperty('files');
    expect(next.reply.context).toHaveProperty('files');
    const elsewhere = await exchange(services, alice.id, question('Which hinges?'));
    expect(elsewhere.reply.context).not.toHaveProperty('files');
  });

  it('files of a folder are shown by passages where they are too long, which the reply can cite', async () => {
    const long = `${'Apples ripen late in the walled part. '.repeat(4000)}\n\n${SECRET}\n\n${'Pears do not. '.repeat(4000)}`;
    const file = await addFile(services, alice, long, { name: 'almanac.txt' });
    await awaitState(services, file, 'ready');
    const { id: folderId } = await folderWith([file]);
    const { reply } = await exchange(services, alice.id, question('Which word opens the gate?', { folderId }));
    expect(await sentWith('Which word opens the gate?')).toContain(SECRET);
    expect(reply.context?.files).toMatchObject([{ fileId: file, shown: 'passages' }]);
  });

  it('files of a folder outlive the folder only if something else uses them', async () => {
    const file = await addFile(services, alice, 'Loose leaf');
    const { id } = await folderWith([file]);
    expect((await alice.api.files.list({})).files.find(({ fileId }) => fileId === file)?.expiresAt).toBeNull();
    await alice.api.folders.remove({ id });
    const left = (await alice.api.files.list({})).files.find(({ fileId }) => fileId === file);
    expect(left?.expiresAt).toEqual(expect.any(String));
  });
});

describe('sets of files of a folder', () => {
  const makeSet = (fileIds: string[]) => alice.api.files.sets.save({ id: randomUUID(), name: 'Papers', fileIds });

  it('a set answers in the folder with its files of the moment, each file once', async () => {
    const file = await addFile(services, alice, SECRET, { name: 'gate.txt' });
    const later = await addFile(services, alice, 'The well is dry.', { name: 'well.txt' });
    await Promise.all([file, later].map((id) => awaitState(services, id, 'ready')));
    const { id: folderId } = await folderWith([file]);
    const set = await makeSet([file]);
    const changed = await alice.api.folders.update({ id: folderId, setIds: [set.id, set.id] });
    expect(changed).toMatchObject({ fileIds: [file], setIds: [set.id] });
    expect(await alice.api.folders.files({ id: folderId })).toMatchObject([{ fileId: file }]);
    const first = await exchange(services, alice.id, question('Which word?', { folderId }));
    expect(first.reply.context).toMatchObject({ files: [{ fileId: file, name: 'gate.txt', shown: 'whole' }] });
    await alice.api.files.sets.save({ ...set, fileIds: [later] });
    await alice.api.folders.setFiles({ folderId, fileIds: [] });
    const next = await exchange(services, alice.id, followUp('And the well?', first));
    expect(next.reply.context).toMatchObject({ files: [{ fileId: later, shown: 'whole' }] });
    expect(await sentWith('And the well?')).toContain('The well is dry.');
  });

  it('a set that is removed leaves the folder, and its files stay', async () => {
    const file = await addFile(services, alice, SECRET);
    const folder = await folderWith([]);
    const set = await makeSet([file]);
    await alice.api.folders.update({ id: folder.id, setIds: [set.id] });
    await alice.api.files.sets.remove({ id: set.id });
    expect(await alice.api.folders.list()).toContainEqual(folder);
    expect(await alice.api.folders.files({ id: folder.id })).toEqual([]);
    // One of the same id is another set.
    await alice.api.files.sets.save({ ...set, fileIds: [file] });
    expect(await alice.api.folders.list()).toContainEqual(folder);
    expect(await alice.api.files.existing({ ids: [file] })).toEqual([file]);
  });

  it('a set of another person is none of the folder, and a folder has at most twenty', async () => {
    const his = await bob.api.files.sets.save({ id: randomUUID(), name: 'His', fileIds: [] });
    const { id } = await folderWith([]);
    const update = (setIds: string[]) => alice.api.folders.update({ id, setIds });
    await expect(update([his.id])).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(update([randomUUID()])).rejects.toMatchObject({ code: 'NOT_FOUND' });
    const many = Array.from({ length: 21 }, () => randomUUID());
    await expect(update(many)).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    expect((await alice.api.folders.list()).find((one) => one.id === id)?.setIds).toEqual([]);
  });

  it('an assistant that has the folder has the files of its sets as well', async () => {
    const file = await addFile(services, alice, SECRET);
    const { id: folderId } = await folderWith([]);
    const set = await makeSet([file]);
    await alice.api.folders.update({ id: folderId, setIds: [set.id] });
    const assistant = { userId: alice.id, id: 'asst_none', sources: [{ kind: 'folder' as const, id: folderId }] };
    const read = () => readAssistantFiles(services.deps.db.query, assistant);
    expect(await read()).toMatchObject([{ fileId: file }]);
    await alice.api.folders.update({ id: folderId, setIds: [] });
    expect(await read()).toEqual([]);
  });
});

async function sentWith(text: string): Promise<string> {
  return JSON.stringify(services.provider.requests.find(isAskedAbout(text))?.body);
}
