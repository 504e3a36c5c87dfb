// Folders above the dated list: made, filled, asked in, changed and deleted.
import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import {
  answered,
  answerText,
  apiOf,
  composer,
  conversation,
  openId,
  openNewChat,
} from '../../support/browser/chat.ts';
import { soon, withApp } from '../../support/browser/app-fixture.ts';
import { expectAccessible } from '../../support/browser/axe.ts';

const stage = withApp();

test('a conversation moves into a new folder, a chat begins in it, and both stay when it is deleted', async () => {
  const { page } = await stage.open('alice');
  const api = await apiOf(stage.app, 'alice');
  await api.presets.save.mutate({
    title: 'Finch',
    endpoint: 'openAI',
    model: 'fake:plain',
    settings: { temperature: 0.4 },
  });
  await openNewChat(page);
  await ask(page, 'Owls at night');
  const owls = conversation(page, 'Owls at Night');
  await owls.getByRole('link').click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Move to folder' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'New folder…' }).click();
  const dialog = page.getByRole('dialog', { name: 'New folder', exact: true });
  await dialog.getByLabel('Name').fill('Birds');
  await dialog.getByRole('radio', { name: 'Teal' }).check();
  await dialog.getByLabel('Preset of new chats').click();
  await page.getByRole('option', { name: 'Finch' }).click();
  await dialog.getByLabel('Instructions').fill('Answer as a finch.');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Save' }).click();

  const folders = page.getByRole('region', { name: 'Folders' });
  const head = folders.getByRole('button', { name: 'Birds', exact: true });
  await head.waitFor();
  await folders.getByRole('link', { name: 'Owls at Night' }).waitFor();
  await soon(() => owls.count()).toBe(1);
  await head.click();
  await soon(() => owls.count()).toBe(0);
  await head.click();

  await chooseInFolder(page, folders, 'New chat in it');
  await page.waitForURL('**/c/new');
  await page.reload();
  await soon(() => head.getAttribute('aria-expanded')).toBe('true');
  await ask(page, 'Herons at noon');
  await folders.getByRole('link', { name: 'Herons at Noon' }).waitFor();
  const herons = await api.convos.byId.query({ conversationId: openId(page) });
  expect(herons.settings).toMatchObject({ temperature: 0.4 });
  await expectAccessible(page);

  await chooseInFolder(page, folders, 'Edit folder');
  const editing = page.getByRole('dialog', { name: 'Edit folder' });
  await soon(() => editing.getByLabel('Instructions').inputValue()).toBe('Answer as a finch.');
  await editing.getByLabel('Name').fill('Animals');
  await page.keyboard.press('Enter');
  await folders.getByRole('button', { name: 'Animals', exact: true }).waitFor();

  await openNewChat(page);
  await ask(page, 'Bees');
  const bees = conversation(page, 'Bees');
  await bees.getByRole('link').dragTo(folders.getByRole('button', { name: 'Animals', exact: true }));
  // Stored, before the reload ends requests that are on their way.
  const folderOf = async () => (await api.convos.byId.query({ conversationId: openId(page) })).folderId;
  await soon(folderOf).toBe(herons.folderId);
  await page.reload();
  await folders.getByRole('link', { name: 'Bees' }).waitFor();
  await folders.getByRole('link', { name: 'Bees' }).hover();
  await page.mouse.down();
  const edge = await folders.boundingBox();
  if (!edge) throw new Error('The folders are not on screen');
  const [x, y] = [edge.x + 60, edge.y + edge.height];
  await page.mouse.move(x, y - 5, { steps: 3 });
  // Nothing but a place to drop it stands there.
  await page.mouse.move(x, y + 30, { steps: 5 });
  await page.mouse.up();
  await soon(folderOf).toBe(null);
  await soon(() => folders.getByRole('link', { name: 'Bees' }).count()).toBe(0);

  await page.getByRole('searchbox', { name: 'Search messages' }).fill('owls');
  const found = page.getByRole('region', { name: 'Search results' }).getByRole('heading');
  await soon(() => found.innerText()).toMatch(/^Owls at Night\s*Animals/);
  await openNewChat(page);

  await chooseInFolder(page, folders, 'Delete');
  await page.getByRole('dialog', { name: 'Delete folder?' }).getByRole('button', { name: 'Delete' }).click();
  await folders.waitFor({ state: 'detached' });
  for (const title of ['Owls at Night', 'Herons at Noon', 'Bees']) await conversation(page, title).waitFor();
});

async function ask(page: Page, text: string): Promise<void> {
  await composer(page).fill(text);
  await page.keyboard.press('Enter');
  await answerText(page).getByText('That is all.').waitFor();
  await answered(page);
  await page
    .getByTestId('convo-item')
    .filter({ hasText: new RegExp(`^${text}`, 'i') })
    .waitFor();
}

async function chooseInFolder(page: Page, folders: Locator, item: string): Promise<void> {
  await folders.getByRole('button', { name: /^More for .*(Birds|Animals)/ }).click();
  await page.getByRole('menuitem', { name: item }).click();
}
