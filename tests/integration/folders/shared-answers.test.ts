// What answers in a folder of somebody else are told: its instructions and what is found in its files, as long as there is
// access, and nothing that the person keeps for their own answers.
import { randomUUID } from 'node:crypto';
import type { AskInput } from '@parley/schema/chat/ask';
import { messageText } from '@parley/schema/messages/messages';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { readShownPassages } from '@parley/server/chat/context/files/shown-passages';
import { answerRequests, exchange, followUp, question } from '../../support/exchange.ts';
import { addFile, awaitState } from '../../support/retrieval/stored-files.ts';
import { openTestServices, type Person, type TestServices } from '../../support/services.ts';
import type { ToolSource } from '@parley/server/tools/tool';
import { createTool, sourceOf } from '../../support/tools/agents.ts';
import { follow } from '../convos/follow.ts';
import { COUNT, memoryIn, ORDERS, statesIn } from '../memory/orders.ts';

const FACT = 'The sluice opens at 23 past five.';

let services: TestServices;
let alice: Person;
let bob: Person;
let fileId: string;
/** Hers, and his link to it. */
let folderId: string;
let linkId: string;
/** Runs while a tool runs. */
let meanwhile: () => Promise<unknown> = async () => undefined;
/** What the tool was told that the person has written. */
let heard = '';

/** As the tools that open pages do, it looks for what the person has said. */
const listening: ToolSource = {
  ...sourceOf(),
  tools: async ({ keys, branch }) => {
    const listen = createTool('listen', {
      run: async () => {
        await meanwhile();
        for await (const said of branch?.() ?? []) if (said.from === 'person') heard += said.text;
        return { type: 'done', text: 'Done' };
      },
    });
    return { tools: keys.includes('listen') ? [listen] : [], problems: [] };
  },
};

beforeAll(async () => {
  services = await openTestServices(
    { OPENAI_MODELS: 'gpt-4,fake:echo,fake:tool-steps', TITLE_CONVO: 'false', TOOL_CALLS_PER_MINUTE: '10000' },
    {},
    undefined,
    [listening],
  );
  [alice, bob] = [await services.as('alice'), await services.as('bob')];
  fileId = await addFile(services, alice, FACT, { name: 'mill.txt' });
  await awaitState(services, fileId, 'ready');
});
afterAll(() => services.close());
afterEach(() => alice.api.folders.remove({ id: folderId }));
beforeEach(async () => {
  meanwhile = async () => undefined;
  heard = '';
  const instructions = 'Answer as a miller.';
  folderId = (await alice.api.folders.create({ id: randomUUID(), name: 'Mill', instructions })).id;
  await alice.api.folders.setFiles({ folderId, fileIds: [fileId] });
  await give('use');
  linkId = (await bob.api.folders.addShared({ id: randomUUID(), ownerId: alice.id, folderId })).id;
  await bob.api.memories.clear({});
  await bob.api.memories.setMode({ mode: 'off' });
  await bob.api.settings.set({ personal: null });
});

const give = (level: 'use' | 'edit' | null) =>
  alice.api.folders.setAccess({ id: folderId, to: { to: 'user', userId: bob.id }, level });
const ask = (text: string, over: Partial<AskInput> = {}) =>
  exchange(services, bob.id, question(text, { folderId: linkId, ...over }));
/** What the provider was sent last. */
const sent = () => JSON.stringify(answerRequests(services.provider).at(-1)?.body ?? null);

it('they are told its instructions and what is found in its files, and no byte of these is theirs', async () => {
  const { reply, request } = await ask('When does the sluice open?');
  expect(sent()).toContain('Answer as a miller.');
  expect(sent()).toContain(FACT);
  expect(reply.context).toMatchObject({ files: [{ fileId, shown: 'passages' }], sharedFolder: true });
  expect(request.parts).toEqual([{ type: 'text', text: 'When does the sluice open?' }]);
  for (const call of [() => bob.api.files.passage({ fileId, n: 0 }), () => bob.api.files.text({ fileId })])
    await expect(call()).rejects.toThrow('not_found');
  expect(await bob.api.files.existing({ ids: [fileId] })).toEqual([]);
  await expect(bob.api.folders.setFiles({ folderId: linkId, fileIds: [] })).rejects.toThrow();
  // It cannot be attached, nor made a file of a folder of his own.
  const target = {
    kind: 'send' as const,
    messageId: randomUUID(),
    parentMessageId: null,
    text: 'Mine',
    files: [fileId],
  };
  await expect(bob.api.messages.ask(question('', { target }))).rejects.toThrow('not_found');
  const own = await bob.api.folders.create({ id: randomUUID(), name: 'Own' });
  await expect(bob.api.folders.setFiles({ folderId: own.id, fileIds: [fileId] })).rejects.toThrow('not_found');
});

it('they are told nothing of it from the next question on, once access is taken', async () => {
  const first = await ask('When does the sluice open?');
  await give(null);
  const { reply } = await exchange(services, bob.id, followUp('And when does it close?', first));
  expect(sent()).not.toContain('miller');
  expect(reply.context).not.toHaveProperty('files');
  expect(reply.context).not.toHaveProperty('sharedFolder');
  await give('use');
  await exchange(services, bob.id, followUp('And now?', first));
  expect(sent()).toContain('Answer as a miller.');
  await alice.api.folders.remove({ id: folderId });
  await exchange(services, bob.id, followUp('And after that?', first));
  expect(sent()).not.toContain('miller');
});

it('an answer that runs finds nothing more in the files, once access is taken', async () => {
  const text = `Look it up\ncall listen {}\ncall file_search {"query":"sluice"}`;
  const found = async () => {
    const { reply } = await ask(text, { model: 'fake:tool-steps', settings: { tools: ['listen', 'file_search'] } });
    expect(reply.reason).toBeNull();
    const calls = reply.parts.flatMap((part) => (part.type === 'tool_call' ? [part.call] : []));
    return calls.find(({ name, id }) => name === 'file_search' && !id.startsWith('files-'))?.output ?? '';
  };
  expect(await found()).toContain('23 past');
  meanwhile = () => give(null);
  expect(await found()).not.toContain('23 past');
});

it('an answer that is taken up again cites what it was shown, while there is access', async () => {
  const { reply } = await ask('When does the sluice open?');
  const read = () => readShownPassages(services.deps.db.query, bob.id, reply.context);
  expect(await read()).toMatchObject([{ fileId, body: expect.stringContaining('23 past') }]);
  await give(null);
  expect(await read()).toMatchObject([{ fileId, body: '' }]);
});

it('the files of a set of its owner are lent as its own are, until access or the set is taken', async () => {
  const set = await alice.api.files.sets.save({ id: randomUUID(), name: 'Secret drawer', fileIds: [fileId] });
  await alice.api.folders.setFiles({ folderId, fileIds: [] });
  await alice.api.folders.update({ id: folderId, setIds: [set.id] });
  const first = await ask('When does the sluice open?');
  expect(sent()).toContain(FACT);
  expect(first.reply.context).toMatchObject({ files: [{ fileId, shown: 'passages' }], sharedFolder: true });
  const read = () => readShownPassages(services.deps.db.query, bob.id, first.reply.context);
  expect(await read()).toMatchObject([{ fileId, body: expect.stringContaining('23 past') }]);
  expect(await bob.api.folders.files({ id: linkId })).toMatchObject([{ fileId, name: 'mill.txt' }]);
  for (const call of [() => bob.api.files.passage({ fileId, n: 0 }), () => bob.api.files.text({ fileId })])
    await expect(call()).rejects.toThrow('not_found');
  const shown = (await bob.api.folders.list()).find(({ id }) => id === linkId);
  expect(shown).toMatchObject({ fileIds: [], setIds: [] });
  expect(JSON.stringify(shown)).not.toContain('Secret drawer');

  await give(null);
  expect(await read()).toMatchObject([{ fileId, body: '' }]);
  expect(await bob.api.folders.files({ id: linkId })).toEqual([]);
  const second = await exchange(services, bob.id, followUp('And when does it close?', first));
  expect(second.reply.context).not.toHaveProperty('files');
  await give('use');
  await alice.api.files.sets.save({ ...set, fileIds: [] });
  const third = await exchange(services, bob.id, followUp('And on Sundays?', first));
  expect(third.reply.context).not.toHaveProperty('files');
  expect(await read()).toMatchObject([{ fileId, body: '' }]);
});

it('only its owner adds a set to a project or takes one out, and who has added it hears of a change of the set', async () => {
  const his = await bob.api.files.sets.save({ id: randomUUID(), name: 'His', fileIds: [] });
  const hers = await alice.api.files.sets.save({ id: randomUUID(), name: 'Hers', fileIds: [fileId] });
  await alice.api.folders.setFiles({ folderId, fileIds: [] });
  await alice.api.folders.update({ id: folderId, setIds: [hers.id] });
  for (const level of ['use', 'edit'] as const) {
    await give(level);
    for (const setIds of [[his.id], [hers.id], []])
      await expect(bob.api.folders.update({ id: linkId, setIds })).rejects.toMatchObject({
        code: 'UNPROCESSABLE_CONTENT',
      });
  }
  expect((await alice.api.folders.list()).find(({ id }) => id === folderId)?.setIds).toEqual([hers.id]);
  const feed = await follow(services, bob.id);
  await alice.api.files.sets.save({ ...hers, fileIds: [] });
  await feed.until((change) => change.type === 'folders');
  expect(await bob.api.folders.files({ id: linkId })).toEqual([]);
});

it('the instructions of the person and what they have remembered do not go there', async () => {
  const personal = { about: 'Lives in Lyon', style: '', isOn: { about: true, style: true }, exceptEndpoints: [] };
  await bob.api.settings.set({ personal });
  await bob.api.memories.setMode({ mode: 'on' });
  await bob.api.memories.save({ id: randomUUID(), text: 'Keeps kites', scope: '' });
  await bob.api.memories.save({ id: randomUUID(), text: 'Keeps owls', scope: `folder:${linkId}` });
  const { reply } = await ask('Hello', { model: 'gpt-4' });
  expect(sent()).toContain('Answer as a miller.');
  for (const own of ['Lyon', 'kites', 'owls']) expect(sent()).not.toContain(own);
  expect(reply.context?.memories).toBeUndefined();
  await give(null);
  await ask('Hello again', { model: 'gpt-4' });
  for (const own of ['Lyon', 'kites', 'owls']) expect(sent()).toContain(own);
});

it('what its instructions order to remember is only proposed, there and after the chat has left', async () => {
  await bob.api.memories.setMode({ mode: 'on' });
  await alice.api.folders.setFiles({ folderId, fileIds: [] });
  const orders = (text: string) => `${text}\n${ORDERS}\n[[obey]] ${randomUUID()}`;
  const first = await ask(orders('Do this'), { model: 'gpt-4' });
  expect(memoryIn(first.reply)).toHaveLength(COUNT);
  expect(statesIn(first.reply)).toEqual(['proposed']);
  expect(memoryIn(first.reply)[0]?.shown).toContain('Mill');
  const { conversationId } = first.convo;
  await bob.api.convos.moveToFolder({ conversationIds: [conversationId], folderId: null });
  const next = await exchange(services, bob.id, followUp(orders('And this'), first, { model: 'gpt-4' }));
  expect(statesIn(next.reply)).toEqual(['proposed']);
  expect(memoryIn(next.reply)[0]?.shown).toContain('a shared project');
  expect(await bob.api.memories.list()).toEqual([]);
});

it('what somebody else has written into its instructions is foreign to its owner, too, until they write them anew', async () => {
  await alice.api.memories.setMode({ mode: 'on' });
  await alice.api.memories.clear({});
  await alice.api.folders.setFiles({ folderId, fileIds: [] });
  const orders = () => question(`Do this\n${ORDERS}\n[[obey]] ${randomUUID()}`, { folderId, model: 'gpt-4' });
  await give('edit');
  await bob.api.folders.update({ id: linkId, instructions: 'Answer as a baker.' });
  await give(null);
  const first = await exchange(services, alice.id, orders());
  expect(sent()).toContain('Answer as a baker.');
  expect(statesIn(first.reply)).toEqual(['proposed']);
  expect(memoryIn(first.reply)[0]?.shown).toContain('Mill');
  expect(await alice.api.memories.list()).toEqual([]);
  await alice.api.folders.update({ id: folderId, instructions: 'Answer as a miller.' });
  expect(statesIn((await exchange(services, alice.id, orders())).reply)).toEqual(['saved']);
  await alice.api.memories.clear({});
  await alice.api.memories.setMode({ mode: 'off' });
});

it('its instructions are no words of the person, for tools that ask what they have said', async () => {
  const settings = { tools: ['listen'], promptPrefix: 'Be brief.' };
  const text = `Listen\ncall listen {}`;
  await ask(text, { model: 'fake:tool-steps', settings });
  expect(heard).toContain('Be brief.');
  expect(heard).not.toContain('miller');
  heard = '';
  await exchange(services, alice.id, question(text, { folderId, model: 'fake:tool-steps', settings }));
  expect(heard).toContain('miller');
});

it('a copy of a chat, a link to it and its export hold what was said, and open no file of the owner', async () => {
  const { convo, reply } = await ask('When does the sluice open?');
  const { conversationId } = convo;
  const fork = await bob.api.convos.fork({ conversationId, messageId: reply.messageId, forkId: randomUUID() });
  expect(JSON.stringify(fork)).not.toContain('/api/files');
  const share = await bob.api.shares.create({ conversationId, leafId: null });
  const shown = await alice.api.shares.read({ id: share.id });
  expect(JSON.stringify(shown)).not.toContain(fileId);
  expect(messageText(reply)).not.toBe('');
});
