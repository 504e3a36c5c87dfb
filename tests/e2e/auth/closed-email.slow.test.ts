import { test } from 'vitest';
import { expectAccessible } from '../../support/browser/axe.ts';
import { openNewChat } from '../../support/browser/chat.ts';
import { soon, withApp } from '../../support/browser/app-fixture.ts';

const stage = withApp({ ALLOW_EMAIL_LOGIN: 'false', HELP_AND_FAQ_URL: 'https://example.com/help' });

test('with password sign-in off, no page and no setting mentions passwords; the menu has the help link', async () => {
  const { page } = await stage.visitor();
  for (const path of ['/forgot-password', '/reset-password?token=x&userId=y']) {
    await page.goto(path);
    await page.waitForURL('**/login');
    await page.getByText('This site offers no way to sign in right now.').waitFor();
    await soon(() => page.getByRole('link').allInnerTexts()).toEqual(['Sign up']);
  }
  const alice = await stage.open('alice');
  await openNewChat(alice.page);
  await alice.page.getByTestId('nav-user').click();
  const help = alice.page.getByRole('menuitem', { name: 'Help & FAQ' });
  await soon(() => help.getAttribute('href')).toBe('https://example.com/help');
  await expectAccessible(alice.page);
  await alice.page.getByRole('menuitem', { name: 'Settings' }).click();
  const settings = alice.page.getByRole('dialog', { name: 'Settings' });
  await settings.getByRole('tab', { name: 'Account' }).click();
  await settings.getByRole('button', { name: 'Choose a picture' }).waitFor();
  await settings.getByRole('tab', { name: 'Security' }).click();
  await settings.getByRole('heading', { name: 'Signed-in devices' }).waitFor();
  await soon(() => settings.getByLabel('New password').count()).toBe(0);
});
