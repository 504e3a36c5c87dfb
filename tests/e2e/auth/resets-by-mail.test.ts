// A forgotten password on a site that sends mail.
import { afterAll, test } from 'vitest';
import { linkIn, startMailServer } from '../../support/accounts/mail-server.ts';
import { expectAccessible } from '../../support/browser/axe.ts';
import { focused } from '../../support/browser/keyboard.ts';
import { soon, withApp } from '../../support/browser/app-fixture.ts';
import { themes } from '../../support/extent.ts';

const NEW = 'ten green bottles';
const post = await startMailServer();
const stage = withApp({ ...post.env, EMAIL_ENCRYPTION: 'starttls' });

afterAll(() => post.close());

test.each(themes)('in the %s theme: the page says for every address that a link was sent', async (colorScheme) => {
  const name = `mailed-${colorScheme}`;
  await stage.app.register(name);
  const { page } = await stage.visitor({ colorScheme });
  for (const email of [`${name}@example.com`, 'nobody@example.com']) {
    await page.goto('/forgot-password');
    await page.getByLabel('Email').fill(email);
    await page.keyboard.press('Enter');
    await soon(() => focused(page)).toBe('Check your mail');
    await soon(() => page.getByRole('link').allInnerTexts()).toEqual(['Back to sign in']);
  }
  await expectAccessible(page);

  await soon(() => letterTo(name)?.text).toContain('Choose it here');
  const letter = letterTo(name);
  await page.goto(letter ? linkIn(letter) : '');
  await page.getByLabel('New password').fill(NEW);
  await page.getByLabel('Confirm password').fill(NEW);
  await page.keyboard.press('Enter');
  await page.getByRole('link', { name: 'Continue' }).click();
  await page.getByLabel('Email', { exact: true }).fill(`${name}@example.com`);
  await page.getByLabel('Password', { exact: true }).fill(NEW);
  await page.keyboard.press('Enter');
  await page.waitForURL('**/c/new');
  await soon(() => letterTo(name)?.head['subject']).toBe('Your password for Parley was changed');
});

/** The last one that came. */
function letterTo(name: string) {
  return post.letters.findLast(({ to }) => to.includes(`${name}@example.com`));
}
