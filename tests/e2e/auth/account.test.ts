// The account in the settings: the profile, the devices, and its deletion.
import type { Locator, Page } from 'playwright-core';
import { test } from 'vitest';
import { PASSWORD } from '../../support/browser/app.ts';
import { soon, withApp } from '../../support/browser/app-fixture.ts';
import { expectAccessible } from '../../support/browser/axe.ts';
import { composer, openNewChat } from '../../support/browser/chat.ts';

const stage = withApp();

/** The browser's own words for what was signed out elsewhere. */
const REFUSED = /status of (401|409|422)|WebSocket/;

test('a person changes the profile, signs out another device, deletes the account and comes back', async () => {
  // The last administrator, whom the first account makes, cannot leave.
  await stage.app.register('alice');
  const { page: desk, tolerated } = await stage.openElsewhere('grace');
  const { page: phone, tolerated: onPhone } = await stage.openElsewhere('grace');
  tolerated.push(REFUSED);
  onPhone.push(REFUSED);
  await openNewChat(phone);
  const dialog = await openAccount(desk);
  await expectAccessible(desk);

  await dialog.getByLabel('Full name').fill('Grace H');
  await dialog.getByLabel('Username').fill('x');
  await dialog.getByText('Use at least 2 characters.').waitFor();
  await dialog.getByLabel('Username').fill('grace.h');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await desk.getByText('Your profile is saved.').waitFor();
  await phone.getByRole('button', { name: 'Grace H' }).waitFor();

  await dialog.getByRole('tab', { name: 'Security' }).click();
  await expectAccessible(desk);
  const devices = dialog.getByRole('region', { name: 'Signed-in devices' });
  await devices.getByText('This device').waitFor();
  const end = devices.getByRole('button', { name: 'Sign out', exact: true }).first();
  await end.click();
  await devices.getByRole('button', { name: 'Confirm' }).click();
  await desk.getByText('The device is signed out.').waitFor();
  await phone.waitForURL('**/login');

  const confirmation = dialog.getByTestId('delete-account-confirmation');
  const remove = dialog.getByRole('button', { name: 'Delete my account' });
  await soon(() => remove.isDisabled()).toBe(true);
  await confirmation.fill('not the password');
  await remove.click();
  await dialog.getByText('The password is incorrect.').waitFor();
  await confirmation.fill(PASSWORD);
  await remove.click();
  await desk.waitForURL('**/login');
  await desk.getByText(/^Your account will be deleted on/).waitFor();

  await desk.getByLabel('Email', { exact: true }).fill('grace@example.com');
  await desk.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await desk.getByRole('button', { name: 'Continue', exact: true }).click();
  await desk.getByText('Welcome back. Your account will not be deleted.').waitFor();
  await composer(desk).waitFor();
  await soon(() => desk.getByRole('button', { name: 'Grace H' }).count()).toBe(1);
});

async function openAccount(page: Page): Promise<Locator> {
  await openNewChat(page);
  await page.getByTestId('nav-user').click();
  await page.getByRole('menuitem', { name: 'Settings' }).click();
  const dialog = page.getByRole('dialog', { name: 'Settings' });
  await dialog.getByRole('tab', { name: 'Account' }).click();
  await dialog.getByRole('heading', { name: 'Profile', exact: true }).waitFor();
  return dialog;
}
