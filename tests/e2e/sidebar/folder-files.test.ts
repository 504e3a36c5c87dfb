// Files of a folder: added in its dialog, kept by Save, shown to the model in its chats.
import { test } from 'vitest';
import { expectAccessible } from '../../support/browser/axe.ts';
import { soon, withApp } from '../../support/browser/app-fixture.ts';
import { apiOf, openNewChat } from '../../support/browser/chat.ts';

const stage = withApp();

test('a file that is added in the dialog belongs to the folder once it is saved, and can be taken out', async () => {
  const { page } = await stage.open('alice');
  const { folders } = await apiOf(stage.app, 'alice');
  const { id } = await folders.create.mutate({ id: crypto.randomUUID(), name: 'Garden' });
  const fileIds = async () => (await folders.list.query()).find((folder) => folder.id === id)?.fileIds.length;
  await openNewChat(page);
  const region = page.getByRole('region', { name: 'Folders' });
  await region.getByRole('button', { name: /^More for .*Garden/ }).click();
  await page.getByRole('menuitem', { name: 'Edit folder' }).click();
  const dialog = page.getByRole('dialog', { name: 'Edit folder' });
  const gate = { name: 'gate.txt', mimeType: 'text/plain', buffer: Buffer.from('The word is quince.') };
  await dialog.getByLabel('Add files').setInputFiles(gate);
  await dialog.getByText('gate.txt').waitFor();
  await expectAccessible(page);
  await soon(fileIds).toBe(0);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await soon(fileIds).toBe(1);

  await region.getByRole('button', { name: /^More for .*Garden/ }).click();
  await page.getByRole('menuitem', { name: 'Edit folder' }).click();
  await dialog.getByRole('button', { name: 'Take gate.txt out of the folder' }).click();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await soon(fileIds).toBe(0);
});
