// A site that asks its administrators for a second factor.
import type { Page } from 'playwright-core';
import { test } from 'vitest';
import { authenticatorCode } from '../../support/accounts/authenticator-app.ts';
import { PASSWORD } from '../../support/browser/app.ts';
import { soon, withApp } from '../../support/browser/app-fixture.ts';
import { expectAccessible } from '../../support/browser/axe.ts';
import { composer } from '../../support/browser/chat.ts';

const stage = withApp({ REQUIRE_SECOND_FACTOR: 'admins' });

test('an administrator signs in, sets the authenticator app up, and goes on, in other tabs as well', async () => {
  // The first account is an administrator.
  await stage.app.register('alice');
  const { page, context, tolerated } = await stage.visitor();
  // The browser's own words for what is refused: a wrong code.
  tolerated.push(/status of 422/);
  await page.goto('/login');
  await page.getByLabel('Email', { exact: true }).fill('alice@example.com');
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Continue', exact: true }).click();
  await asked(page).waitFor();
  await expectAccessible(page);
  const other = await context.newPage();
  other.setDefaultTimeout(60_000);
  await other.goto('/admin/people');
  await asked(other).waitFor();

  await page.bringToFront();
  await page.getByRole('button', { name: 'Use an authenticator app' }).focus();
  await page.keyboard.press('Enter');
  const secret = await page.getByTestId('factor-secret').innerText();
  const code = page.getByLabel('Code of your authenticator app');
  await soon(() => code.evaluate((field) => field === document.activeElement)).toBe(true);
  await expectAccessible(page);
  await page.keyboard.type('000000');
  await page.keyboard.press('Enter');
  await page.getByText(/^This code is wrong/).waitFor();
  await code.fill(authenticatorCode(secret));
  await page.keyboard.press('Enter');
  await page.getByTestId('recovery-codes').getByRole('listitem').first().waitFor();
  await expectAccessible(page);
  // The other tab is where it was going to.
  await other.getByRole('row', { name: /alice@example.com/ }).waitFor();
  await page.getByRole('button', { name: 'I have kept them' }).click();
  await composer(page).waitFor();
});

function asked(page: Page) {
  return page.getByRole('heading', { name: 'Set up two-step sign-in' });
}
