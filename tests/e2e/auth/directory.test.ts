// Signing in by the user name of a directory, in a browser.
import { afterAll, expect, test } from 'vitest';
import { startLdapServer } from '../../support/accounts/ldap-server.ts';
import { soon, withApp } from '../../support/browser/app-fixture.ts';
import { expectAccessible } from '../../support/browser/axe.ts';
import { composer } from '../../support/browser/chat.ts';

const directory = await startLdapServer();
directory.people.set('uid=alice', {
  password: 'kurz',
  attributes: { uid: 'alice', mail: 'alice@example.com', givenName: 'Alice', sn: 'Example' },
});
const stage = withApp(directory.env);
afterAll(() => directory.close());

test('a person signs in by user name, by mouse and by keyboard, and finds no password to change', async () => {
  const { page, tolerated } = await stage.visitor();
  tolerated.push(/status of (422|503)/);
  await page.goto('/login');
  const name = page.getByLabel('User name', { exact: true });
  const password = page.getByLabel('Password', { exact: true });
  await name.waitFor();
  expect(await page.getByRole('link').allInnerTexts()).not.toContain('Forgot password?');
  expect(await page.getByRole('link', { name: 'Sign up' }).count()).toBe(0);
  await expectAccessible(page);

  await name.fill('alice');
  await password.fill('lang');
  await page.getByRole('button', { name: 'Continue', exact: true }).click();
  await page.getByText('Unable to login with the information provided.').waitFor();
  expect(await name.inputValue()).toBe('alice');
  await password.fill('kurz');
  await page.keyboard.press('Enter');
  await composer(page).waitFor();

  await page.getByTestId('nav-user').click();
  await page.getByRole('menuitem', { name: 'Settings' }).click();
  const dialog = page.getByRole('dialog', { name: 'Settings' });
  await dialog.getByRole('tab', { name: 'Security' }).click();
  await dialog.getByRole('region', { name: 'Two-step sign-in' }).waitFor();
  await soon(() => dialog.getByRole('heading', { name: /password/i }).count()).toBe(0);
});
