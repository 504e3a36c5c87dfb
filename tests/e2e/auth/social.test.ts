// Signing in by another site, in a browser that goes there and comes back.
import { startFakeIdentity } from '@parley/scripts/fake-identity';
import type { Page } from 'playwright-core';
import { afterAll, expect, test } from 'vitest';
import { authenticatorCode } from '../../support/accounts/authenticator-app.ts';
import { expectAccessible } from '../../support/browser/axe.ts';
import {
  answered,
  answerText,
  ask,
  composer,
  messages,
  openId,
  openNewChat,
  send,
  thread,
} from '../../support/browser/chat.ts';
import { soon, withApp } from '../../support/browser/app-fixture.ts';
import { themes, testInFullRun } from '../../support/extent.ts';

/** A bearer's life here, in milliseconds. */
const BEARER_MS = 2_000;
const identity = await startFakeIdentity();
/** A bearer may end on its way, in any page at any time: that request is refused and sent again with a new one. */
const BEARER_ENDED = /status of 401/;
const stage = withApp(
  {
    ...identity.env,
    SESSION_EXPIRY: String(BEARER_MS),
    FACTOR_AFTER_OAUTH: 'true',
    OPENID_BUTTON_LABEL: 'Continue with your work account',
  },
  [BEARER_ENDED],
);
afterAll(() => identity.close());

/** The browser's own words for an answer that refuses and for a socket that was closed. */
const REFUSED = /status of 401|WebSocket|ERR_INTERNET_DISCONNECTED/;

test('the button leads to the other site and back into the app', async () => {
  const { page } = await stage.visitor();
  await page.goto('/login');
  await signInAs(page, 'Continue with Google', 'alice');
  await page.waitForURL('**/c/new');
  await composer(page).waitFor();
  await page.getByText('Alice Example').waitFor();
  // The image is of another site, which would hear of each visit here.
  await soon(() => page.getByTestId('nav-user').locator('img').count()).toBe(0);
  await page.getByTestId('nav-user').getByText('AE').waitFor();

  await page.reload();
  await composer(page).waitFor();
  expect(new URL(page.url()).pathname).toBe('/c/new');
});

testInFullRun('signing in by another site works by keyboard', async () => {
  const { page } = await stage.visitor();
  await page.goto('/login');
  await page.getByLabel('Email', { exact: true }).waitFor();
  await tabTo(page, 'Continue with your work account');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Who are you?' }).waitFor();
  await tabTo(page, 'alice');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/c/new');
  await soon(() => composer(page).evaluate((box) => box === document.activeElement)).toBe(true);
});

testInFullRun('after the other site, an account with a second factor asks for it', async () => {
  identity.introduce('fred', { id: '12', name: 'Fred', login: 'fred', email: 'fred@example.com', verified: true });
  const { page, tolerated } = await stage.visitor();
  // The browser's own words for a wrong code.
  tolerated.push(/status of 422/);
  await page.goto('/login');
  await signInAs(page, 'Continue with Google', 'fred');
  await composer(page).waitFor();
  await page.getByTestId('nav-user').click();
  await page.getByRole('menuitem', { name: 'Settings' }).click();
  await page.getByRole('tab', { name: 'Security' }).click();
  await page.getByRole('button', { name: 'Switch on' }).click();
  const secret = await page.getByTestId('factor-secret').innerText();
  await page.getByLabel('Code of your authenticator app').fill(authenticatorCode(secret));
  await page.keyboard.press('Enter');
  await page.getByTestId('recovery-codes').waitFor();

  const { page: elsewhere, tolerated: onOther } = await stage.visitor();
  onOther.push(/status of 422/);
  await elsewhere.goto('/login');
  await signInAs(elsewhere, 'Continue with Google', 'fred');
  await elsewhere.getByText(/^The other site has confirmed who you are/).waitFor();
  expect(new URL(elsewhere.url()).hash).toBe('');
  await expectAccessible(elsewhere);
  await elsewhere.getByLabel('Code of your authenticator app').and(elsewhere.locator(':focus')).waitFor();
  await elsewhere.keyboard.type('000000');
  await elsewhere.keyboard.press('Enter');
  await elsewhere.getByText(/^This code is wrong/).waitFor();
  await elsewhere.getByLabel('Code of your authenticator app').fill(authenticatorCode(secret, 1));
  await elsewhere.keyboard.press('Enter');
  await composer(elsewhere).waitFor();
});

testInFullRun('a claimed account is told once what it lost', async () => {
  await stage.app.register('erin');
  identity.introduce('erin', { id: '11', name: 'Erin', login: 'erin', email: 'erin@example.com', verified: true });
  const { page } = await stage.visitor();
  await page.goto('/login');
  await signInAs(page, 'Continue with Google', 'erin');
  await composer(page).waitFor();
  const notice = page.getByTestId('toast').filter({ hasText: 'Its old password and saved API keys were removed' });
  await notice.waitFor();
  await soon(() => new URL(page.url()).pathname + new URL(page.url()).search).toBe('/c/new');
  await expectAccessible(page);
  await page.reload();
  await composer(page).waitFor();
  await soon(() => notice.count()).toBe(0);
});

testInFullRun(
  'after the session ends, signing in by a site returns to the conversation and the pending question is sent',
  async () => {
    const { page, context, tolerated } = await stage.visitor();
    tolerated.push(REFUSED);
    await page.goto('/login');
    await signInAs(page, 'Continue with GitHub', 'alice');
    await page.waitForURL('**/c/new');
    await openNewChat(page);
    await ask(page, 'Before the end');
    await answered(page);
    const id = openId(page);

    await context.setOffline(true);
    await send(page, 'Across the end');
    await context.clearCookies();
    // The one time that has to pass by itself: the server's clock ends a bearer.
    await page.waitForTimeout(BEARER_MS + 500);
    await context.setOffline(false);
    await page.waitForURL('**/login');
    await page.getByRole('alert').getByText('Your session has ended. Please sign in again.').waitFor();

    await signInAs(page, 'Continue with GitHub', 'alice');
    await page.waitForURL(`**/c/${id}`);
    await thread(page).getByText('Across the end').first().waitFor();
    await answerText(page).getByText('That is all.').waitFor();
    await answered(page);
    await soon(() => messages(page).count()).toBe(4);
    await soon(() => composer(page).inputValue()).toBe('');
  },
);

testInFullRun('a sign-out that the server did not receive does not end the next session', async () => {
  const { page, tolerated } = await stage.visitor();
  // What the page before asked last may arrive when the first session has ended.
  tolerated.push(/ERR_FAILED/, /status of 401/);
  await page.goto('/login');
  await signInAs(page, 'Continue with Google', 'alice');
  await composer(page).waitFor();
  await page.route('**/trpc/auth.logout*', (route) => route.abort(), { times: 1 });
  const lost = page.waitForEvent('requestfailed', (request) => request.url().includes('auth.logout'));
  await page.getByTestId('nav-user').click();
  await page.getByRole('menuitem', { name: 'Log out' }).click();
  await lost;
  await page.waitForURL('**/login');

  await signInAs(page, 'Continue with Google', 'alice');
  await page.waitForURL('**/c/new');
  await composer(page).waitFor();
});

testInFullRun(
  'a refusal is shown on the sign-in page and removed from the address; unknown codes show nothing',
  async () => {
    const { page } = await stage.visitor();
    await page.goto('/login');
    await signInAs(page, 'Continue with Discord', 'carol');
    const alert = page.getByRole('alert');
    await alert.getByText('The other site did not share your email address, and an account needs one.').waitFor();
    await soon(() => new URL(page.url()).pathname + new URL(page.url()).search).toBe('/login');
    for (const colorScheme of themes) {
      await page.emulateMedia({ colorScheme });
      await page.reload();
      await page.goto('/login?error=social_login&why=email_taken');
      await alert.waitFor();
      await expectAccessible(page);
    }

    for (const query of [
      '',
      'error=<b>nonsense</b>',
      'error=social_login&why=constructor',
      'error=unauthorized',
      'error=',
    ]) {
      await page.goto(`/login?${query}`);
      await page.getByLabel('Email', { exact: true }).waitFor();
      await soon(() => new URL(page.url()).search).toBe('');
      expect(await alert.count(), query).toBe(0);
    }
  },
);

test('cancelling at the other site shows a neutral message', async () => {
  identity.introduce('reluctant', { id: '9', name: 'Reluctant', login: 'reluctant', trouble: 'denies' });
  const { page } = await stage.visitor();
  await page.goto('/login');
  await signInAs(page, 'Continue with Facebook', 'reluctant');
  await page.getByText('The sign-in was cancelled.').waitFor();
  await expectAccessible(page);
  const color = await page.getByText('The sign-in was cancelled.').evaluate((text) => getComputedStyle(text).color);
  const [red = 0, green = 0] = color.match(/\d+/g)?.map(Number) ?? [];
  expect(Math.abs(red - green)).toBeLessThan(40);
});

testInFullRun('stored data of one user is cleared for the next who signs in by a site', async () => {
  const { page } = await stage.openElsewhere('dave');
  await openNewChat(page);
  await page.evaluate(() => localStorage.setItem('lastSelectedModel', '{}'));
  await page.context().clearCookies();
  await page.goto('/login');
  await signInAs(page, 'Continue with Google', 'alice');
  await page.waitForURL('**/c/new');
  await composer(page).waitFor();
  expect(await page.evaluate(() => localStorage.getItem('lastSelectedModel'))).not.toBe('{}');
});

async function signInAs(page: Page, button: string, name: string): Promise<void> {
  await page.getByRole('link', { name: button }).click();
  await page.getByRole('link', { name, exact: true }).click();
}

async function tabTo(page: Page, name: string): Promise<void> {
  await soon(async () => {
    const focused = page.getByRole('link', { name, exact: true }).and(page.locator(':focus'));
    if ((await focused.count()) === 0) await page.keyboard.press('Tab');
    return focused.count();
  }).toBe(1);
}
