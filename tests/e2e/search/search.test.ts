// Finding again what was said.
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { testInFullRun } from '../../support/extent.ts';
import { expectAccessible } from '../../support/browser/axe.ts';
import { answered, ask, composer, conversation, openNewChat, thread } from '../../support/browser/chat.ts';
import { choose, focused, sidebar, titles } from '../../support/browser/sidebar.ts';
import { searchable, soon, withApp } from '../../support/browser/app-fixture.ts';

const stage = withApp();
let hasTalks = false;

function box(page: Page) {
  return page.getByRole('searchbox', { name: 'Search messages' });
}

function results(page: Page) {
  return page.getByRole('region', { name: 'Search results' });
}

/** The words of the search that are marked in the thread. */
function markedWords(page: Page): Promise<string[]> {
  return page.evaluate(() => [...(CSS.highlights.get('found-words') ?? [])].map(String));
}

async function withTalks(): Promise<Page> {
  const { page } = await stage.open('alice');
  await openNewChat(page);
  // A new chat takes the focus once it is there.
  await soon(() => focused(page)).toMatch(/^Message/);
  if (hasTalks) return page;
  hasTalks = true;
  for (const question of ['Lighthouses on the coast', 'Bread with seeds']) {
    await openNewChat(page);
    await ask(page, question);
    await answered(page);
  }
  await conversation(page, 'Lighthouses on the Coast').waitFor();
  await conversation(page, 'Bread with Seeds').waitFor();
  await searchable(stage.app);
  await openNewChat(page);
  await soon(() => focused(page)).toMatch(/^Message/);
  return page;
}

test('typed text is searched for after a delay; a hit is marked and opens its message', async () => {
  const page = await withTalks();
  await box(page).click();
  await page.keyboard.type('lighthouses');
  await page.waitForURL('**/c/search?q=lighthouses');
  await results(page).getByRole('link').first().waitFor();
  await soon(() => results(page).locator('mark').first().innerText()).toMatch(/^lighthouses$/i);
  await results(page).getByText('Found in 1 chat', { exact: true }).waitFor();
  await soon(() => composer(page).count()).toBe(0);
  await soon(() => page.title()).toBe('Search · Parley');
  await soon(() => focused(page)).toBe('Search messages');
  await expectAccessible(page);

  const hit = results(page).getByRole('link').filter({ hasText: 'Lighthouses on the coast' });
  const address = await hit.last().getAttribute('href');
  expect(address).toMatch(/^\/c\/[-0-9a-f]{36}\?message=[-0-9a-f]{36}$/);
  await hit.last().click();
  // The thread goes to the message, and then the address is that of its conversation.
  await page.waitForURL((url) => url.pathname === address?.split('?')[0]);
  await thread(page).getByText('Lighthouses on the coast').first().waitFor();
  await soon(() => markedWords(page)).toContain('Lighthouses');
  await page.keyboard.press('Escape');
  await soon(() => markedWords(page)).toEqual([]);

  await page.goBack();
  await results(page).getByRole('link').first().waitFor();
  await soon(() => box(page).inputValue()).toBe('lighthouses');
});

test('the box is cleared by its button or Escape, which returns to the previous place', async () => {
  const page = await withTalks();
  await conversation(page, 'Bread with Seeds').getByRole('link').click();
  await thread(page).getByText('Bread with seeds').first().waitFor();
  const { pathname } = new URL(page.url());
  await box(page).fill('coast');
  await page.waitForURL('**/c/search?q=coast');
  await page.getByRole('button', { name: 'Clear the search' }).click();
  await page.waitForURL(`**${pathname}`);
  await soon(() => box(page).inputValue()).toBe('');
  await soon(() => focused(page)).not.toBe('body');

  await box(page).fill('coast');
  await page.waitForURL('**/c/search?q=coast');
  await box(page).press('Escape');
  await page.waitForURL(`**${pathname}`);
  await soon(() => box(page).inputValue()).toBe('');
});

testInFullRun('a query too long for an address is searched for, and cut in the address only', async () => {
  const page = await withTalks();
  const text = Array.from({ length: 600 }, (_, n) => String.fromCodePoint(0x4e00 + n)).join('');
  await ask(page, text);
  await answered(page);
  await box(page).fill(text);
  await page.waitForURL('**/c/search?q=*');
  expect(new URL(page.url()).searchParams.get('q')).toBe(text.slice(0, 500));
  await results(page).getByRole('link').filter({ hasText: 'You' }).waitFor();
  await page.reload();
  await results(page).getByRole('link').filter({ hasText: 'You' }).waitFor();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(page.viewportSize()?.width);

  await page.keyboard.press('Control+k');
  const palette = page.getByRole('dialog', { name: 'Commands' });
  await palette.getByRole('combobox').fill(text);
  await palette.getByRole('option').nth(1).waitFor();
  await page.keyboard.press('Escape');
  await palette.waitFor({ state: 'detached' });
});

test('by keyboard: Enter searches at once, arrow keys move through the hits, Enter opens one', async () => {
  const page = await withTalks();
  await box(page).focus();
  await page.keyboard.type('coast');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/c/search?q=coast');
  await results(page).getByRole('link').first().waitFor();
  await page.keyboard.press('ArrowDown');
  await soon(() => focused(page)).toBe('Lighthouses on the Coast');
  await page.keyboard.press('ArrowDown');
  await soon(() => focused(page)).toContain('You');
  await page.keyboard.press('ArrowUp');
  await soon(() => focused(page)).toBe('Lighthouses on the Coast');
  await page.keyboard.press('Enter');
  await thread(page).getByText('Lighthouses on the coast').first().waitFor();
});

testInFullRun('a failed search is reported and can be retried', async () => {
  const { tolerated } = await stage.open('alice');
  tolerated.push(/status of 400/);
  const page = await withTalks();
  await page.route('**/trpc/*convos.search?*', (route) =>
    route.fulfill({ status: 400, contentType: 'application/json', body: '[{"error":{"message":"no","code":-32600}}]' }),
  );
  await box(page).fill('bread');
  await results(page).getByRole('alert').waitFor();
  await page.unrouteAll({ behavior: 'wait' });
  await results(page).getByRole('button', { name: 'Try again' }).click();
  await results(page).getByRole('link').first().waitFor();
});

testInFullRun('on a phone the search page has its own box outside the drawer', async () => {
  await withTalks();
  const { page } = await stage.openElsewhere('alice', {
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
    colorScheme: 'dark',
  });
  await page.goto('/c/new');
  await page.getByRole('button', { name: 'Open sidebar' }).tap();
  await sidebar(page).getByRole('link', { name: 'Search' }).tap();
  await page.waitForURL('**/c/search');
  await sidebar(page).waitFor({ state: 'hidden' });
  await page.getByText('Type to search all your chats.').waitFor();
  await soon(() => page.getByText('Ctrl K').filter({ visible: true }).count()).toBe(0);
  await box(page).fill('coast');
  await results(page).getByRole('link').first().waitFor();
  await expectAccessible(page);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  await page.getByRole('button', { name: 'Open sidebar' }).tap();
  await soon(() => titles(page)).toEqual(expect.arrayContaining(['Bread with Seeds', 'Lighthouses on the Coast']));
});

test('the sidebar lists the hits, where they can be renamed and selected, and everything again afterwards', async () => {
  const page = await withTalks();
  await box(page).fill('bread');
  await soon(() => titles(page)).toEqual(['Bread with Seeds']);
  await choose(page, 'Bread with Seeds', 'Rename');
  await page.getByRole('textbox', { name: 'Title' }).and(page.locator(':focus')).waitFor();
  await page.keyboard.type('Loaves');
  await page.keyboard.press('Enter');
  await soon(() => titles(page)).toEqual(['Loaves']);
  await results(page).getByRole('link', { name: 'Loaves' }).waitFor();

  await box(page).fill('xyzzy plugh');
  await sidebar(page).getByText('Nothing found', { exact: true }).waitFor();
  await results(page).getByText('Nothing found', { exact: true }).waitFor();
  await soon(() => titles(page)).toEqual([]);
  await expectAccessible(page);

  await box(page).fill('seeds');
  await soon(() => titles(page)).toEqual(['Loaves']);
  await choose(page, 'Loaves', 'Select');
  await page.getByRole('button', { name: 'All', exact: true }).click();
  await page.getByText('1 selected', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Stop selecting' }).click();

  await conversation(page, 'Loaves').getByTestId('convo-item').click();
  await thread(page).getByText('Bread with seeds').first().waitFor();
  await soon(() => titles(page)).toContain('Lighthouses on the Coast');
});
