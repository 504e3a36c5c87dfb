// The search in the open chat: over the whole thread, whatever of it is on screen.
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { soon, withApp } from '../../support/browser/app-fixture.ts';
import { expectAccessible } from '../../support/browser/axe.ts';
import { composer, openNewChat, openThread, thread } from '../../support/browser/chat.ts';
import { focused } from '../../support/browser/keyboard.ts';
import { text, threadsOf } from '../../support/browser/long-thread.ts';
import { threadLength } from '../../support/extent.ts';

const stage = withApp();
const insert = threadsOf(stage);

test('finds words in all of a long thread, goes from place to place, and gives the focus back', async () => {
  const { page } = await stage.open('alice');
  const { conversationId } = await insert('alice', threadLength);
  await page.goto(`/c/${conversationId}`);
  await text(page, `Message ${threadLength - 1}.`).waitFor();
  await composer(page).focus();
  await page.keyboard.press('Control+f');
  await field(page).waitFor();
  await soon(() => focused(page)).toBe('Find in this chat');
  // Once in the thread, far above the view.
  await page.keyboard.type('MESSAGE 7.');
  await soon(() => count(page)).toBe('1 of 1');
  await text(page, 'Message 7.').waitFor();
  await soon(() => present(page)).toEqual(['Message 7.', true]);
  await expectAccessible(page);

  await field(page).fill('line 3 of 1');
  await soon(() => count(page)).toMatch(/^\d+ of \d+$/);
  await page.locator('search:not([aria-busy])').waitFor();
  const [, first = '', all = ''] = /(\d+) of (\d+)/.exec(await count(page)) ?? [];
  expect(Number(all)).toBeGreaterThan(100);
  await page.keyboard.press('Enter');
  const next = (Number(first) % Number(all)) + 1;
  await soon(() => count(page)).toBe(`${next} of ${all}`);
  await page.keyboard.press('Shift+F3');
  await soon(() => count(page)).toBe(`${first} of ${all}`);
  await soon(() => present(page)).toEqual(['line 3 of 1', true]);
  // The second press is the browser's own search.
  expect(await isTaken(page, 'f')).toBe(false);
  await page.keyboard.press('Escape');
  await field(page).waitFor({ state: 'detached' });
  await soon(() => focused(page)).toMatch(/^Message/);
  expect(await page.evaluate(() => CSS.highlights.size)).toBe(0);
});

test('finds what is read: across marks, without accents, from right to left, in code, and not in addresses', async () => {
  const { page } = await stage.open('alice');
  await openNewChat(page);
  const answer = [
    'A **bold** word, a [link](https://hidden.example/path) and `code`.',
    'Crème brûlée; שלום עולם; مَرْحَبًا بالعالم.',
    '```ts\nconst wide = 1;\n```',
    '| Ünit | two |\n| - | - |\n| cell | x |',
  ].join('\n\n');
  await openThread(stage.app, 'alice', page, [`${'A long question. '.repeat(200)}needle`, answer]);
  await page.keyboard.press('Control+f');
  for (const [words, found] of [
    ['a bold word, a link', '1 of 1'],
    ['hidden.example', 'Not found'],
    ['creme BRULEE', '1 of 1'],
    ['עולם', '1 of 1'],
    ['مرحبا', '1 of 1'],
    ['const wide', '1 of 1'],
    ['unit', '1 of 1'],
    ['cell x', 'Not found'],
    // In the folded part of the question, which opens.
    ['needle', '1 of 1'],
  ] as const) {
    await field(page).fill(words);
    await soon(async () => [words, await count(page)]).toEqual([words, found]);
    if (found !== 'Not found') await soon(async () => (await present(page))[1]).toBe(true);
  }
  await page.getByRole('button', { name: 'Show less' }).waitFor();
});

test('finds in all branches on wish and shows them; the thread goes on while it is open', async () => {
  const { page } = await stage.open('alice');
  const { conversationId } = await insert('alice', 300, { parentAt: (n) => (n === 200 ? 99 : n - 1) });
  await page.goto(`/c/${conversationId}`);
  await text(page, 'Message 299.').waitFor();
  await page.keyboard.press('Control+f');
  await field(page).fill('Message 150.');
  await soon(() => count(page)).toBe('Not found');
  const all = page.getByRole('button', { name: 'All branches' });
  await all.click();
  await soon(() => all.getAttribute('aria-pressed')).toBe('true');
  await soon(() => count(page)).toBe('1 of 1');
  await text(page, 'Message 150.').waitFor();
  await soon(() => present(page)).toEqual(['Message 150.', true]);
});

test('opens by a key that is pressed before its code has loaded', async () => {
  const { page } = await stage.openElsewhere('alice', {});
  const { conversationId } = await insert('alice', 20);
  // The timer after which that code loads by itself never ends.
  await page.addInitScript(() => {
    const wait = window.setTimeout;
    Object.assign(window, { setTimeout: (run: () => void, ms?: number) => wait(run, ms === 500 ? 1e9 : ms) });
  });
  await page.goto(`/c/${conversationId}`);
  await text(page, 'Message 19.').waitFor();
  await page.keyboard.press('Control+f');
  await field(page).waitFor();
  await soon(() => focused(page)).toBe('Find in this chat');
});

test('is in the menu of the chat on a phone', async () => {
  const viewport = { width: 390, height: 844 };
  const { page } = await stage.openElsewhere('alice', { viewport, isMobile: true, hasTouch: true });
  const { conversationId } = await insert('alice', 20);
  await page.goto(`/c/${conversationId}`);
  await text(page, 'Message 19.').waitFor();
  await page.getByTestId('header-more').tap();
  await page.getByRole('menuitem', { name: 'Find in this chat' }).tap();
  await field(page).fill('message 3.');
  await soon(() => count(page)).toBe('1 of 1');
  await soon(() => present(page)).toEqual(['Message 3.', true]);
  // The search would cover the first words of all.
  await field(page).fill('message 0.');
  await soon(() => present(page)).toEqual(['Message 0.', true]);
  await soon(() => thread(page).isVisible()).toBe(true);
});

function field(page: Page) {
  return page.getByRole('search').getByLabel('Find in this chat');
}

async function count(page: Page): Promise<string> {
  return page.getByTestId('find-count').innerText();
}

/** The words of the present place, and whether it is in view: the search covers nothing of it. */
function present(page: Page): Promise<[string, boolean]> {
  return page.evaluate(() => {
    const [range] = CSS.highlights.get('find-present') ?? [];
    if (!(range instanceof Range)) return ['', false];
    const { top, bottom } = range.getBoundingClientRect();
    const view = range.startContainer.parentElement?.closest('[role=log]')?.getBoundingClientRect();
    const bar = document.querySelector('[data-find]')?.getBoundingClientRect();
    const edge = Math.max(view?.top ?? 0, bar?.bottom ?? 0);
    return [range.toString(), view !== undefined && top >= edge && bottom <= view.bottom];
  });
}

/** Whether the page keeps the key from the browser. */
function isTaken(page: Page, key: string): Promise<boolean> {
  return page.evaluate((name) => {
    const event = new KeyboardEvent('keydown', { key: name, ctrlKey: true, bubbles: true, cancelable: true });
    return !(document.activeElement ?? document.body).dispatchEvent(event);
  }, key);
}
