import type { Page, Request } from 'playwright-core';
import { expect, test } from 'vitest';
import { testInFullRun } from '../../support/extent.ts';
import { PASSWORD } from '../../support/browser/app.ts';
import {
  answered,
  answerText,
  ask,
  composer,
  messages,
  openId,
  openNewChat,
  send,
  stopButton,
  thread,
} from '../../support/browser/chat.ts';
import { soon, withApp } from '../../support/browser/app-fixture.ts';
import { expectAccessible } from '../../support/browser/axe.ts';

/** A bearer's life here, in milliseconds. */
const BEARER_MS = 2_000;
/** A bearer may end on its way, in any page at any time: that request is refused and sent again with a new one. */
const BEARER_ENDED = /status of 401/;
const stage = withApp({ SESSION_EXPIRY: String(BEARER_MS) }, [BEARER_ENDED]);

/** The browser's own words for an answer that refuses and for a socket that was closed. */
const REFUSED = /status of 401|WebSocket|ERR_INTERNET_DISCONNECTED/;

test('the first person of a server reads in the empty chat that they administer it, and nothing covers it', async () => {
  const { page } = await stage.visitor();
  await page.goto('/register');
  await page.getByLabel('Full name').fill('Ada Lovelace');
  await page.getByLabel('Email', { exact: true }).fill('first@example.com');
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByLabel('Confirm password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Continue', exact: true }).click();
  await composer(page).waitFor();
  const notice = page.getByTestId('first-person');
  await notice.getByText('you are the administrator of this server', { exact: false }).waitFor();
  expect(await page.getByTestId('toast').count()).toBe(0);
  await expectAccessible(page);
  await notice.getByRole('button', { name: 'Close' }).click();
  await notice.waitFor({ state: 'detached' });
});

test('an expiring access token is renewed once in the background, also for several requests at once', async () => {
  const { page, tolerated } = await stage.open('alice');
  tolerated.push(REFUSED);
  const renewals = watchRenewals(page);
  await openNewChat(page);
  await ask(page, 'First question');
  await answered(page);
  await renewals.lastHasEnded();

  const before = renewals.count();
  // A quick answer would come within the life of the bearer of the first.
  await bearerEnds(page);
  await ask(page, 'Second question');
  await answered(page);
  await soon(() => messages(page).count()).toBe(4);
  await answerText(page).getByText('That is all.').waitFor();
  // The question goes over the socket, which outlives its bearer: what the page reads next needs a new one.
  await soon(() => renewals.count() - before).toBeGreaterThan(0);
  expect(renewals.mostAtOnce()).toBe(1);
  expect(new URL(page.url()).pathname).toMatch(/^\/c\/.{36}$/);
});

testInFullRun('an answer that takes longer than an access token lives is read without a gap', async () => {
  const { page, tolerated } = await stage.open('alice');
  tolerated.push(REFUSED);
  await openNewChat(page);
  await ask(page, 'Talk for a while [[tokens:40@110]]');
  await answerText(page).getByText('40.').waitFor();
  await answered(page);
  expect((await answerText(page).innerText()).match(/\d+\./g)).toEqual(['10.', '20.', '30.', '40.']);
});

testInFullRun('a token from a tokenUpdated event is used from then on', async () => {
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

test('after the session ends, signing in returns to the conversation and the pending question is sent', async () => {
  const { page, context, tolerated } = await stage.open('bob');
  tolerated.push(REFUSED);
  await openNewChat(page);
  await ask(page, 'Before the end');
  await answered(page);
  const id = openId(page);

  await context.setOffline(true);
  await send(page, 'Across the end');
  await bearerEnds(page);
  // A renewal that was on its way when the network went may have set the cookie until now.
  await context.clearCookies();
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
  await soon(() => messages(page).count()).toBe(4);
  await soon(() => composer(page).inputValue()).toBe('');
});

testInFullRun('an unsent draft is restored after signing in again', async () => {
  const { page, context, tolerated } = await stage.open('bob');
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

testInFullRun(
  'many tabs that refresh together stay signed in; after signing out no tab keeps personal data',
  async () => {
    const { page, context, tolerated } = await stage.openElsewhere('dora');
    tolerated.push(REFUSED);
    await openNewChat(page);
    await ask(page, 'A private question');
    await answered(page);
    await composer(page).fill('A private thought');

    const tabs = await Promise.all([1, 2, 3].map(() => context.newPage()));
    await Promise.all(tabs.map((tab) => tab.goto('/c/new')));
    await Promise.all(tabs.map((tab) => composer(tab).waitFor()));
    for (const tab of tabs) expect(new URL(tab.url()).pathname).toBe('/c/new');
    const [other = page, ...rest] = tabs;
    await Promise.all(rest.map((tab) => tab.close()));

    await other.goto(page.url());
    await composer(other).waitFor();
    await page.evaluate(async () => {
      for (const key of ['lastConversationSetup', 'lastSelectedModel', 'lastSelectedTools', 'filesToDelete'])
        localStorage.setItem(key, '{}');
      localStorage.setItem('lastBingSettings', '{"toneStyle":"precise"}');
      sessionStorage.setItem('private', 'yes');
      await (await caches.open('private')).put('/private', new Response('private'));
      await new Promise<void>((resolve) => {
        const opening = indexedDB.open('private');
        opening.onsuccess = () => (opening.result.close(), resolve());
      });
    });
    await page.getByRole('button', { name: 'dora example' }).click();
    await page.getByRole('menuitem', { name: 'Log out' }).click();
    await page.waitForURL('**/login');
    await other.waitForURL('**/login');
    const nothing = { databases: [], caches: [], session: [], local: [] };
    for (const tab of [page, other]) await soon(() => storedIn(tab)).toEqual(nothing);
    await page.waitForTimeout(1_000);
    for (const tab of [page, other]) expect(await storedIn(tab)).toEqual(nothing);
    await soon(async () => (await context.cookies()).map(({ name }) => name)).not.toContain('refreshToken');

    await page.goto('/c/new');
    await page.waitForURL('**/login');
  },
);

test('a stop while offline is sent when the connection returns', async () => {
  const { page, context, tolerated } = await stage.open('alice');
  tolerated.push(REFUSED);
  await openNewChat(page);
  await ask(page, 'Never ending [[tokens:20000@50]]');
  await answerText(page).getByText('10.').waitFor();
  await context.setOffline(true);
  await stopButton(page).click();
  await page.waitForTimeout(1_000);
  await context.setOffline(false);
  await answered(page);
  await soon(() => storedKeys(page, 'stops:')).toEqual([]);
});

testInFullRun('a sign-out that would lose unsent questions asks for confirmation', async () => {
  const { page, context, tolerated } = await stage.openElsewhere('frank');
  tolerated.push(REFUSED);
  await openNewChat(page);
  await ask(page, 'Sent');
  await answered(page);
  // The menu has been used before: its code comes over the network, and the dialog's with it.
  await page.getByRole('button', { name: 'frank example' }).click();
  await page.getByRole('menuitem', { name: 'Log out' }).waitFor();
  await page.keyboard.press('Escape');
  await context.setOffline(true);
  await page.getByText('You are offline').waitFor();
  await send(page, 'Not sent');
  await soon(() => storedKeys(page, 'outbox:')).toHaveLength(1);
  const menu = page.getByRole('button', { name: 'frank example' });
  const logOut = () => page.getByRole('menuitem', { name: 'Log out' }).click();
  const dialog = page.getByRole('dialog', { name: 'Log out and lose unsent questions?' });
  await menu.click();
  await logOut();
  await dialog.getByText('Unsent questions: 1.').waitFor();
  await soon(() =>
    dialog.getByRole('button', { name: 'Log out' }).evaluate((it) => it === document.activeElement),
  ).toBe(true);
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await soon(() => page.evaluate(() => document.activeElement !== document.body)).toBe(true);
  expect(await storedKeys(page, 'outbox:')).toHaveLength(1);

  await menu.click();
  await logOut();
  await dialog.getByRole('button', { name: 'Log out' }).press('Enter');
  await soon(() => storedKeys(page, 'outbox:')).toEqual([]);
  await context.setOffline(false);
  await page.waitForURL('**/login');
});

/** Counts the requests of a page for a new bearer. */
function watchRenewals(page: Page) {
  let [count, open, mostAtOnce, answeredAt] = [0, 0, 0, 0];
  const isRenewal = (request: Request) => request.url().includes('auth.refresh');
  const onEnd = (request: Request) => {
    if (!isRenewal(request)) return;
    open--;
    answeredAt = Date.now();
  };
  page.on('request', (request) => {
    if (!isRenewal(request)) return;
    count++;
    mostAtOnce = Math.max(mostAtOnce, ++open);
  });
  page.on('requestfinished', onEnd);
  page.on('requestfailed', onEnd);
  return {
    count: () => count,
    mostAtOnce: () => mostAtOnce,
    /** Resolves when no bearer is asked for and the last one has ended. */
    async lastHasEnded(): Promise<void> {
      while (open > 0 || Date.now() - answeredAt < BEARER_MS + 500) await page.waitForTimeout(100);
    },
  };
}

/** The one time that has to pass by itself: the server's clock ends a bearer. */
function bearerEnds(page: Page): Promise<void> {
  return page.waitForTimeout(BEARER_MS + 500);
}

/** The names of all that a page has stored, except how the device is set. */
function storedIn(page: Page) {
  return page.evaluate(async () => {
    const device =
      /^(color-theme|lang|navVisible|newUser|side:active-panel|hideSidePanel|fullPanelCollapse|react-resizable-panels:.*)$/;
    return {
      databases: (await indexedDB.databases()).map(({ name }) => name),
      caches: await caches.keys(),
      session: Object.keys(sessionStorage),
      local: Object.keys(localStorage).filter((key) => !device.test(key)),
    };
  });
}

function storedKeys(page: Page, prefix: string): Promise<string[]> {
  return page.evaluate((start) => Object.keys(localStorage).filter((key) => key.startsWith(start)), prefix);
}
