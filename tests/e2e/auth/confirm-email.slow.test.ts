// A site whose new accounts confirm their address first.
import { afterAll, test } from 'vitest';
import { linkIn, startMailServer } from '../../support/accounts/mail-server.ts';
import { PASSWORD } from '../../support/browser/app.ts';
import { soon, withApp } from '../../support/browser/app-fixture.ts';
import { expectAccessible } from '../../support/browser/axe.ts';
import { composer } from '../../support/browser/chat.ts';
import { focused } from '../../support/browser/keyboard.ts';

const post = await startMailServer();
const stage = withApp({ ...post.env, EMAIL_ENCRYPTION: 'starttls', ALLOW_UNVERIFIED_EMAIL_LOGIN: 'false' });
afterAll(() => post.close());

test('a new account asks for its address to be confirmed, sends the link again, and opens in another browser', async () => {
  // The first account is not asked.
  await stage.app.register('alice');
  const { page, tolerated } = await stage.visitor();
  // The browser's own words for what is refused.
  tolerated.push(/status of (400|403)/);
  await page.goto('/register');
  await page.getByLabel('Full name').fill('Bob');
  await page.getByLabel('Email', { exact: true }).fill('bob@example.com');
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByLabel('Confirm password').fill(PASSWORD);
  await page.keyboard.press('Enter');
  await soon(() => focused(page)).toBe('Check your mail');
  await page.getByText('Follow the link in the email to').waitFor();
  await expectAccessible(page);
  await page.getByRole('link', { name: 'Back to sign in' }).click();
  await page.getByLabel('Email', { exact: true }).fill('bob@example.com');
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.keyboard.press('Enter');
  await page.getByText(/^This address isn't confirmed yet/).waitFor();
  await page.getByRole('button', { name: 'Send the link again' }).click();
  await page.getByText(/^If this address still needs to be confirmed/).waitFor();
  await expectAccessible(page);

  await soon(() => post.letters.length).toBe(2);
  const letter = post.letters[1];
  const { page: elsewhere, tolerated: onOther } = await stage.visitor();
  onOther.push(/status of 400/);
  await elsewhere.goto(letter ? linkIn(letter) : '');
  await elsewhere.getByRole('heading', { name: 'Confirm your address' }).waitFor();
  await expectAccessible(elsewhere);
  await elsewhere.getByRole('button', { name: 'Confirm' }).focus();
  await elsewhere.keyboard.press('Enter');
  await soon(() => focused(elsewhere)).toBe('Your address is confirmed');
  await elsewhere.getByRole('link', { name: 'Continue' }).click();
  await elsewhere.getByLabel('Email', { exact: true }).fill('bob@example.com');
  await elsewhere.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await elsewhere.keyboard.press('Enter');
  await composer(elsewhere).waitFor();

  await page.goto(letter ? linkIn(letter) : '');
  await page.getByRole('button', { name: 'Confirm' }).click();
  await page.getByText(/^This link no longer works/).waitFor();
});
