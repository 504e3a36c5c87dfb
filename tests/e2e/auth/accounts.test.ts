import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { PASSWORD } from '../../support/browser/app.ts';
import { composer } from '../../support/browser/chat.ts';
import { soon, withApp } from '../../support/browser/app-fixture.ts';

const stage = withApp();

/** The browser's own word for an answer that refuses. */
const REFUSED = /status of (422|500)/;

test('the sign-in page takes input before the chat and most sentences load, which follow while one types', async () => {
  const { page } = await stage.visitor();
  const parts = new Set<string>();
  page.on('request', (request) => parts.add(/\/assets\/(.+)-.{7}\.js$/.exec(request.url())?.[1] ?? ''));
  // What loads after a while waits until the test has looked.
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 60_000);
  await page.goto('/login');
  await soon(() => submit(page).isEnabled()).toBe(true);
  parts.delete('');
  expect([...parts].toSorted()).toEqual(['account-screens', 'auth', 'forms', 'frame', 'index', 'trpc']);
  await page.clock.runFor(500);
  await soon(() => ['chat', 'english'].every((part) => parts.has(part))).toBe(true);
});

test('registering reports the errors of a field as it changes, and leads to a new chat', async () => {
  const { page } = await stage.visitor();
  await page.goto('/login');
  await page.getByRole('link', { name: 'Sign up' }).click();
  await page.getByRole('heading', { name: 'Create your account' }).waitFor();
  await soon(() => submit(page).isEnabled()).toBe(true);

  await expectSentence(page, 'Full name', 'Al', 'Name must be at least 3 characters');
  await expectSentence(page, 'Username (optional)', 'a', 'Username must be at least 2 characters');
  await expectSentence(page, 'Email', 'a@b.c', 'Email must be at least 6 characters');
  await expectSentence(
    page,
    'Email',
    'alice.example.com',
    'You must enter a valid email address, such as name@example.com',
  );
  await expectSentence(
    page,
    'Email',
    `${'a'.repeat(110)}@example.com`,
    'Email should not be longer than 120 characters',
  );
  await expectSentence(page, 'Password', 'short', 'Password must be at least 8 characters');
  await expectSentence(page, 'Password', 'x'.repeat(128), 'Password must be less than 128 characters');
  await expectSentence(page, 'Confirm password', 'another', 'Passwords do not match');
  await soon(() => submit(page).isDisabled()).toBe(true);

  await fill(page, 'Full name', 'Alice Example');
  await fill(page, 'Username (optional)', '');
  await fill(page, 'Email', 'newcomer@example.com');
  await fill(page, 'Password', PASSWORD);
  await soon(() => submit(page).isDisabled()).toBe(true);
  await fill(page, 'Confirm password', PASSWORD);
  await soon(() => submit(page).isEnabled()).toBe(true);
  await submit(page).click();
  await page.waitForURL('**/c/new');
  await composer(page).waitFor();
});

test('a second registration with the same address shows an alert and keeps the form', async () => {
  const { page, tolerated } = await stage.visitor();
  tolerated.push(REFUSED);
  await page.goto('/register');
  await stage.app.register('bob');
  await fill(page, 'Full name', 'Bob Example');
  await fill(page, 'Email', 'bob@example.com');
  await fill(page, 'Password', PASSWORD);
  await fill(page, 'Confirm password', PASSWORD);
  await submit(page).click();
  await page.getByRole('alert').getByText('There was an error attempting to register your account.').waitFor();
  await soon(() => page.getByLabel('Email', { exact: true }).inputValue()).toBe('bob@example.com');
  expect(new URL(page.url()).pathname).toBe('/register');
});

test('a visitor of a chat is sent to sign in: a wrong password shows an error, the right one leads to a new chat', async () => {
  const { page, tolerated } = await stage.visitor();
  tolerated.push(REFUSED);
  await stage.app.register('carol');
  await page.goto('/');
  await page.waitForURL('**/login');
  await page.getByRole('heading', { name: 'Welcome back' }).waitFor();
  await submit(page).click();
  await page.getByText('Email is required').waitFor();
  await page.getByText('This field is required').waitFor();
  await soon(() => page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('email');

  await fill(page, 'Password', PASSWORD);
  await page.getByRole('button', { name: 'Show password' }).click();
  await soon(() => page.getByLabel('Password', { exact: true }).getAttribute('type')).toBe('text');
  await page.getByRole('button', { name: 'Hide password' }).click();
  await soon(() => page.getByLabel('Password', { exact: true }).getAttribute('type')).toBe('password');
  await expectSentence(page, 'Email', 'carol', 'You must enter a valid email address, such as name@example.com');
  await expectSentence(page, 'Password', 'short', 'Password must be at least 8 characters');
  await soon(() => submit(page).isDisabled()).toBe(true);

  for (const email of ['carol@example.com', 'nobody@example.com']) {
    await fill(page, 'Email', email);
    await fill(page, 'Password', 'nine brown bottles');
    await submit(page).click();
    const alert = page.getByRole('alert');
    await alert.waitFor();
    await soon(() => alert.innerText()).toBe(
      'Unable to login with the information provided. Please check your credentials and try again.',
    );
    expect(await isRed(page)).toBe(true);
  }

  await fill(page, 'Email', 'carol@example.com');
  await fill(page, 'Password', PASSWORD);
  await page.keyboard.press('Enter');
  await page.waitForURL('**/c/new');
  await composer(page).waitFor();
});

test('a signed-in user is redirected from the sign-in pages to a new chat', async () => {
  const { page } = await stage.open('alice');
  for (const path of ['/login', '/register', '/']) {
    await page.goto(path);
    await page.waitForURL('**/c/new');
  }
  await composer(page).waitFor();
});

function fill(page: Page, label: string, value: string): Promise<void> {
  return page.getByLabel(label, { exact: true }).fill(value);
}

function submit(page: Page) {
  return page.getByRole('button', { name: 'Continue', exact: true });
}

/** Types into a field and reads the sentence that belongs to it. */
async function expectSentence(page: Page, label: string, value: string, sentence: string): Promise<void> {
  await fill(page, label, value);
  const field = page.getByLabel(label, { exact: true });
  await soon(() =>
    field.evaluate((input) => {
      const ids = input.getAttribute('aria-describedby')?.split(' ') ?? [];
      return ids.map((id) => document.getElementById(id)?.textContent).join(' ');
    }),
  ).toBe(sentence);
  await soon(() => field.getAttribute('aria-invalid')).toBe('true');
}

function isRed(page: Page): Promise<boolean> {
  return page.getByRole('alert').evaluate((alert) => {
    const colors = [alert, ...alert.querySelectorAll('*')].map((element) => getComputedStyle(element).color);
    return colors.some((color) => {
      const [red = 0, green = 0, blue = 0] = color.match(/\d+/g)?.map(Number) ?? [];
      return red > green + 60 && red > blue + 60;
    });
  });
}
