// What people do with their own account: the profile, the devices, the deletion and coming back.
import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { PASSWORD } from '../../support/browser/app.ts';
import { soon, withApp } from '../../support/browser/app-fixture.ts';
import { expectAccessible } from '../../support/browser/axe.ts';
import { answered, ask, openNewChat } from '../../support/browser/chat.ts';

const stage = withApp();

/** The browser's own words for what is refused. */
const REFUSED = /status of (401|403|409|422)|WebSocket/;

test('a person renames themselves, signs out the phone, deletes the account and keeps it after all', async () => {
  const { page: desk, tolerated } = await stage.openElsewhere('frida');
  const { page: phone, tolerated: toleratedOfPhone } = await stage.openElsewhere('frida');
  await stage.open('bob');
  tolerated.push(REFUSED);
  toleratedOfPhone.push(REFUSED);
  await openNewChat(phone);
  await openNewChat(desk);
  await ask(desk, 'Something to keep');
  await answered(desk);

  const dialog = await openAccount(desk);
  await dialog.getByLabel('Full name').fill('Frida K');
  await dialog.getByLabel('Username').fill('f');
  await dialog.getByText('Username must be at least 2 characters').waitFor();
  await dialog.getByLabel('Username').fill('frida');
  await dialog.getByRole('button', { name: 'Save', exact: true }).click();
  await desk.getByText('Your profile is saved.').waitFor();
  await desk.getByTestId('nav-user').getByText('Frida K').waitFor();
  await phone.getByTestId('nav-user').getByText('Frida K').waitFor();
  await expectAccessible(desk);

  const others = dialog.getByTestId('sign-out-others-initial');
  await others.click();
  await dialog.getByTestId('sign-out-others-confirm').click();
  await phone.getByRole('button', { name: 'Continue', exact: true }).waitFor();
  await soon(() => dialog.getByRole('listitem').count()).toBe(1);

  await dialog.getByRole('button', { name: 'Delete account' }).click();
  await dialog.getByLabel('Password', { exact: true }).fill('another one');
  await dialog.getByRole('button', { name: 'Delete account' }).click();
  await dialog.getByText('The current password is incorrect.').waitFor();
  await dialog.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await dialog.getByRole('button', { name: 'Delete account' }).click();

  await signIn(desk);
  await desk.getByRole('heading', { name: 'Keep your account?' }).waitFor();
  await expectAccessible(desk);
  await desk.reload();
  await desk.getByRole('button', { name: 'Delete it and log out' }).click();
  await signIn(desk);
  await desk.getByRole('button', { name: 'Keep my account' }).click();
  await desk.getByTestId('nav-user').getByText('Frida K').waitFor();
  await desk.getByTestId('convo-item').first().waitFor();
});

test('a search finds settings of all tabs; chats are deleted without asking; everything is exported', async () => {
  const { page } = await stage.open('bob');
  await openNewChat(page);
  await ask(page, 'To be deleted');
  await answered(page);
  const dialog = await openSettings(page);
  const search = dialog.getByRole('searchbox', { name: 'Search settings' });
  await search.fill('without delete');
  await dialog.getByText('Delete chats without asking').click();
  expect(await dialog.getByRole('heading', { level: 2 }).allInnerTexts()).not.toContain('Tools');
  await search.fill('nothing like it');
  await dialog.getByText('No setting has these words.').waitFor();
  await expectAccessible(page);
  await search.press('Escape');
  await dialog.getByRole('tab', { name: 'Data controls' }).click();
  const download = page.waitForEvent('download');
  await dialog.getByTestId('export-all').click();
  expect((await download).suggestedFilename()).toMatch(/^parley-export-\d{4}-\d\d-\d\d\.zip$/);
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  const row = page.getByTestId('convo-item').first();
  await row.hover();
  await row.click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await page.getByText('Conversation deleted').waitFor();
  await soon(() => page.getByTestId('convo-item').count()).toBe(0);
});

async function openSettings(page: Page): Promise<Locator> {
  await page.getByTestId('nav-user').click();
  await page.getByRole('menuitem', { name: 'Settings' }).click();
  const dialog = page.getByRole('dialog', { name: 'Settings' });
  await dialog.waitFor();
  return dialog;
}

async function openAccount(page: Page): Promise<Locator> {
  const dialog = await openSettings(page);
  await dialog.getByRole('tab', { name: 'Account' }).click();
  return dialog;
}

async function signIn(page: Page): Promise<void> {
  await page.getByLabel('Email', { exact: true }).fill('frida@example.com');
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Continue', exact: true }).click();
}
