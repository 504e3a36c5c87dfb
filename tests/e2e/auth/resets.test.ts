// A forgotten password on a site without mail whose operator lets everybody see the link. And a password that is
// changed.
import { connect } from '@parley/db/client';
import { users } from '@parley/db/tables/users';
import { eq } from 'drizzle-orm';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { PASSWORD } from '../../support/browser/app.ts';
import { expectAccessible } from '../../support/browser/axe.ts';
import { composer, openNewChat } from '../../support/browser/chat.ts';
import { focused } from '../../support/browser/keyboard.ts';
import { notice } from '../../support/browser/sidebar.ts';
import { soon, withApp } from '../../support/browser/app-fixture.ts';
import { inFullRun, someOf, testInFullRun } from '../../support/extent.ts';

const NEW = 'ten green bottles';
/** Minutes: no window ends while the tests count. */
const MONTH = '44640';
/** The browser's own word for an answer that refuses. */
const REFUSED = /status of (400|401|403|404|422|429)/;

// The link is made of the site's address, which has to be known before the server starts.
const stage = withApp({ ALLOW_RESET_LINK: 'true', RESET_WINDOW: MONTH });

const screens = [
  ['light', 1280, 800],
  ['dark', 390, 844],
] as const;

describe.each(someOf(screens))('in the %s theme, %i pixels wide', (colorScheme, width, height) => {
  test('a person who forgot the password gets a link, sets another and signs in with it', async () => {
    const name = `forgetful-${colorScheme}`;
    await stage.app.register(name);
    const { page } = await stage.visitor({ colorScheme, viewport: { width, height } });
    await page.goto('/login');
    await page.getByRole('link', { name: 'Forgot password?' }).click();
    await page.getByRole('heading', { name: 'Reset your password' }).waitFor();
    await expectAccessible(page);
    await page.getByLabel('Email').fill(`${name}@example.com`);
    await submit(page).click();
    const link = page.getByRole('link', { name: 'Choose a new password' });
    await link.waitFor();
    await expectAccessible(page);
    await link.click();

    await page.getByLabel('New password').waitFor();
    await soon(() => page.url()).toBe(`${stage.app.url}/reset-password`);
    await expectAccessible(page);
    await page.getByLabel('New password').fill('short');
    await page.getByText('Password must be at least 8 characters').waitFor();
    await page.getByLabel('Confirm password').fill('another');
    await page.getByText('Passwords do not match').waitFor();
    await soon(() => submit(page).isDisabled()).toBe(true);
    await expectAccessible(page);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
    await page.getByLabel('New password').fill(NEW);
    await page.getByLabel('Confirm password').fill(NEW);
    await submit(page).click();

    await page.getByRole('heading', { name: 'Your password is changed' }).waitFor();
    await soon(() => focused(page)).toBe('Your password is changed');
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Continue' }).click();
    await page.waitForURL('**/login');
    await signIn(page, name, NEW);
    await composer(page).waitFor();
  });

  testInFullRun('an invalid link offers a new one', async () => {
    const { page, tolerated } = await stage.visitor({ colorScheme, viewport: { width, height } });
    tolerated.push(REFUSED);
    await page.goto(`/reset-password?token=${'0'.repeat(64)}&userId=5d2c8a3e-0000-4000-8000-000000000001`);
    await choose(page);
    await page.getByRole('alert').getByText('This password reset token is no longer valid').waitFor();
    await soon(() => focused(page)).toBe('Reset your password');
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Ask for a new link' }).click();
    await page.waitForURL('**/forgot-password');

    await page.goto('/reset-password');
    await soon(() => page.getByRole('alert').allInnerTexts()).toEqual([
      'Unable to process: No valid reset token',
      'Unable to process: No valid user id',
    ]);
    await expectAccessible(page);
    await page.goto('/reset-password?token=x');
    await soon(() => page.getByRole('alert').allInnerTexts()).toEqual(['Unable to process: No valid user id']);
    await soon(() => page.getByRole('link').allInnerTexts()).toEqual(['Ask for a new link']);
  });
});

testInFullRun(
  'a reset works by keyboard; the token stays out of the address bar, and a reload keeps the link',
  async () => {
    await stage.app.register('keyed');
    const { page } = await stage.visitor();
    await page.goto('/login');
    await soon(() => fieldInFocus(page)).toBe('email');
    for (const _ of ['password', 'its eye', 'the link']) await page.keyboard.press('Tab');
    expect(await focused(page)).toBe('Forgot password?');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/forgot-password');
    await soon(() => fieldInFocus(page)).toBe('email');
    await page.keyboard.type('keyed@example.com');
    await page.keyboard.press('Enter');
    await soon(() => focused(page)).toBe('Reset your password');
    await page.keyboard.press('Tab');
    expect(await focused(page)).toBe('Choose a new password');
    await page.keyboard.press('Enter');
    await soon(() => fieldInFocus(page)).toBe('password');
    await soon(() => page.url()).toBe(`${stage.app.url}/reset-password`);
    await page.reload();
    await soon(() => fieldInFocus(page)).toBe('password');
    await page.keyboard.type(NEW);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.type(NEW);
    await page.keyboard.press('Enter');
    await soon(() => focused(page)).toBe('Your password is changed');
    expect(await page.evaluate(() => JSON.stringify(history.state))).not.toContain('token');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/login');
  },
);

testInFullRun(
  'an invalid address is reported while typing; an unknown one and too many requests for five seconds',
  async () => {
    const { page, tolerated } = await stage.visitor();
    tolerated.push(REFUSED);
    await page.clock.install();
    await page.goto('/forgot-password');
    await page.getByLabel('Email').fill('alice');
    await page.getByText('You must enter a valid email address, such as name@example.com').waitFor();
    await soon(() => submit(page).isDisabled()).toBe(true);
    await page.getByLabel('Email').fill('');
    await page.getByText('Email is required').waitFor();
    await page.getByLabel('Email').fill(`${'a'.repeat(110)}@example.com`);
    await page.getByText('Email should not be longer than 120 characters').waitFor();

    const email = 'nowhere@example.com';
    const alert = page.getByRole('alert');
    for (const sentence of [
      'No account was found with this email address. Please check it and try again.',
      'Too many attempts. Please try again in',
    ]) {
      await page.getByLabel('Email').fill(email);
      await submit(page).click();
      await alert.getByText(sentence).waitFor();
      await expectAccessible(page);
      await page.clock.fastForward(5_000);
      await alert.waitFor({ state: 'detached' });
      await soon(() => page.getByLabel('Email').inputValue()).toBe(email);
      // Three in an hour are allowed.
      for (const _ of ['second', 'third'])
        await page.request.post('/trpc/auth.requestPasswordReset', { data: { email } });
    }
  },
);

describe.each(inFullRun(['the account settings']))('%s', () => {
  test('change the password by keyboard; other sessions end, and a reset link ends this one too', async () => {
    const elsewhere = await stage.openElsewhere('changing');
    elsewhere.tolerated.push(REFUSED);
    await openNewChat(elsewhere.page);
    const { page, tolerated } = await stage.openElsewhere('changing');
    tolerated.push(REFUSED);
    const dialog = await openSecurity(page);
    await expectAccessible(page);
    await dialog.getByRole('tab', { name: 'Security' }).focus();
    await dialog.getByLabel('New password').waitFor();
    for (let tabs = 0; tabs < 20 && (await fieldInFocus(page)) !== 'password'; tabs++) await page.keyboard.press('Tab');
    expect(await fieldInFocus(page)).toBe('password');
    await page.keyboard.type(NEW);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    expect(await fieldInFocus(page)).toBe('confirm_password');
    await page.keyboard.type(NEW);
    await page.keyboard.press('Enter');
    const confirm = page.getByRole('dialog', { name: 'Confirm that it is you' });
    await confirm.waitFor();
    await page.keyboard.type('nine brown bottles');
    await page.keyboard.press('Enter');
    await confirm.getByText('The password is incorrect.').waitFor();
    await expectAccessible(page);
    await confirm.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.keyboard.press('Enter');
    await notice(page, 'Your password is changed.').waitFor();
    await soon(() => dialog.getByLabel('New password').inputValue()).toBe('');
    await elsewhere.page.waitForURL('**/login');
    await signIn(elsewhere.page, 'changing', NEW);
    await composer(elsewhere.page).waitFor();
    await page.reload();
    await composer(page).waitFor();

    await page.goto(await linkFor(page, 'changing'));
    await choose(page);
    await page.getByRole('link', { name: 'Continue' }).click();
    await page.waitForURL('**/login');
    await page.getByRole('heading', { name: 'Welcome back' }).waitFor();
    await elsewhere.page.waitForURL('**/login');
  });

  test('report the errors of a field as it changes, and tell an account without a password how to get one', async () => {
    const { page } = await stage.openElsewhere('careless', { viewport: { width: 390, height: 844 } });
    const dialog = await openSecurity(page);
    await dialog.getByLabel('New password').fill('short');
    await dialog.getByText('Password must be at least 8 characters').waitFor();
    await dialog.getByLabel('Confirm password').fill('another');
    await dialog.getByText('Passwords do not match').waitFor();
    await soon(() => dialog.getByRole('button', { name: 'Change password' }).isDisabled()).toBe(true);
    await expectAccessible(page);

    await inDatabase((db) =>
      db.query.update(users).set({ passwordHash: null }).where(eq(users.email, 'careless@example.com')),
    );
    await page.reload();
    await openSecurity(page);
    await dialog.getByText('Your account has no password').waitFor();
    await expectAccessible(page);
    await dialog.getByRole('link', { name: 'Forgot password?' }).click();
    await page.waitForURL('**/forgot-password');
    await page.getByLabel('Email').waitFor();
  });
});

async function signIn(page: Page, name: string, password: string): Promise<void> {
  await page.getByLabel('Email', { exact: true }).fill(`${name}@example.com`);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await submit(page).click();
  await page.waitForURL('**/c/**');
}

async function linkFor(page: Page, name: string): Promise<string> {
  await page.goto('/forgot-password');
  await page.getByLabel('Email').fill(`${name}@example.com`);
  await submit(page).click();
  return (await page.getByRole('link', { name: 'Choose a new password' }).getAttribute('href')) ?? '';
}

async function choose(page: Page): Promise<void> {
  await page.getByLabel('New password').fill(NEW);
  await page.getByLabel('Confirm password').fill(NEW);
  await submit(page).click();
}

async function openSecurity(page: Page) {
  await openNewChat(page);
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog', { name: 'Commands' }).getByRole('combobox').waitFor();
  await page.keyboard.type('settings');
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Settings' });
  // A phone has a list in place of the tabs.
  const onPhone = dialog.getByRole('button', { name: 'Security' });
  await dialog.getByRole('tab', { name: 'Security' }).or(onPhone).click();
  return dialog;
}

function submit(page: Page) {
  return page.getByRole('button', { name: 'Continue', exact: true });
}

function fieldInFocus(page: Page): Promise<string | null | undefined> {
  return page.evaluate(() => document.activeElement?.getAttribute('name'));
}

async function inDatabase(work: (db: ReturnType<typeof connect>) => Promise<unknown>): Promise<void> {
  const db = connect(stage.app.database, { max: 1 });
  await work(db);
  await db.end();
}
