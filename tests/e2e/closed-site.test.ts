import { expect, test } from 'vitest';
import { withApp } from './stage.ts';

const stage = withApp({ ALLOW_REGISTRATION: 'false', LOGIN_MAX: '2', HELP_AND_FAQ_URL: '/' });

test('where registration is closed there is no link to it, and its address leads to the sign-in', async () => {
  const { page } = await stage.visitor();
  await page.goto('/register');
  await page.waitForURL('**/login');
  await page.getByRole('heading', { name: 'Welcome back' }).waitFor();
  expect(await page.getByRole('link').allInnerTexts()).toEqual(['Forgot password?']);
});

test('too many attempts to sign in are answered with the sentence that says so', async () => {
  const { page, tolerated } = await stage.visitor();
  tolerated.push(/status of (422|429)/);
  await page.goto('/login');
  await page.getByLabel('Email', { exact: true }).fill('alice@example.com');
  await page.getByLabel('Password', { exact: true }).fill('nine brown bottles');
  for (let attempt = 0; attempt < 3; attempt++) {
    const answered = page.waitForResponse('**/trpc/auth.login*');
    await page.getByRole('button', { name: 'Continue', exact: true }).click();
    await answered;
  }
  await page
    .getByRole('alert')
    .getByText('Too many login attempts in a short amount of time. Please try again later.')
    .waitFor();
});
