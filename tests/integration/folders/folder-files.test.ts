// The files of a folder answer every chat in it: whole while they fit, else by what a search finds, and cited.
import { randomUUID } from 'node:crypto';
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

async function sentWith(text: string): Promise<string> {
  return JSON.stringify(services.provider.requests.find(isAskedAbout(text))?.body);
}
