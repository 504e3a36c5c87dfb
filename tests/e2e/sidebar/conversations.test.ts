// The list of conversations beside the chat.
import { randomUUID } from 'node:crypto';
import { connect } from '@parley/db/client';
import { convos } from '@parley/db/tables/convos';
import { users } from '@parley/db/tables/users';
import { eq } from 'drizzle-orm';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { testInFullRun } from '../../support/extent.ts';
import { expectAccessible } from '../../support/browser/axe.ts';
import { question } from '../../support/exchange.ts';
import {
  answered,
  apiOf,
  ask,
  composer,
  conversation,
  conversations,
  NO_NETWORK,
  openNewChat,
  thread,
} from '../../support/browser/chat.ts';
import { choose, focused, scroller, sidebar, titles } from '../../support/browser/sidebar.ts';
import { soon, withApp } from '../../support/browser/app-fixture.ts';
import { shiftsWhile } from '../../support/browser/layout-shifts.ts';

const stage = withApp();
const DAY_MS = 24 * 60 * 60_000;

test('a conversation is renamed in place with Enter or by leaving the field, and Escape cancels', async () => {
  const { page } = await stage.open('alice');
  await openNewChat(page);
  await ask(page, 'Lighthouses and their keepers');
  await answered(page);

  await rename(page, 'Lighthouses and Their Keepers', 'Lights');
  await page.keyboard.press('Enter');
  await conversation(page, 'Lights').waitFor();
  await soon(() => page.title()).toBe('Lights · Parley');
  await soon(() => focused(page)).toBe('Lights');

  await rename(page, 'Lights', 'Never mind');
  await page.keyboard.press('Escape');
  await conversation(page, 'Lights').waitFor();

  await rename(page, 'Lights', 'Lamps');
  const saved = page.waitForResponse((response) => response.request().postData()?.includes('Lamps') === true);
  await composer(page).click();
  await conversation(page, 'Lamps').waitFor();

  // What is on its way when a page goes away may not arrive.
  await saved;
  await page.reload();
  await conversation(page, 'Lamps').waitFor();
  await soon(() => conversation(page, 'Never mind').count()).toBe(0);
});

testInFullRun('a failed rename is undone, and a toast reports it', async () => {
  const { page, tolerated } = await stage.open('alice');
  tolerated.push(/ERR_FAILED/, NO_NETWORK);
  await openNewChat(page);
  // A new chat takes the focus once it is there.
  await soon(() => focused(page)).toMatch(/^Message/);
  await conversation(page, 'Lamps').waitFor();
  await page.route('**/trpc/*convos.rename*', (route) => route.abort());
  await rename(page, 'Lamps', 'Lost');
  await page.keyboard.press('Enter');
  await page.getByText('Failed to rename conversation. Please try again.').waitFor();
  await conversation(page, 'Lamps').waitFor();
  await page.getByText('Failed to rename conversation. Please try again.').waitFor({ state: 'detached' });
});

test('deleting asks for confirmation; deleting the open conversation starts a new one', async () => {
  const { page } = await stage.open('alice');
  await openNewChat(page);
  await ask(page, 'Doomed words');
  await answered(page);
  await conversation(page, 'Doomed Words').waitFor();

  await choose(page, 'Doomed Words', 'Delete');
  const dialog = page.getByRole('dialog', { name: 'Delete chat?' });
  await dialog.getByText('Doomed Words').waitFor();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await dialog.waitFor({ state: 'detached' });
  await conversation(page, 'Doomed Words').waitFor();

  await choose(page, 'Doomed Words', 'Delete');
  await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
  await page.waitForURL('**/c/new');
  await conversation(page, 'Doomed Words').waitFor({ state: 'detached' });
  await page.getByTestId('landing-title').waitFor();
});

test('the address of a missing conversation says so and offers a new chat', async () => {
  const { page, tolerated } = await stage.open('alice');
  tolerated.push(/status of (404|422)/);
  for (const id of [randomUUID(), 'not-an-id']) {
    await page.goto(`/c/${id}`);
    await page.getByRole('heading', { name: 'Chat not found' }).waitFor();
  }
  await page.getByRole('main').getByRole('link', { name: 'New chat', exact: true }).click();
  await composer(page).waitFor();
  expect(new URL(page.url()).pathname).toBe('/c/new');
});

test('a conversation opens in a new tab by Ctrl or the middle button, in a window by Shift, and selects nothing', async () => {
  const { page, context } = await stage.open('alice');
  await openNewChat(page);
  const link = conversation(page, 'Lamps').getByRole('link');
  const path = (await link.getAttribute('href')) ?? '';
  for (const how of [
    { modifiers: ['Control' as const] },
    { button: 'middle' as const },
    { modifiers: ['Shift' as const] },
  ]) {
    const [opened] = await Promise.all([context.waitForEvent('page'), link.click(how)]);
    await opened.waitForURL(`**${path}`);
    await opened.close();
  }
  await sidebar(page).waitFor();
  expect(new URL(page.url()).pathname).toBe('/c/new');
  expect(await page.getByRole('checkbox').count()).toBe(0);
});

test('a closed sidebar leaves a rail, which is remembered, opens it, begins a chat, searches and has the user menu', async () => {
  const { page } = await stage.open('alice');
  await openNewChat(page);
  const nav = sidebar(page);
  const rail = page.getByRole('navigation', { name: 'Main menu' });
  const { convos } = await apiOf(stage.app, 'alice');
  await page.keyboard.press('Control+Shift+s');
  await nav.waitFor({ state: 'hidden' });
  await soon(() => page.evaluate(() => localStorage.getItem('navVisible'))).toBe('false');
  await rail.getByRole('button', { name: 'Open sidebar' }).waitFor();
  await expectAccessible(page);
  const unread = rail.getByRole('img', { name: 'Unread answer' });
  expect(await unread.count()).toBe(0);
  const [newest] = (await convos.list.query({})).convos;
  await convos.update.mutate({ conversationId: newest?.conversationId ?? '', isUnread: true });
  await unread.waitFor();
  await convos.markAllRead.mutate();
  await unread.waitFor({ state: 'detached' });

  const shifts = await shiftsWhile(page, async () => {
    await page.reload();
    await rail.getByRole('button', { name: 'Search' }).waitFor();
  });
  expect(shifts).toBeLessThan(0.02);
  await composer(page).waitFor();
  await soon(() => nav.isVisible()).toBe(false);
  await rail.getByRole('button', { name: 'Search' }).press('Enter');
  await page.getByRole('dialog', { name: 'Commands' }).getByRole('option', { name: 'Lamps' }).click();
  await thread(page).getByText('Lighthouses and their keepers').first().waitFor();
  await rail.getByRole('link', { name: 'New chat' }).click();
  await page.waitForURL('**/c/new');
  await rail.getByRole('button', { name: 'alice example' }).click();
  await page.getByRole('menuitem', { name: 'Settings' }).waitFor();
  await page.keyboard.press('Escape');
  await soon(() => focused(page)).toContain('alice example');

  await rail.getByRole('button', { name: 'Open sidebar' }).press('Enter');
  await nav.waitFor();
  await soon(() => focused(page)).toBe('Close sidebar');
  await rail.waitFor({ state: 'detached' });
  await page.keyboard.press('Enter');
  await soon(() => focused(page)).toBe('Open sidebar');
  await page.keyboard.press('Enter');
  await nav.waitFor();
});

test('asking in an older conversation moves it to the top', async () => {
  const { page } = await stage.open('alice');
  await openNewChat(page);
  await conversation(page, 'Lamps').getByRole('link').click();
  await thread(page).getByText('Lighthouses and their keepers').first().waitFor();
  await ask(page, 'Once more');
  await answered(page);
  await soon(() => conversations(page).first().getByRole('link').innerText()).toBe('Lamps');
});

const MANY = 120;

test('a long list is grouped by date and loads page by page', async () => {
  const { page } = await stage.open('bob');
  await seed('bob');
  const reads: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('convos.list')) reads.push(request.url());
  });
  await openNewChat(page);
  await conversation(page, 'Talk 0').waitFor();
  // The list is read at the start, and once more when the change feed begins.
  await soon(() => reads.length).toBeGreaterThanOrEqual(2);
  reads.splice(0);
  const list = scroller(page);
  const headings = sidebar(page).getByRole('heading');

  await list.evaluate((element) => element.scrollTo({ top: (element.scrollHeight - element.clientHeight) * 0.9 }));
  await conversation(page, 'Talk 44').waitFor();
  expect(reads).toEqual([]);

  const seen = new Set<string>();
  const seenHeadings = new Set<string>();
  await list.evaluate((element) => element.scrollTo({ top: 0 }));
  await conversation(page, 'Talk 44').waitFor({ state: 'detached' });
  // However long the machine takes for the fifty steps of it.
  for (let step = 0; step < 200 && seen.size < MANY; step++) {
    await soon(() => list.evaluate(isDrawn)).toBe(true);
    for (const title of await titles(page)) seen.add(title);
    for (const heading of await headings.allInnerTexts()) seenHeadings.add(heading);
    await list.evaluate(scrollOn);
  }
  expect([...seen]).toEqual(Array.from({ length: MANY }, (_, n) => `Talk ${n}`));
  expect([...seenHeadings].slice(0, 4)).toEqual(['Today', 'Yesterday', 'Previous 7 days', 'Previous 30 days']);
  expect(seenHeadings.size).toBeGreaterThan(4);
  expect(reads.length).toBe(2);
});

testInFullRun('a long list keeps its scroll position when a conversation elsewhere gets an answer', async () => {
  const { page } = await stage.open('bob');
  await openNewChat(page);
  const row = conversation(page, 'Talk 30');
  const list = scroller(page);
  await list.evaluate((element) => element.scrollTo({ top: 0 }));
  await soon(async () => {
    if (!(await row.isVisible())) await list.evaluate(scrollOn);
    return row.isVisible();
  }).toBe(true);
  await row.scrollIntoViewIfNeeded();
  await row.hover();
  const { y } = (await row.boundingBox()) ?? { y: NaN };
  const height = await list.evaluate((element) => element.scrollHeight);
  await (await apiOf(stage.app, 'bob')).messages.ask.mutate(question('A new one at the top'));
  await soon(() => list.evaluate((element) => element.scrollHeight)).toBeGreaterThan(height);
  expect((await row.boundingBox())?.y).toBe(y);
  await list.evaluate((element) => element.scrollTo({ top: 0 }));
  await soon(async () => (await titles(page))[0]).toBe('New One at the Top');
});

test('on a phone the list is a drawer with a mask, Enter breaks the line, and buttons are large enough for fingers', async () => {
  const { page } = await stage.openElsewhere('carol', {
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
  });
  await openNewChat(page);
  await composer(page).fill('Herons on the river');
  await page.getByRole('button', { name: 'Send message' }).tap();
  await answered(page);
  const header = page.locator('header').first();
  await soon(() => page.title()).toBe('Herons on the River · Parley');
  const nav = sidebar(page);
  await soon(() => nav.isVisible()).toBe(false);

  await header.getByRole('button', { name: 'Open sidebar' }).tap();
  await nav.waitFor();
  await soon(async () => (await nav.boundingBox())?.x).toBe(0);
  expect((await nav.boundingBox())?.width).toBe(320);
  await page.touchscreen.tap(375, 500);
  await nav.waitFor({ state: 'hidden' });

  await header.getByRole('button', { name: 'Open sidebar' }).tap();
  await nav.getByRole('link', { name: 'Herons on the River' }).tap();
  await nav.waitFor({ state: 'hidden' });

  await header.getByRole('button', { name: 'Open sidebar' }).tap();
  await page.keyboard.press('Escape');
  await nav.waitFor({ state: 'hidden' });

  await header.getByRole('link', { name: 'New chat' }).tap();
  await page.waitForURL('**/c/new');
  await soon(() => page.title()).toBe('Parley');
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);

  await composer(page).tap();
  await page.keyboard.type('one');
  await page.keyboard.press('Enter');
  await page.keyboard.type('two');
  await soon(() => composer(page).inputValue()).toBe('one\ntwo');
  const small = await page.getByRole('button').evaluateAll((buttons) =>
    buttons
      .filter((button) => button.checkVisibility() && !button.closest('[inert]'))
      .map((button) => ({
        name: button.getAttribute('aria-label') ?? button.textContent,
        box: button.getBoundingClientRect(),
      }))
      .filter(({ box }) => box.width < 44 || box.height < 44)
      .map(({ name, box }) => `${name}: ${box.width} x ${box.height}`),
  );
  expect(small).toEqual([]);
});

/** Opens the box for a new title and writes one. */
async function rename(page: Page, title: string, newTitle: string): Promise<void> {
  await choose(page, title, 'Rename');
  await page.getByRole('textbox', { name: 'Title' }).fill(newTitle);
}

/** Scrolls less than what is drawn beyond the view, and waits for the image. Runs in the page. */
/** Whether rows reach the end of what is shown, but for the room of a heading. */
function isDrawn(element: Element): boolean {
  const end = Math.min(element.getBoundingClientRect().bottom, window.innerHeight) - 60;
  return [...element.querySelectorAll('a')].some((row) => row.getBoundingClientRect().bottom >= end);
}

function scrollOn(element: Element): Promise<void> {
  element.scrollBy({ top: 150 });
  return new Promise((resolve) => {
    requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve)));
  });
}

/** Conversations of a person, the newest a moment old, the oldest of long ago. */
async function seed(name: string): Promise<void> {
  const db = connect(stage.app.database);
  const [user] = await db.query
    .select()
    .from(users)
    .where(eq(users.email, `${name}@example.com`));
  if (!user) throw new Error(`${name} has no account`);
  const daysAgo = (n: number) => (n < 20 ? 0 : n < 30 ? 1 : n < 40 ? 3 : n < 100 ? 20 : 400 + n);
  const rows = Array.from({ length: MANY }, (_, n) => {
    const at = new Date(Date.now() - daysAgo(n) * DAY_MS - n * 100).toISOString();
    const what = { endpoint: 'openAI', endpointType: 'openAI', model: 'gpt-4', changeSeq: 0 } as const;
    return {
      userId: user.id,
      id: randomUUID(),
      title: `Talk ${n}`,
      titledBy: 'model' as const,
      createdAt: at,
      updatedAt: at,
      ...what,
    };
  });
  await db.query.insert(convos).values(rows);
  await db.end();
}
