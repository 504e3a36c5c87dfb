// Everything by typing.
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { expectAccessible } from '../../support/browser/axe.ts';
import { answered, ask, composer, conversation, openNewChat, thread } from '../../support/browser/chat.ts';
import { focused, group, notice, sidebar } from '../../support/browser/sidebar.ts';
import { searchable, soon, withApp } from '../../support/browser/app-fixture.ts';
import { inFullRun, testInFullRun, themes } from '../../support/extent.ts';

const stage = withApp();
const hasTalks = new Set<string>();

function field(page: Page) {
  return page.getByRole('dialog', { name: 'Commands' }).getByRole('combobox');
}

/** What Enter would choose. */
function active(page: Page): Promise<string> {
  return page.getByRole('option', { selected: true }).innerText();
}

async function openPalette(page: Page): Promise<void> {
  await page.keyboard.press('Control+k');
  await field(page).waitFor();
  await soon(() => focused(page)).toMatch(/^Search chats and commands/);
}

/** Types into the open palette and chooses what comes first. */
async function run(page: Page, words: string): Promise<void> {
  await openPalette(page);
  await page.keyboard.type(words);
  await page.keyboard.press('Enter');
}

async function withTalk(name: string): Promise<Page> {
  const { page } = await stage.open(name);
  await openNewChat(page);
  // A new chat takes the focus once it is there.
  await soon(() => focused(page)).toMatch(/^Message/);
  if (hasTalks.has(name)) return page;
  hasTalks.add(name);
  await ask(page, 'Lighthouses on the coast');
  await answered(page);
  await conversation(page, 'Lighthouses on the Coast').waitFor();
  await searchable(stage.app);
  await openNewChat(page);
  await soon(() => focused(page)).toMatch(/^Message/);
  return page;
}

test('it opens and closes by one shortcut, wraps around by arrow keys, and returns the focus', async () => {
  const page = await withTalk('alice');
  await soon(() => focused(page)).toMatch(/^Message/);
  await openPalette(page);
  await soon(() => active(page)).toContain('Lighthouses on the Coast');
  await page.keyboard.press('ArrowDown');
  await soon(() => active(page)).toMatch(/New chat\s+Ctrl Shift O/);
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('ArrowUp');
  await soon(() => active(page)).toContain('Log out');
  const described = await field(page).getAttribute('aria-activedescendant');
  await soon(() => page.getByRole('option', { selected: true }).getAttribute('id')).toBe(described);

  await page.keyboard.press('Escape');
  await field(page).waitFor({ state: 'detached' });
  await soon(() => focused(page)).toMatch(/^Message/);
  await openPalette(page);
  await page.keyboard.press('Control+k');
  await field(page).waitFor({ state: 'detached' });
  await soon(() => focused(page)).toMatch(/^Message/);
});

test('a conversation is found by its title, a message by its words; Enter and a click open it', async () => {
  const page = await withTalk('alice');
  await openPalette(page);
  await page.keyboard.type('coast light');
  await soon(() => active(page)).toContain('Lighthouses on the Coast');
  await page.keyboard.press('Enter');
  await thread(page).getByText('Lighthouses on the coast').first().waitFor();

  await openNewChat(page);
  await openPalette(page);
  await page.keyboard.type('lighthouses on');
  const hit = page.getByRole('group', { name: 'Messages' }).getByRole('option').nth(1);
  await soon(() => hit.locator('mark').count()).toBeGreaterThan(0);
  await expectAccessible(page);
  await hit.click();
  await page.waitForURL(/\/c\/[-0-9a-f]{36}/);
  await thread(page).getByText('Lighthouses on the coast').first().waitFor();
});

test('the typed text can be searched for in all messages', async () => {
  const page = await withTalk('alice');
  await openPalette(page);
  await page.keyboard.type('coast & sea');
  await page.getByRole('option', { name: 'Search messages for' }).click();
  await page.waitForURL('**/c/search?q=coast%20%26%20sea');
});

testInFullRun(
  'commands cover a new chat, the sidebar, the theme, lists in dialogs and the open conversation',
  async () => {
    const page = await withTalk('alice');
    await run(page, 'show or hide');
    await sidebar(page).waitFor({ state: 'hidden' });
    await run(page, 'show or hide');
    await sidebar(page).waitFor();

    await run(page, 'theme dark');
    await soon(() => page.evaluate(() => document.documentElement.getAttribute('data-mantine-color-scheme'))).toBe(
      'dark',
    );
    await run(page, 'theme system');

    for (const [words, name] of [
      ['shortcuts', 'Keyboard shortcuts'],
      ['archived', 'Archived chats'],
      ['recently', 'Recently deleted'],
      ['new folder', 'New folder'],
      ['bin', 'Recently deleted'],
      ['my files', 'My files'],
    ] as const) {
      await run(page, words);
      await page.getByRole('dialog', { name }).waitFor();
      if (words !== 'bin') await expectAccessible(page);
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await soon(() => focused(page)).toMatch(/^Message/);
    }

    await conversation(page, 'Lighthouses on the Coast').getByRole('link').click();
    await thread(page).getByText('Lighthouses on the coast').first().waitFor();
    await run(page, 'rename');
    const title = page.locator('header').getByRole('textbox', { name: 'Title' });
    await soon(() => title.evaluate((field) => field === document.activeElement)).toBe(true);
    await title.fill('Towers on the coast');
    await title.press('Enter');
    await conversation(page, 'Towers on the coast').waitFor();
    await run(page, 'rename');
    await title.fill('Lighthouses on the Coast');
    await title.press('Enter');
    await conversation(page, 'Lighthouses on the Coast').waitFor();
    await run(page, 'share');
    await page.getByRole('dialog', { name: /share/i }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await run(page, 'pin');
    await soon(() => group(page, 'Pinned').allInnerTexts()).toEqual(['Lighthouses on the Coast']);
    await run(page, 'unpin');
    await soon(() => group(page, 'Pinned').count()).toBe(0);
    await run(page, 'archive');
    await notice(page, 'Chat archived').waitFor();
    await soon(() => conversation(page, 'Lighthouses on the Coast').count()).toBe(0);
    await run(page, 'bring back');
    await conversation(page, 'Lighthouses on the Coast').waitFor();
    await run(page, 'new chat');
    await page.waitForURL('**/c/new');
    await soon(() => focused(page)).toMatch(/^Message/);
  },
);

testInFullRun('a failed search is reported', async () => {
  const { tolerated } = await stage.open('alice');
  tolerated.push(/status of 400/);
  const page = await withTalk('alice');
  await page.route('**/trpc/*convos.search?*', (route) =>
    route.fulfill({ status: 400, contentType: 'application/json', body: '[{"error":{"message":"no","code":-32600}}]' }),
  );
  await openPalette(page);
  await page.keyboard.type('bread');
  await page.getByRole('dialog', { name: 'Commands' }).getByRole('alert').waitFor();
  await page.unrouteAll({ behavior: 'wait' });
  await page.keyboard.press('Escape');
  await field(page).waitFor({ state: 'detached' });
});

testInFullRun('an empty result is reported', async () => {
  const page = await withTalk('alice');
  await page.route('**/trpc/*convos.searchEnabled*', async (route) => {
    const answer = await route.fetch();
    await route.fulfill({ response: answer, body: (await answer.text()).replaceAll('true', 'false') });
  });
  await page.reload();
  await composer(page).waitFor();
  await soon(() => page.getByRole('searchbox').count()).toBe(0);
  await openPalette(page);
  await page.keyboard.type('xyzzy');
  await page.getByRole('dialog').getByText('Nothing found').waitFor();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Escape');
  await field(page).waitFor({ state: 'detached' });
});

test('one list shows every shortcut', async () => {
  const page = await withTalk('alice');
  await page.keyboard.press('Control+/');
  const dialog = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await dialog.getByText('Ctrl Shift O').waitFor();
  await page.keyboard.press('Control+/');
  await dialog.waitFor({ state: 'detached' });
  await soon(() => focused(page)).toMatch(/^Message/);
});

describe.each(inFullRun(themes))('in the %s theme', (colorScheme) => {
  test('it has no accessibility violations and fits a phone', async () => {
    await withTalk('alice');
    const viewport = { width: 390, height: 844 };
    const { page } = await stage.openElsewhere('alice', { colorScheme, viewport, isMobile: true, hasTouch: true });
    await page.goto('/c/new');
    await page.getByRole('button', { name: 'Open sidebar' }).tap();
    await page.getByRole('link', { name: 'Search', exact: true }).tap();
    await page.getByRole('button', { name: 'Commands' }).tap();
    await field(page).waitFor();
    await expectAccessible(page);
    const dialog = await page.getByRole('dialog', { name: 'Commands' }).boundingBox();
    expect(dialog?.width).toBeGreaterThan(360);
    await soon(() => page.getByText('Ctrl Shift O').filter({ visible: true }).count()).toBe(0);
    await page.getByRole('option', { name: 'New chat' }).tap();
    await field(page).waitFor({ state: 'detached' });
  });
});
