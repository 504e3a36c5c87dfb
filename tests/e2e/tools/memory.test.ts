// Memory: off until it is turned on, proposed in the answer, saved by a press, listed, used, and deleted.
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { soon, withApp } from '../../support/browser/app-fixture.ts';
import { expectAccessible } from '../../support/browser/axe.ts';
import { answered, apiOf, ask, conversations, openNewChat } from '../../support/browser/chat.ts';
import { isAskedAbout } from '../../support/exchange.ts';

const stage = withApp();

test('a sentence is proposed, saved by a press, used in another chat, changed and deleted', async () => {
  const { page } = await stage.open('alice');
  const { memories, settings } = await apiOf(stage.app, 'alice');
  await openNewChat(page);
  await page.keyboard.press('Control+,');
  const dialog = page.getByRole('dialog', { name: 'Settings' });
  await dialog.getByRole('tab', { name: 'Memory' }).click();
  await dialog.getByText('Nothing is remembered yet.').waitFor();
  await dialog.getByText('Ask me', { exact: true }).click();
  await dialog.getByText('Every sentence is proposed to you first.', { exact: false }).waitFor();
  await expectAccessible(page);
  await soon(async () => (await settings.list.query()).memory?.mode).toBe('ask');
  await page.keyboard.press('Escape');

  await ask(page, 'ORDER remember {"text":"I keep kites"}\nORDER remember {"text":"I have a dog"}\n[[obey]]');
  await answered(page);
  const card = page.getByRole('group', { name: 'Memory' }).filter({ hasText: 'I keep kites' }).first();
  await card.getByRole('button', { name: 'Edit' }).click();
  await page.getByRole('textbox', { name: 'Sentence' }).fill('I keep red kites');
  await expectAccessible(page);
  expect(await memories.list.query()).toEqual([]);
  await page.getByRole('group', { name: 'Memory' }).getByRole('button', { name: 'Save' }).first().click();
  await page.getByText('Remembered', { exact: true }).waitFor();
  const other = page.getByRole('group', { name: 'Memory' }).filter({ hasText: 'I have a dog' });
  await other.getByRole('button', { name: 'No' }).click();
  await other.getByText('Not changed.').waitFor();
  expect(await memories.list.query()).toMatchObject([{ text: 'I keep red kites', source: 'model' }]);
  await page.reload();
  await page.getByText('Remembered', { exact: true }).waitFor();
  await other.getByText('Not changed.').waitFor();
  const { page: elsewhere } = await stage.open('alice');
  await elsewhere.goto(page.url());
  await elsewhere.getByRole('group', { name: 'Memory' }).getByText('Not changed.').waitFor();

  await openNewChat(page);
  await ask(page, 'Which birds do I keep?');
  await answered(page);
  const request = stage.app.provider.requests.find(isAskedAbout('Which birds do I keep?'));
  expect(JSON.stringify(request?.body)).toContain('I keep red kites');
  await page.getByText('Used one memory').click();
  await page.getByRole('listitem').filter({ hasText: 'I keep red kites' }).waitFor();

  await page.keyboard.press('Control+,');
  await dialog.getByRole('tab', { name: 'Memory' }).click();
  const entry = dialog.getByRole('listitem').filter({ hasText: 'I keep red kites' });
  await entry.getByRole('button', { name: 'Edit' }).click();
  await dialog.getByRole('textbox', { name: 'Sentence' }).fill('I keep black kites');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.getByText('I keep black kites').waitFor();
  // Another browser's change is shown at once.
  await memories.clear.mutate({});
  await dialog.getByText('Nothing is remembered yet.').waitFor();
  await dialog.getByText('Off', { exact: true }).click();
  await soon(async () => (await settings.list.query()).memory?.mode).toBe('off');
});

test('deleting a chat asks whether what was remembered in it goes, too', async () => {
  const { page } = await stage.open('bob');
  const { memories } = await apiOf(stage.app, 'bob');
  await memories.setMode.mutate({ mode: 'ask' });
  await openNewChat(page);
  await ask(page, 'ORDER remember {"text":"I keep owls"}\n[[obey]]');
  await answered(page);
  await page.getByRole('group', { name: 'Memory' }).getByRole('button', { name: 'Save' }).click();
  await soon(async () => (await memories.list.query()).length).toBe(1);
  await conversations(page).first().getByRole('link').click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  const dialog = page.getByRole('dialog');
  const choice = dialog.getByLabel('Also forget the sentence that was remembered in it');
  await choice.waitFor();
  await expectAccessible(page);
  await choice.check();
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await soon(async () => (await memories.list.query()).length).toBe(0);
});

test('the list names the folder in whose chats a sentence is shown', async () => {
  const { page } = await stage.open('carol');
  const { memories, folders } = await apiOf(stage.app, 'carol');
  await memories.setMode.mutate({ mode: 'ask' });
  const folder = await folders.create.mutate({ id: randomUUID(), name: 'Bees' });
  await memories.save.mutate({ id: randomUUID(), text: 'I have nine hives', scope: `folder:${folder.id}` });
  await openNewChat(page);
  await page.keyboard.press('Control+,');
  const dialog = page.getByRole('dialog', { name: 'Settings' });
  await dialog.getByRole('tab', { name: 'Memory' }).click();
  const entry = dialog.getByRole('listitem').filter({ hasText: 'I have nine hives' });
  await entry.getByRole('link', { name: 'Bees' }).click();
  await page.getByRole('heading', { name: 'Bees' }).waitFor();
});
