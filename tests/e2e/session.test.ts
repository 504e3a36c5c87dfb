import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { PASSWORD } from './app.ts';
import { answered, answerText, ask, composer, messages, openId, openNewChat, send, thread } from './chat.ts';
import { soon, withApp } from './stage.ts';

/** A bearer's life here, in milliseconds. */
const BEARER_MS = 2_000;
const stage = withApp({ SESSION_EXPIRY: String(BEARER_MS) });

/** The browser's own words for an answer that refuses and for a socket that was closed. */
const REFUSED = /status of 401|WebSocket|ERR_INTERNET_DISCONNECTED/;

test('a bearer that ends is renewed once and silently, also for several requests at the same time', async () => {
  const { page, tolerated } = await stage.open('alice');
  tolerated.push(REFUSED);
  await openNewChat(page);
  await ask(page, 'First question');
  await answered(page);
  let renewals = 0;
  page.on('request', (request) => void (renewals += Number(request.url().includes('auth.refresh'))));
  await bearerEnds(page);

  await ask(page, 'Second question');
  await answered(page);
  expect(await messages(page).count()).toBe(4);
  await answerText(page).getByText('That is all.').waitFor();
  expect(renewals).toBeGreaterThan(0);
  expect(renewals).toBeLessThanOrEqual(2);
  expect(new URL(page.url()).pathname).toMatch(/^\/c\/.{36}$/);
});

test('an answer longer than the life of a bearer is read without a gap', async () => {
  const { page, tolerated } = await stage.open('alice');
  tolerated.push(REFUSED);
  await openNewChat(page);
  await ask(page, 'Talk for a while [[tokens:40@110]]');
  await answerText(page).getByText('40.').waitFor();
  await answered(page);
  expect((await answerText(page).innerText()).match(/\d+\./g)).toEqual(['10.', '20.', '30.', '40.']);
});

test('a token given by tokenUpdated is used from then on', async () => {
  const { page, tolerated } = await stage.open('alice');
  // The bearer of the test before may have ended.
  tolerated.push(REFUSED);
  await openNewChat(page);
  const given = await page.evaluate(async () => {
    const headers = { 'content-type': 'application/json', 'x-app': '1' };
    const answer = await fetch('/trpc/auth.refresh', { method: 'POST', headers, body: 'null' });
    const { result } = await answer.json();
    return String(result.data.token);
  });
  const used = page.waitForRequest((request) => request.headers().authorization === `Bearer ${given}`);
  await page.evaluate((token) => window.dispatchEvent(new CustomEvent('tokenUpdated', { detail: token })), given);
  await send(page, 'With the new token');
  await used;
  await answered(page);
});

test('when the session has ended, signing in leads back to the conversation and the waiting question goes', async () => {
  const { page, context, tolerated } = await stage.openElsewhere('bob');
  tolerated.push(REFUSED);
  await openNewChat(page);
  await ask(page, 'Before the end');
  await answered(page);
  const id = openId(page);

  await context.setOffline(true);
  await send(page, 'Across the end');
  await context.clearCookies();
  await bearerEnds(page);
  await context.setOffline(false);
  await page.waitForURL('**/login');
  await page.getByRole('alert').getByText('Your session has ended. Please sign in again.').waitFor();

  await page.getByLabel('Email', { exact: true }).fill('bob@example.com');
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Continue', exact: true }).click();
  await page.waitForURL(`**/c/${id}`);
  await thread(page).getByText('Across the end').first().waitFor();
  await answerText(page).getByText('That is all.').waitFor();
  await answered(page);
  expect(await messages(page).count()).toBe(4);
  expect(await composer(page).inputValue()).toBe('');
});

test('what was typed and not sent is there again after signing in', async () => {
  const { page, context, tolerated } = await stage.openElsewhere('bob');
  tolerated.push(REFUSED);
  await openNewChat(page);
  await composer(page).fill('Half a thought');
  await context.clearCookies();
  await bearerEnds(page);
  await page.reload();
  await page.waitForURL('**/login');
  await page.getByLabel('Email', { exact: true }).fill('bob@example.com');
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Continue', exact: true }).click();
  await soon(() => composer(page).inputValue()).toBe('Half a thought');
});

test('many tabs that wake together all stay signed in', async () => {
  const { page, context, tolerated } = await stage.openElsewhere('carol');
  tolerated.push(REFUSED);
  await openNewChat(page);
  const tabs = await Promise.all([1, 2, 3, 4].map(() => context.newPage()));
  await Promise.all(tabs.map((tab) => tab.goto('/c/new')));
  await Promise.all(tabs.map((tab) => composer(tab).waitFor()));
  for (const tab of tabs) expect(new URL(tab.url()).pathname).toBe('/c/new');
});

/** The one time that has to pass by itself: the server's clock ends a bearer. */
function bearerEnds(page: Page): Promise<void> {
  return page.waitForTimeout(BEARER_MS + 500);
}
