// A forgotten password on a site without mail: the link is shown to who sits at its machine. And a password that is changed.
import { connect } from '@parley/db/client';
import { passwordResets } from '@parley/db/tables/password-resets';
import { users } from '@parley/db/tables/users';
import { eq, sql } from 'drizzle-orm';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { freePort } from '../support/free-port.ts';
import { PASSWORD } from './app.ts';
import { expectAccessible } from './axe.ts';
import { composer, openNewChat } from './chat.ts';
import { focused } from './keys.ts';
import { notice } from './sidebar.ts';
import { soon, withApp } from './stage.ts';

const NEW = 'ten green bottles';
/** Minutes: no window ends while the tests count. */
const MONTH = '44640';
/** The browser's own word for an answer that refuses. */
const REFUSED = /status of (400|401|404|422|429)/;

// The link is made of the site's address, which has to be known before the server starts.
const stage = withApp({ PORT: String(await freePort()), RESET_WINDOW: MONTH });

describe.each([
  ['light', 1280, 800],
  ['dark', 390, 844],
] as const)('in the %s theme, %i pixels wide', (colorScheme, width, height) => {
  test('who has forgotten the password gets a link, chooses another and signs in with it', async () => {
    const name = `forgetful-${colorScheme}`;
    await register(name);
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
    expect(await submit(page).isDisabled()).toBe(true);
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

  test('a link that is no good leads to a new one', async () => {
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
    expect(await page.getByRole('alert').allInnerTexts()).toEqual([
      'Unable to process: No valid reset token',
      'Unable to process: No valid user id',
    ]);
    await expectAccessible(page);
    await page.goto('/reset-password?token=x');
    await soon(() => page.getByRole('alert').allInnerTexts()).toEqual(['Unable to process: No valid user id']);
    expect(await page.getByRole('link').allInnerTexts()).toEqual(['Ask for a new link']);
  });
});

test('all of it by key', async () => {
  await register('keyed');
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
  await page.keyboard.type(NEW);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await page.keyboard.type(NEW);
  await page.keyboard.press('Enter');
  await soon(() => focused(page)).toBe('Your password is changed');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/login');
});

test('the token is in no address that the browser keeps, and a reload does not lose the link', async () => {
  await register('reloading');
  const { page } = await stage.visitor();
  const link = await linkFor(page, 'reloading');
  await page.goto(link);
  await page.getByLabel('New password').waitFor();
  await soon(() => page.url()).toBe(`${stage.app.url}/reset-password`);
  await page.reload();
  await choose(page);
  await page.getByRole('heading', { name: 'Your password is changed' }).waitFor();
  expect(await page.evaluate(() => JSON.stringify(history.state))).not.toContain('token');
});

test('a link that has run out is no good, nor is one that was used', async () => {
  await register('late');
  const { page, tolerated } = await stage.visitor();
  tolerated.push(REFUSED);
  const link = await linkFor(page, 'late');
  await inDatabase((db) => db.query.update(passwordResets).set({ expiresAt: sql`now()` }));
  await page.goto(link);
  await choose(page);
  await page.getByText('This password reset token is no longer valid').waitFor();

  const another = await linkFor(page, 'late');
  for (const outcome of ['Your password is changed', 'This password reset token is no longer valid']) {
    await page.goto(another);
    await choose(page);
    await page.getByText(outcome).waitFor();
  }
});

test('an address without an account is told for five seconds, and too many links for as long', async () => {
  const { page, tolerated } = await stage.visitor();
  tolerated.push(REFUSED);
  await page.goto('/forgot-password');
  const alert = page.getByRole('alert');
  for (const sentence of [
    ...Array<string>(3).fill('No account was found with this email address. Please check it and try again.'),
    'Too many attempts. Please try again in',
  ]) {
    await page.getByLabel('Email').fill('nowhere@example.com');
    await submit(page).click();
    await alert.getByText(sentence).waitFor();
    await expectAccessible(page);
    await alert.waitFor({ state: 'detached' });
    expect(await page.getByLabel('Email').inputValue()).toBe('nowhere@example.com');
  }
});

test('an address that cannot be one is told as it is typed', async () => {
  const { page } = await stage.visitor();
  await page.goto('/forgot-password');
  await page.getByLabel('Email').fill('alice');
  await page.getByText('You must enter a valid email address').waitFor();
  expect(await submit(page).isDisabled()).toBe(true);
  await page.getByLabel('Email').fill('');
  await page.getByText('Email is required').waitFor();
  await page.getByLabel('Email').fill(`${'a'.repeat(110)}@example.com`);
  await page.getByText('Email should not be longer than 120 characters').waitFor();
});

test('a visitor from elsewhere is sent to whoever runs the site', async () => {
  await register('distant');
  const { page } = await stage.visitor({ extraHTTPHeaders: { 'x-forwarded-for': '203.0.113.9' } });
  for (const name of ['distant', 'nobody']) {
    await page.goto('/forgot-password');
    await page.getByLabel('Email').fill(`${name}@example.com`);
    await submit(page).click();
    await page.getByRole('heading', { name: 'Please ask for a link' }).waitFor();
    await page.getByText('Whoever runs it can make a link for your account').waitFor();
    await expectAccessible(page);
  }
});

test('whoever is signed in is signed out by it, here and elsewhere', async () => {
  const elsewhere = await stage.openElsewhere('signed-in');
  elsewhere.tolerated.push(REFUSED);
  await openNewChat(elsewhere.page);
  const { page, tolerated } = await stage.openElsewhere('signed-in');
  tolerated.push(REFUSED);
  await openNewChat(page);
  await page.goto(await linkFor(page, 'signed-in'));
  await choose(page);
  await page.getByRole('link', { name: 'Continue' }).click();
  await page.waitForURL('**/login');
  await page.getByRole('heading', { name: 'Welcome back' }).waitFor();
  await elsewhere.page.waitForURL('**/login');
});

describe('the account in the settings', () => {
  test('changes the password by key; this browser stays signed in and the others do not', async () => {
    const elsewhere = await stage.openElsewhere('changing');
    elsewhere.tolerated.push(REFUSED);
    await openNewChat(elsewhere.page);
    const { page, tolerated } = await stage.openElsewhere('changing');
    tolerated.push(REFUSED);
    const dialog = await openAccount(page);
    await expectAccessible(page);
    await dialog.getByRole('tab', { name: 'Account' }).focus();
    await page.keyboard.press('Tab');
    expect(await fieldInFocus(page)).toBe('current_password');
    await page.keyboard.type('nine brown bottles');
    for (const name of ['password', 'confirm_password']) {
      await page.keyboard.press('Tab');
      await page.keyboard.press('Tab');
      expect(await fieldInFocus(page)).toBe(name);
      await page.keyboard.type(NEW);
    }
    await page.keyboard.press('Enter');
    await dialog.getByRole('alert').getByText('The current password is incorrect.').waitFor();
    await expectAccessible(page);
    await dialog.getByLabel('Current password').fill(PASSWORD);
    await page.keyboard.press('Enter');
    await notice(page, 'Your password is changed.').waitFor();
    await soon(() => dialog.getByLabel('New password').inputValue()).toBe('');
    await elsewhere.page.waitForURL('**/login');
    await signIn(elsewhere.page, 'changing', NEW);
    await page.reload();
    await composer(page).waitFor();
  });

  test('says what is wrong with a field as it changes', async () => {
    const { page } = await stage.openElsewhere('careless', { viewport: { width: 390, height: 844 } });
    const dialog = await openAccount(page);
    await dialog.getByLabel('New password').fill('short');
    await dialog.getByText('Password must be at least 8 characters').waitFor();
    await dialog.getByLabel('Confirm password').fill('another');
    await dialog.getByText('Passwords do not match').waitFor();
    expect(await dialog.getByRole('button', { name: 'Change password' }).isDisabled()).toBe(true);
    await expectAccessible(page);
  });

  test('tells who has no password how to get one', async () => {
    const { page } = await stage.openElsewhere('social');
    await inDatabase((db) =>
      db.query.update(users).set({ passwordHash: null }).where(eq(users.email, 'social@example.com')),
    );
    const dialog = await openAccount(page);
    await dialog.getByText('Your account has no password').waitFor();
    await expectAccessible(page);
    await dialog.getByRole('link', { name: 'Forgot password?' }).click();
    await page.waitForURL('**/forgot-password');
    await page.getByLabel('Email').waitFor();
  });
});

async function register(name: string): Promise<void> {
  const { context } = await stage.app.open(name);
  await context.close();
}

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

async function openAccount(page: Page) {
  await openNewChat(page);
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog', { name: 'Commands' }).getByRole('combobox').waitFor();
  await page.keyboard.type('settings');
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Settings' });
  await dialog.getByRole('tab', { name: 'Account' }).click();
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
