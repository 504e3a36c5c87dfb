// Instructions for all chats: written once, sent with every chat, off where a chat says so.
import { expect, test } from 'vitest';
import { expectAccessible } from '../../support/browser/axe.ts';
import { isAskedAbout } from '../../support/exchange.ts';
import { soon, withApp } from '../../support/browser/app-fixture.ts';
import { sidePanel, stripIcon } from '../../support/browser/side-panel.ts';
import { answered, apiOf, ask, openNewChat } from '../../support/browser/chat.ts';

const stage = withApp();

test('what is written about oneself is saved without a button, sent, told in the details, and off for one chat', async () => {
  const { page } = await stage.open('alice');
  const { settings } = await apiOf(stage.app, 'alice');
  await openNewChat(page);
  await page.keyboard.press('Control+,');
  const dialog = page.getByRole('dialog', { name: 'Settings' });
  await dialog.getByRole('tab', { name: 'Personalization' }).click();
  await dialog.getByLabel('About you', { exact: true }).fill('I keep bees.');
  await dialog.getByText('Saved.').waitFor();
  await expectAccessible(page);
  await soon(async () => (await settings.list.query()).personal?.about).toBe('I keep bees.');
  // The last words are saved, too, when the dialog is closed at once.
  await dialog.getByLabel('How to answer', { exact: true }).fill('Be brief.');
  await page.keyboard.press('Escape');
  await soon(async () => (await settings.list.query()).personal?.style).toBe('Be brief.');

  await ask(page, 'Which flowers do they like?');
  await answered(page);
  const first = stage.app.provider.requests.find(isAskedAbout('Which flowers do they like?'));
  expect(JSON.stringify(first?.body)).toContain('I keep bees.');

  await stripIcon(page, 'Parameters').click();
  await sidePanel(page).getByRole('switch', { name: 'Your instructions' }).press('Space');
  await ask(page, 'And which trees?');
  await answered(page);
  const asked = stage.app.provider.requests.findLast(isAskedAbout('And which trees?'));
  expect(JSON.stringify(asked?.body)).not.toContain('I keep bees.');
});

test('a new account reads once, below its third answer, that chats can know it', async () => {
  const { page } = await stage.open('nora');
  const { settings } = await apiOf(stage.app, 'nora');
  await openNewChat(page);
  const offer = page.getByRole('note').filter({ hasText: 'Chats can know who you are' });
  for (const question of ['One', 'Two', 'Three']) {
    expect(await offer.count()).toBe(0);
    await ask(page, question);
    await answered(page);
  }
  await offer.waitFor();
  await expectAccessible(page);
  await soon(async () => (await settings.list.query()).isPersonalOffered).toBe(true);
  await offer.getByRole('button', { name: 'Personalization' }).click();
  const dialog = page.getByRole('dialog', { name: 'Settings' });
  await dialog.getByLabel('About you', { exact: true }).waitFor();
  await page.keyboard.press('Escape');
  expect(await offer.count()).toBe(0);

  await page.reload();
  for (const question of ['Four', 'Five', 'Six']) {
    await ask(page, question);
    await answered(page);
    expect(await offer.count()).toBe(0);
  }
});
