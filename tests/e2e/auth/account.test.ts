// The account in the settings: the profile, the devices, the second factor, and its deletion.
import type { Locator, Page } from 'playwright-core';
import { test } from 'vitest';
import { authenticatorCode } from '../../support/accounts/authenticator-app.ts';
import { PASSWORD } from '../../support/browser/app.ts';
import { soon, withApp } from '../../support/browser/app-fixture.ts';
import { expectAccessible } from '../../support/browser/axe.ts';
import { composer, openNewChat } from '../../support/browser/chat.ts';

const stage = withApp();

/** The browser's own words for what was refused, or signed out elsewhere. */
const REFUSED = /status of (401|403|409|422)|WebSocket/;

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
  await dialog.getByText('Username must be at least 2 characters').waitFor();
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
  await confirmation.fill('somebody@example.com');
  await remove.click();
  const confirm = desk.getByRole('dialog', { name: 'Confirm that it is you' });
  await confirm.waitFor();
  await expectAccessible(desk);
  // Nothing happens, and nothing typed is lost, without a proof.
  await desk.keyboard.press('Escape');
  await dialog.getByText(/^You haven't confirmed/).waitFor();
  await remove.click();
  await confirm.waitFor();
  await desk.keyboard.type('not the password');
  await desk.keyboard.press('Enter');
  await confirm.getByText('The password is incorrect.').waitFor();
  await confirm.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await desk.keyboard.press('Enter');
  await dialog.getByText('This is not the email address of your account.').waitFor();
  await confirmation.fill('grace@example.com');
  await remove.click();
  await desk.waitForURL('**/login');
  await desk.getByText(/^Your account will be deleted on/).waitFor();

  await signIn(desk, 'grace');
  await desk.getByText('Welcome back. Your account will not be deleted.').waitFor();
  await composer(desk).waitFor();
  await soon(() => desk.getByRole('button', { name: 'Grace H' }).count()).toBe(1);
});

test('two-step sign-in is switched on, asked for at the next sign-in, and switched off', async () => {
  const { page, tolerated } = await stage.openElsewhere('heidi');
  tolerated.push(REFUSED);
  const dialog = await openAccount(page);
  await dialog.getByRole('tab', { name: 'Security' }).click();
  const setting = dialog.getByRole('region', { name: 'Two-step sign-in' });
  await setting.getByRole('button', { name: 'Switch on' }).click();
  const setUp = page.getByRole('dialog', { name: 'Two-step sign-in' });
  await setUp.getByRole('img', { name: 'Picture to scan with an authenticator app' }).waitFor();
  await expectAccessible(page);
  const secret = await setUp.getByTestId('factor-secret').innerText();
  const code = setUp.getByLabel('Code of your authenticator app');
  await soon(() => code.evaluate((field) => field === document.activeElement)).toBe(true);
  await code.fill('000000');
  await page.keyboard.press('Enter');
  await setUp.getByText(/^This code is wrong/).waitFor();
  await code.fill(authenticatorCode(secret));
  await page.keyboard.press('Enter');
  const kept = page.getByRole('dialog', { name: 'Recovery codes' });
  await kept.getByRole('listitem').first().waitFor();
  const recovery = await kept.getByRole('listitem').allInnerTexts();
  await expectAccessible(page);
  await kept.getByRole('button', { name: 'I have kept them' }).click();
  await dialog.getByRole('region', { name: 'Recovery codes' }).getByText('10 recovery codes are left.').waitFor();

  const { page: elsewhere, tolerated: onOther } = await stage.visitor();
  onOther.push(REFUSED);
  await elsewhere.goto('/login');
  await signIn(elsewhere, 'heidi');
  await elsewhere.getByRole('heading', { name: 'Enter a code' }).waitFor();
  await expectAccessible(elsewhere);
  await elsewhere.getByLabel('Code of your authenticator app').and(elsewhere.locator(':focus')).waitFor();
  await elsewhere.keyboard.type('000000');
  await elsewhere.keyboard.press('Enter');
  await elsewhere.getByText(/^This code is wrong/).waitFor();
  await elsewhere.getByLabel('Code of your authenticator app').fill(authenticatorCode(secret, 1));
  await elsewhere.keyboard.press('Enter');
  await composer(elsewhere).waitFor();

  const { page: third, tolerated: onThird } = await stage.visitor();
  onThird.push(REFUSED);
  await third.goto('/login');
  await signIn(third, 'heidi');
  await third.getByRole('button', { name: 'Use a recovery code' }).click();
  await third.getByLabel('Recovery code').fill(recovery[0] ?? '');
  await third.getByRole('button', { name: 'Continue', exact: true }).click();
  await composer(third).waitFor();

  await setting.getByRole('button', { name: 'Switch off' }).click();
  const off = page.getByRole('dialog', { name: 'Switch off' });
  await off.getByRole('button', { name: 'Switch off' }).click();
  const confirm = page.getByRole('dialog', { name: 'Confirm that it is you' });
  await confirm.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await confirm.getByLabel('Code of your app, or a recovery code').fill(recovery[1] ?? '');
  await page.keyboard.press('Enter');
  await page.getByText('Two-step sign-in is off.').waitFor();
  await setting.getByRole('button', { name: 'Switch on' }).waitFor();
});

test('a passkey is added, signs in, serves as the second step, is renamed and removed', async () => {
  const { page, tolerated } = await stage.openElsewhere('ivan');
  tolerated.push(REFUSED);
  await addAuthenticator(page);
  const dialog = await openAccount(page);
  await dialog.getByRole('tab', { name: 'Security' }).click();
  const setting = dialog.getByRole('region', { name: 'Passkeys' });
  await setting.getByRole('button', { name: 'Add a passkey' }).focus();
  await page.keyboard.press('Enter');
  const kept = page.getByRole('dialog', { name: 'Recovery codes' });
  await kept.getByRole('listitem').first().waitFor();
  await kept.getByRole('button', { name: 'I have kept them' }).click();
  await setting.getByText('Not used yet').waitFor();
  await expectAccessible(page);
  await setting.getByRole('button', { name: 'Add a passkey' }).click();
  await setting.getByText('This device already has a passkey for your account.').waitFor();
  await setting.getByRole('button', { name: 'Rename' }).click();
  await page.getByRole('dialog', { name: 'Rename the passkey' }).locator('input:focus').waitFor();
  await page.keyboard.type(' of mine');
  await page.keyboard.press('Enter');
  await setting.getByText(/ of mine$/).waitFor();

  await page.keyboard.press('Escape');
  await signOut(page);
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await composer(page).waitFor();
  await signOut(page);
  await signIn(page, 'ivan');
  await page.getByRole('heading', { name: 'Confirm with a passkey' }).waitFor();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Use a recovery code' }).click();
  await page.getByLabel('Recovery code').waitFor();
  await page.getByRole('button', { name: 'Use a passkey' }).click();
  await page.getByRole('main').getByRole('button', { name: 'Use a passkey' }).click();
  await composer(page).waitFor();

  const again = await openAccount(page);
  await again.getByRole('tab', { name: 'Security' }).click();
  const passkeys = again.getByRole('region', { name: 'Passkeys' });
  await passkeys.getByText(/^Last used/).waitFor();
  await passkeys.getByRole('button', { name: 'Remove' }).click();
  await passkeys.getByRole('button', { name: 'Confirm' }).click();
  const confirm = page.getByRole('dialog', { name: 'Confirm that it is you' });
  await confirm.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await confirm.getByRole('button', { name: 'Use a passkey' }).click();
  await page.getByText('The passkey is removed.').waitFor();
  await soon(() => passkeys.getByRole('button', { name: 'Rename' }).count()).toBe(0);
});

/** A device that makes passkeys, and whose owner it knows. */
async function addAuthenticator(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('WebAuthn.enable');
  const options = {
    protocol: 'ctap2',
    transport: 'internal',
    hasResidentKey: true,
    hasUserVerification: true,
  } as const;
  await session.send('WebAuthn.addVirtualAuthenticator', {
    options: { ...options, isUserVerified: true, automaticPresenceSimulation: true },
  });
}

async function signOut(page: Page): Promise<void> {
  await page.getByTestId('nav-user').click();
  await page.getByRole('menuitem', { name: 'Log out' }).click();
  await page.waitForURL('**/login');
}

async function signIn(page: Page, name: string): Promise<void> {
  await page.getByLabel('Email', { exact: true }).fill(`${name}@example.com`);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Continue', exact: true }).click();
}

async function openAccount(page: Page): Promise<Locator> {
  await openNewChat(page);
  await page.getByTestId('nav-user').click();
  await page.getByRole('menuitem', { name: 'Settings' }).click();
  const dialog = page.getByRole('dialog', { name: 'Settings' });
  await dialog.getByRole('tab', { name: 'Profile' }).click();
  await dialog.getByRole('heading', { name: 'Profile', exact: true }).waitFor();
  return dialog;
}
