import { expect, test } from 'vitest';
import { soon, withApp } from '../../support/browser/app-fixture.ts';
import { expectAccessible } from '../../support/browser/axe.ts';

const stage = withApp({
  ALLOW_REGISTRATION: 'false',
  LOGIN_MAX: '2',
  HELP_AND_FAQ_URL: '/',
  APP_TITLE: 'Our Parley',
});

test('with registration closed there is no link to it, and its address leads to the sign-in', async () => {
  const { page } = await stage.visitor();
  await page.goto('/register');
  await page.waitForURL('**/login');
  await page.getByRole('heading', { name: 'Welcome back' }).waitFor();
  await soon(() => page.getByRole('link').allInnerTexts()).toEqual(['Forgot password?']);
  // The installed app has the operator's title, too.
  const manifest = await page.request.get('/manifest.webmanifest');
  expect(await manifest.json()).toMatchObject({ name: 'Our Parley', short_name: 'Our Parley' });
});

test('too many sign-in attempts show their error message', async () => {
  const { page, tolerated } = await stage.visitor();
  tolerated.push(/status of (422|429)/);
  await page.goto('/login');
  await page.getByLabel('Email', { exact: true }).fill('alice@example.com');
  await page.getByLabel('Password', { exact: true }).fill('nine brown bottles');
  // A click is not heard while the one before is being answered.
  await soon(async () => {
    await page.getByRole('button', { name: 'Continue', exact: true }).click();
    return page.getByRole('alert').innerText();
  }).toBe('Too many login attempts in a short amount of time. Please try again later.');
});

test('without mail, the forgotten-password page refers to the administrator', async () => {
  const { page } = await stage.visitor();
  for (const name of ['alice', 'nobody']) {
    await page.goto('/forgot-password');
    await page.getByLabel('Email').fill(`${name}@example.com`);
    await page.getByRole('button', { name: 'Continue', exact: true }).click();
    await page.getByRole('heading', { name: 'Please ask for a link' }).waitFor();
    await page.getByText('Ask its administrator for a reset link').waitFor();
  }
  await expectAccessible(page);
});
