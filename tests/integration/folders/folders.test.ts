// Folders group conversations, and their instructions reach the provider.
import { randomUUID } from 'node:crypto';
import { FOLDERS_MAX } from '@parley/schema/convos/folders';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exchange, followUp, isAskedAbout, question } from '../../support/exchange.ts';
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

const create = (name: string, over: object = {}) => alice.api.folders.create({ id: randomUUID(), name, ...over });
const idsIn = async (folderId: string | null) =>
  (await alice.api.convos.list({ folderId })).convos.map(({ conversationId }) => conversationId);

describe('a folder', () => {
  it('is created once, changed and deleted, and the other browsers are notified', async () => {
    const feed = await follow(services, alice.id);
    const folder = await create('  Work ', { color: 'teal' });
    expect(folder).toEqual({
      id: folder.id,
      name: 'Work',
      color: 'teal',
      instructions: '',
      presetId: null,
      fileIds: [],
      setIds: [],
      tools: [],
    });
    await feed.until((change) => change.type === 'folders');
    await alice.api.folders.create({ id: folder.id, name: 'Sent again' });
    const changed = await alice.api.folders.update({ id: folder.id, name: 'Animals', instructions: 'Be brief.' });
    expect(changed).toEqual({ ...folder, name: 'Animals', instructions: 'Be brief.' });
    expect(await alice.api.folders.list()).toEqual([changed]);
    await alice.api.folders.remove({ id: folder.id });
    await alice.api.folders.remove({ id: folder.id });
    expect(await alice.api.folders.list()).toEqual([]);
  });

  it('has a preset for new chats, which is none once it is deleted, and never one of another user', async () => {
    const { presetId } = await alice.api.presets.save({ title: 'Prose', endpoint: 'openAI', model: 'gpt-4' });
    const folder = await create('Letters', { presetId });
    expect(folder.presetId).toBe(presetId);
    const { presetId: his } = await bob.api.presets.save({ title: 'His', endpoint: 'openAI', model: 'gpt-4' });
    expect(await alice.api.folders.update({ id: folder.id, presetId: his })).toMatchObject({ presetId: null });
    expect(await alice.api.folders.update({ id: folder.id, presetId })).toMatchObject({ presetId });
    await alice.api.presets.remove({ presetId });
    expect(await alice.api.folders.list()).toEqual([{ ...folder, presetId: null }]);
    await alice.api.folders.remove({ id: folder.id });
  });

  it.each([{ name: ' ' }, { name: 'x'.repeat(101) }, { color: 'black' }, { instructions: 'x'.repeat(20_001) }])(
    'is refused with %j',
    async (over) => {
      const input = { id: randomUUID(), name: 'Work', ...over };
      await expect(alice.api.folders.create(input as never)).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    },
  );

  it('is refused when there are too many', async () => {
    const carol = await services.as('carol');
    for (let n = 0; n < FOLDERS_MAX; n++) await carol.api.folders.create({ id: randomUUID(), name: `Folder ${n}` });
    await expect(carol.api.folders.create({ id: randomUUID(), name: 'One more' })).rejects.toThrow();
    expect(await carol.api.folders.list()).toHaveLength(FOLDERS_MAX);
  });

  it("of another user is neither seen nor changed, and takes nobody else's conversations", async () => {
    const folder = await create('Mine');
    expect(await bob.api.folders.list()).toEqual([]);
    await expect(bob.api.folders.update({ id: folder.id, name: 'Yours' })).rejects.toThrow();
    await bob.api.folders.remove({ id: folder.id });
    expect(await alice.api.folders.list()).toEqual([folder]);

    const { convo } = await exchange(services, bob.id, question('Bees', { folderId: folder.id }));
    expect(convo.folderId).toBeNull();
    const conversationIds = [convo.conversationId];
    await expect(bob.api.convos.moveToFolder({ conversationIds, folderId: folder.id })).rejects.toThrow();
    expect(await alice.api.convos.moveToFolder({ conversationIds, folderId: folder.id })).toEqual({ count: 0 });
    expect((await bob.api.convos.byId({ conversationId: convo.conversationId })).folderId).toBeNull();
    await alice.api.folders.remove({ id: folder.id });
  });
});

describe('a conversation', () => {
  it('is moved into a folder and out, and stays when the folder is deleted', async () => {
    const folder = await create('Birds');
    const { convo } = await exchange(services, alice.id, question('Owls'));
    const { conversationId } = convo;
    const feed = await follow(services, alice.id);
    const move = (folderId: string | null) =>
      alice.api.convos.moveToFolder({ conversationIds: [conversationId], folderId });
    expect(await move(folder.id)).toEqual({ count: 1 });
    expect(await move(folder.id)).toEqual({ count: 0 });
    await feed.until((change) => change.type === 'convo' && change.convo.folderId === folder.id);
    expect(await idsIn(folder.id)).toEqual([conversationId]);
    expect(await idsIn(null)).not.toContain(conversationId);
    await move(null);
    expect(await idsIn(null)).toContain(conversationId);
    await move(folder.id);
    await alice.api.folders.remove({ id: folder.id });
    await feed.until((change) => change.type === 'convo' && change.convo.folderId === null);
    expect(await idsIn(null)).toContain(conversationId);
  });

  it('begins in a folder, whose instructions are sent before its own and are not kept in it', async () => {
    const folder = await create('Finches', { instructions: 'Answer as a finch.' });
    const settings = { promptPrefix: 'Be gloomy.' };
    const begun = await exchange(services, alice.id, question('Seeds', { settings, folderId: folder.id }));
    expect(begun.convo).toMatchObject({ folderId: folder.id, settings });
    expect(await sentWith('Seeds')).toContain(
      String.raw`## Instructions of the folder\n\nAnswer as a finch.\n\n## Instructions of this chat\n\nBe gloomy.`,
    );
    await alice.api.folders.update({ id: folder.id, instructions: 'Answer as a gull.' });
    await exchange(services, alice.id, followUp('Nuts', begun));
    expect(await sentWith('Nuts')).toContain('Answer as a gull.');
    const late = await exchange(services, alice.id, question('Worms', { folderId: randomUUID() }));
    expect(late.convo.folderId).toBeNull();
  });
});

/** The body of the request for the answer to `text`. */
async function sentWith(text: string): Promise<string> {
  const asked = services.provider.requests.find(isAskedAbout(text));
  return JSON.stringify(asked?.body);
}
