import { expect, test } from 'vitest';
import { openNewChat } from './chat.ts';
import { soon, withApp } from './stage.ts';

const stage = withApp({ ALLOW_EMAIL_LOGIN: 'false' });

test('where nobody signs in by a password, no screen and no setting has to do with one', async () => {
  const { page } = await stage.visitor();
  for (const path of ['/forgot-password', '/reset-password?token=x&userId=y']) {
    await page.goto(path);
    await page.waitForURL('**/login');
    await page.getByText('This site offers no way to sign in at the moment.').waitFor();
    expect(await page.getByRole('link').allInnerTexts()).toEqual(['Sign up']);
  }
  const alice = await stage.open('alice');
  await openNewChat(alice.page);
  await alice.page.getByTestId('nav-user').click();
  await alice.page.getByRole('menuitem', { name: 'Settings' }).click();
  const tabs = alice.page.getByRole('dialog', { name: 'Settings' }).getByRole('tab');
  await soon(() => tabs.allInnerTexts()).toEqual(['General', 'Beta features', 'Data controls']);
});
