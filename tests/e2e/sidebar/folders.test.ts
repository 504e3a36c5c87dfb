// Folders above the dated list: made, filled, asked in, changed and deleted.
import { randomUUID } from 'node:crypto';
import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import {
  action,
  answered,
  answerText,
  apiOf,
  composer,
  conversation,
  conversations,
  openId,
  openNewChat,
} from '../../support/browser/chat.ts';
import { searchable, soon, withApp } from '../../support/browser/app-fixture.ts';
import { expectAccessible } from '../../support/browser/axe.ts';
import { choose, seedTalks, sidebar, titles } from '../../support/browser/sidebar.ts';

const stage = withApp();

const phoneScreen = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

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

  await chooseInFolder(page, folders, 'Open project');
  await page.getByLabel('Preset of new chats').selectOption('Finch');
  await soon(async () => (await api.folders.list.query())[0]?.presetId).not.toBe(null);
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
  await soon(() => editing.getByLabel('Name').inputValue()).toBe('Birds');
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
  // Nothing but a place to drop it stands there, once the drag has begun.
  await sidebar(page).locator('[data-open]:not(:has([data-testid=convo-item]))').waitFor();
  await page.mouse.move(x, y + 30, { steps: 5 });
  await page.mouse.up();
  await soon(folderOf).toBe(null);
  await soon(() => folders.getByRole('link', { name: 'Bees' }).count()).toBe(0);

  await searchable(stage.app);
  await page.getByRole('searchbox', { name: 'Search messages' }).fill('owls');
  const found = page.getByRole('region', { name: 'Search results' }).getByRole('heading');
  await soon(() => found.innerText()).toMatch(/^Owls at Night\s*Animals/);
  await openNewChat(page);

  await chooseInFolder(page, folders, 'Delete');
  await page.getByRole('dialog', { name: 'Delete folder?' }).getByRole('button', { name: 'Delete' }).click();
  await folders.waitFor({ state: 'detached' });
  for (const title of ['Owls at Night', 'Herons at Noon', 'Bees']) await conversation(page, title).waitFor();
});

test('selected conversations move together: into a new folder, by keys into another, and on a phone out of it', async () => {
  const { page } = await stage.open('bob');
  await seedTalks(stage.app, 'bob', 6);
  const api = await apiOf(stage.app, 'bob');
  await page.goto('/c/new');
  await selectTalks(page, 1, 3);
  const bar = page.getByRole('toolbar', { name: 'Selection' });
  const move = bar.getByRole('button', { name: 'Move to folder' });
  expect(await bar.getByRole('status').evaluate((count) => count.scrollWidth - count.clientWidth)).toBe(0);
  await expectAccessible(page);
  await move.click();
  await page.getByRole('dialog').getByRole('button', { name: 'New folder…' }).click();
  const dialog = page.getByRole('dialog', { name: 'New folder', exact: true });
  await dialog.waitFor();
  // Nothing has moved, so the selection stays.
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await bar.getByText('3 selected').waitFor();
  await move.click();
  await page.getByRole('dialog').getByRole('button', { name: 'New folder…' }).click();
  await dialog.getByLabel('Name').fill('Birds');
  await page.keyboard.press('Enter');
  await bar.waitFor({ state: 'detached' });
  const folders = page.getByRole('region', { name: 'Folders' });
  await folders.getByRole('button', { name: 'Birds', exact: true }).click();
  await soon(() => folders.getByTestId('convo-item').allInnerTexts()).toEqual(['Talk 1', 'Talk 2', 'Talk 3']);

  await api.folders.create.mutate({ id: randomUUID(), name: 'Bees' });
  await folders.getByRole('button', { name: 'Bees', exact: true }).waitFor();
  await selectTalks(page, 4, 5);
  await move.focus();
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: 'Move to folder' }).getByRole('button', { name: 'Bees' }).focus();
  await page.keyboard.press('Enter');
  await bar.waitFor({ state: 'detached' });
  await soon(() => conversations(page).filter({ hasText: 'Talk' }).count()).toBe(4);

  const { page: phone } = await stage.openElsewhere('bob', phoneScreen);
  await phone.goto('/c/new');
  await phone.getByRole('button', { name: 'Open sidebar' }).tap();
  await phone.getByRole('button', { name: 'Bees', exact: true }).tap();
  await action(conversation(phone, 'Talk 4'), 'More for \u2068Talk 4\u2069').tap();
  await phone.getByRole('menuitem', { name: 'Select', exact: true }).tap();
  await phone.getByRole('checkbox', { name: 'Talk 5', exact: true }).tap();
  await sidebar(phone).getByText('2 selected').waitFor();
  await phone.getByRole('toolbar').getByRole('button', { name: 'Move to folder' }).tap();
  await phone.getByRole('button', { name: 'No folder' }).tap();
  await phone.getByRole('toolbar').waitFor({ state: 'detached' });
  await soon(() => titles(phone)).toEqual(['Talk 0', 'Talk 4', 'Talk 5']);
});

/** Selects these talks and those between them. */
async function selectTalks(page: Page, first: number, last: number): Promise<void> {
  await choose(page, `Talk ${first}`, 'Select');
  await page.getByRole('checkbox', { name: `Talk ${last}`, exact: true }).click({ modifiers: ['Shift'] });
  await sidebar(page)
    .getByText(`${last - first + 1} selected`)
    .waitFor();
}

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
