// The page of a project: what its chats share is changed there, and its chats are begun and opened from there.
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { expectAccessible } from '../../support/browser/axe.ts';
import { soon, withApp } from '../../support/browser/app-fixture.ts';
import { answered, apiOf, ask, openNewChat, visit } from '../../support/browser/chat.ts';

const stage = withApp();

test('instructions, preset and files are changed on the page of a project, and kept without a button', async () => {
  const { page } = await stage.open('alice');
  const { folders, presets } = await apiOf(stage.app, 'alice');
  await presets.save.mutate({ title: 'Finch', endpoint: 'openAI', model: 'fake:plain' });
  const { id } = await folders.create.mutate({ id: randomUUID(), name: 'Garden', color: 'teal' });
  const stored = async () => (await folders.list.query()).find((folder) => folder.id === id);
  await openNewChat(page);
  const region = page.getByRole('region', { name: 'Folders' });
  await region.getByRole('button', { name: /^More for .*Garden/ }).click();
  await page.getByRole('menuitem', { name: 'Open project' }).click();
  await page.waitForURL(`**/projects/${id}`);
  await page.getByRole('heading', { name: 'Garden', level: 1 }).waitFor();
  for (const nothing of ['No chats yet.', 'No files yet.', 'Nothing is remembered here.'])
    await page.getByText(nothing).waitFor();
  await expectAccessible(page);

  const instructions = page.getByRole('textbox', { name: 'Instructions' });
  await instructions.fill('x'.repeat(19_000));
  await page.getByText('19,000 / 20,000').waitFor();
  await instructions.fill('Answer as a finch.');
  await page.getByText('Saved').waitFor();
  await soon(async () => (await stored())?.instructions).toBe('Answer as a finch.');
  // What is left before it is saved is not lost.
  await instructions.fill('Answer as a gull.');
  await page.getByRole('link', { name: 'Projects' }).click();
  await page.getByRole('list', { name: 'Projects' }).getByRole('link', { name: 'Garden' }).click();
  await soon(async () => (await stored())?.instructions).toBe('Answer as a gull.');
  await soon(() => instructions.inputValue()).toBe('Answer as a gull.');

  await page.getByLabel('Preset of new chats').selectOption('Finch');
  await soon(async () => (await stored())?.presetId).not.toBeNull();

  const file = (name: string, text: string) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(text) });
  await page
    .getByLabel('Add files')
    .setInputFiles([file('gate.txt', 'The word is quince.'), file('well.txt', 'Deep.')]);
  await soon(async () => (await stored())?.fileIds.length).toBe(2);
  const files = page.getByRole('list', { name: 'Files' });
  await files
    .getByText(/^Read · /)
    .nth(1)
    .waitFor();
  await expectAccessible(page);
  const remove = (name: string) => files.getByRole('button', { name: `Take ${name} out of the folder` });
  await remove('gate.txt').focus();
  await page.keyboard.press('Enter');
  await soon(async () => (await stored())?.fileIds.length).toBe(1);
  await files.getByText('well.txt').waitFor();
  expect(await files.getByRole('listitem').count()).toBe(1);
  // The focus stays in the list, and goes to the button below it once the list is empty.
  await soon(() => remove('well.txt').evaluate((button) => button === document.activeElement)).toBe(true);
  await page.keyboard.press('Enter');
  await page.getByText('No files yet.').waitFor();
  const add = page.getByRole('button', { name: 'Add files' });
  await soon(() => add.evaluate((button) => button === document.activeElement)).toBe(true);
});

test('a set of files is put on a project, keeps its files of the moment there, and is taken out again', async () => {
  const { page } = await stage.open('alice');
  const { page: member } = await stage.open('bob');
  const [hers, his] = [await apiOf(stage.app, 'alice'), await apiOf(stage.app, 'bob')];
  const { id } = await hers.folders.create.mutate({ id: randomUUID(), name: 'Orchard' });
  await visit(page, `/projects/${id}`);
  const add = page.getByRole('combobox', { name: 'Add a set of files…' });
  const pears = { name: 'pears.txt', mimeType: 'text/plain', buffer: Buffer.from('Pears ripen late.') };
  await page.getByLabel('Add files').setInputFiles(pears);
  await page.getByText(/^Read · /).waitFor();
  const stored = async () => (await hers.folders.list.query()).find((folder) => folder.id === id)?.fileIds ?? [];
  const fileIds = await stored();
  expect(fileIds).toHaveLength(1);
  expect(await add.count()).toBe(0);
  // A set that another page makes is offered at once.
  const set = await hers.files.sets.save.mutate({ id: randomUUID(), name: 'Fruit', fileIds: [] });
  await add.selectOption('Fruit');
  const sets = page.getByRole('list', { name: 'Sets of files' });
  await sets.getByText('Fruit').waitFor();
  await sets.getByText('0 files').waitFor();
  await add.waitFor({ state: 'detached' });
  await hers.files.sets.save.mutate({ ...set, fileIds });
  await hers.folders.setFiles.mutate({ folderId: id, fileIds: [] });
  await sets.getByText('1 file', { exact: true }).waitFor();
  await page.getByText('pears.txt').waitFor({ state: 'detached' });
  await expectAccessible(page);

  const { id: userId } = await his.auth.me.query();
  await hers.folders.setAccess.mutate({ id, to: { to: 'user', userId }, level: 'edit' });
  const ownerId = (await hers.auth.me.query()).id;
  const link = await his.folders.addShared.mutate({ id: randomUUID(), ownerId, folderId: id });
  await visit(member, `/projects/${link.id}`);
  await member.getByText('pears.txt').waitFor();
  expect(await member.getByText('Fruit').count()).toBe(0);
  expect(await member.getByRole('button', { name: /out of the folder$/ }).count()).toBe(0);

  const remove = sets.getByRole('button', { name: 'Take the set Fruit out of the project' });
  await remove.focus();
  await page.keyboard.press('Enter');
  await page.getByText('No files yet.').waitFor();
  await soon(() => add.evaluate((field) => field === document.activeElement)).toBe(true);
  await member.getByText('No files yet.').waitFor();
});

test('files that leave a shared project while the page connects leave its list', async () => {
  const { page: owners } = await stage.open('alice');
  const { page } = await stage.open('carol');
  const [hers, his] = [await apiOf(stage.app, 'alice'), await apiOf(stage.app, 'carol')];
  const { id } = await hers.folders.create.mutate({ id: randomUUID(), name: 'Meadow' });
  await visit(owners, `/projects/${id}`);
  const clover = { name: 'clover.txt', mimeType: 'text/plain', buffer: Buffer.from('Clover.') };
  await owners.getByLabel('Add files').setInputFiles(clover);
  await owners.getByText(/^Read · /).waitFor();
  const { id: userId } = await his.auth.me.query();
  await hers.folders.setAccess.mutate({ id, to: { to: 'user', userId }, level: 'use' });
  const ownerId = (await hers.auth.me.query()).id;
  const link = await his.folders.addShared.mutate({ id: randomUUID(), ownerId, folderId: id });

  let connect = () => {};
  const isHeld = new Promise<void>((resolve) => (connect = resolve));
  await page.routeWebSocket(/\/trpc\b/, async (socket) => {
    await isHeld;
    socket.connectToServer();
  });
  await visit(page, `/projects/${link.id}`);
  await page.getByText('clover.txt').waitFor();
  await hers.folders.setFiles.mutate({ folderId: id, fileIds: [] });
  connect();
  await page.getByText('No files yet.').waitFor();
});

test('a chat begins on the page of a project and stands in its list, and the palette opens the page', async () => {
  const { page } = await stage.open('bob');
  const { folders, memories } = await apiOf(stage.app, 'bob');
  const { id } = await folders.create.mutate({ id: randomUUID(), name: 'Birds' });
  await memories.setMode.mutate({ mode: 'on' });
  await memories.save.mutate({ id: randomUUID(), text: 'Herons are blue here.', scope: `folder:${id}` });
  await memories.save.mutate({ id: randomUUID(), text: 'Lives in Lyon.', scope: '' });
  await visit(page, `/projects/${id}`);
  await page.getByText('Herons are blue here.').waitFor();
  expect(await page.getByText('Lives in Lyon.').count()).toBe(0);
  await page.getByRole('button', { name: 'New chat in this project' }).click();
  await page.waitForURL('**/c/new');
  await ask(page, 'Owls at night');
  await answered(page);

  await page.keyboard.press('ControlOrMeta+k');
  await page.getByRole('combobox').fill('birds');
  await page.getByRole('option', { name: /Birds/ }).first().click();
  await page.waitForURL(`**/projects/${id}`);
  await page.getByRole('list', { name: 'Chats' }).getByRole('link', { name: 'Owls at Night' }).waitFor();
  // A pinned chat stands above the list of the sidebar, and first in that of its project.
  const { convos } = await apiOf(stage.app, 'bob');
  const [{ conversationId } = { conversationId: '' }] = (await convos.list.query({ folderId: id })).convos;
  await convos.update.mutate({ conversationId, isPinned: true });
  await page.getByRole('region', { name: 'Pinned' }).getByRole('link', { name: 'Owls at Night' }).waitFor();
  await page.getByRole('list', { name: 'Chats' }).getByRole('link', { name: 'Owls at Night' }).waitFor();
  await page.getByRole('list', { name: 'Remembered here' }).getByRole('button', { name: 'Delete' }).click();
  await page.getByText('Nothing is remembered here.').waitFor();
  expect(await memories.list.query()).toMatchObject([{ text: 'Lives in Lyon.' }]);
  await page.getByRole('list', { name: 'Chats' }).getByRole('link', { name: 'Owls at Night' }).click();
  await page.waitForURL('**/c/*');

  await visit(page, `/projects/${randomUUID()}`);
  await page.getByText('This folder no longer exists.').waitFor();
  await expectAccessible(page);
});
