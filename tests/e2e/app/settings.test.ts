// The settings of an account, in all its browsers.
import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { expectAccessible } from '../../support/browser/axe.ts';
import { soon, withApp } from '../../support/browser/app-fixture.ts';
import { focused } from '../../support/browser/keyboard.ts';
import { inFullRun, testInFullRun } from '../../support/extent.ts';
import {
  answered,
  apiOf,
  ask,
  composer,
  holdAnswer,
  messages,
  openId,
  openNewChat,
  visit,
} from '../../support/browser/chat.ts';
import { notice } from '../../support/browser/sidebar.ts';

const stage = withApp();

test('a setting that is changed at the desk acts there at once, and on the phone', async () => {
  const { page: desk } = await stage.open('alice');
  const { page: phone } = await stage.open('alice', 'phone');
  await openNewChat(phone);
  const dialog = await openSettings(desk);
  await dialog.getByText('Send with Enter').click();
  await dialog.getByRole('tab', { name: 'Appearance' }).click();
  await dialog.getByTestId('textSize-selector').selectOption('large');
  await expectAccessible(desk);
  const before = await dialog.boundingBox();
  await dialog.getByRole('tab', { name: 'Account' }).click();
  await dialog.getByText('Show my name beside my messages').click();
  expect((await dialog.boundingBox())?.height).toBe(before?.height);
  await desk.keyboard.press('Escape');

  await soon(() => stored(phone, 'enterToSend')).toBe('false');
  await soon(() => stored(phone, 'textSize')).toBe('large');
  await soon(() => phone.evaluate(() => document.documentElement.dataset.textSize)).toBe('large');

  await openNewChat(desk);
  await composer(desk).fill('One line');
  await composer(desk).press('Enter');
  await composer(desk).pressSequentially('and another');
  await soon(() => composer(desk).inputValue()).toBe('One line\nand another');
  await composer(desk).press('Control+Enter');
  await desk.waitForURL(/\/c\/[\da-f-]{36}$/);
  await answered(desk);
  await messages(desk).first().getByText('alice', { exact: false }).first().waitFor();
  await visit(phone, `/c/${openId(desk)}`);
  await messages(phone).first().getByText('and another').waitFor();
});

test('settings that arrive after newer ones are not taken', async () => {
  const { page } = await stage.open('bob');
  await openNewChat(page);
  const { settings } = await apiOf(stage.app, 'bob');
  const older = await holdAnswer(page, /settings\.list/);
  await settings.set.mutate({ textSize: 'small' });
  await older.isRead;
  await settings.set.mutate({ textSize: 'large' });
  await soon(() => stored(page, 'textSize')).toBe('large');
  const arrived = page.waitForEvent('requestfinished', (request) => request.url().includes('settings.list'));
  await Promise.all([arrived, older.release()]);
  await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
  expect(await stored(page, 'textSize')).toBe('large');
});

test('a dialog whose code is on its way says that it is loading', async () => {
  const { page } = await stage.openElsewhere('alice');
  await openNewChat(page);
  await page.getByTestId('nav-user').click();
  const row = page.getByRole('menuitem', { name: 'Settings' });
  await row.waitFor();
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  await page.route(/settings-dialog.*\.js$/, async (route) => {
    await released;
    await route.continue();
  });
  await row.click();
  const loading = page.getByRole('status').filter({ hasText: 'Loading…' });
  await loading.waitFor();
  await soon(() => loading.evaluate((one) => getComputedStyle(one).opacity)).toBe('1');
  await expectAccessible(page);
  release();
  await page.getByRole('dialog', { name: 'Settings' }).waitFor();
  await loading.waitFor({ state: 'detached' });
});

test('a search finds settings of all sections; chats are deleted without asking; everything is exported', async () => {
  const { page } = await stage.open('bob');
  await openNewChat(page);
  await ask(page, 'To be deleted');
  await answered(page);
  const dialog = await openSettings(page);
  const search = dialog.getByRole('searchbox', { name: 'Search settings' });
  await search.fill('without delete');
  await dialog.getByText('Delete chats without asking').click();
  await soon(() => dialog.getByRole('heading', { level: 2 }).allInnerTexts()).not.toContain('Tools');
  await search.fill('nothing like it');
  await dialog.getByText('No setting has these words.').waitFor();
  await expectAccessible(page);
  await search.press('Escape');
  await dialog.getByRole('tab', { name: 'Chats and files' }).click();
  await dialog.getByRole('button', { name: 'Import chats' }).click();
  await leave(page, 'Import chats');
  await soon(() => focused(page)).toBe('Import chats');
  const download = page.waitForEvent('download');
  await dialog.getByTestId('export-all').click();
  expect((await download).suggestedFilename()).toMatch(/^parley-export-\d{4}-\d\d-\d\d\.zip$/);
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  const row = page.getByTestId('convo-item').first();
  await row.hover();
  await row.click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await notice(page, 'Chat deleted').waitFor();
  await soon(() => page.getByTestId('convo-item').count()).toBe(0);
});

testInFullRun('a section begins at its top, wherever the one before was scrolled, in any window', async () => {
  const { page } = await stage.openElsewhere('carol', { viewport: { width: 1440, height: 700 } });
  const dialog = await openSettings(page);
  for (const size of [
    { width: 1440, height: 700 },
    { width: 1440, height: 400 },
    { width: 390, height: 480 },
  ]) {
    await page.setViewportSize(size);
    const isPhone = size.width < 768;
    for (const name of ['Security', 'Keyboard']) {
      if (isPhone) await dialog.getByRole('button', { name: 'All settings' }).click();
      await dialog.getByRole(isPhone ? 'button' : 'tab', { name, exact: true }).click();
      const panel = dialog.getByRole(isPhone ? 'region' : 'tabpanel', { name });
      await soon(() => topsOf(panel)).toEqual({ panel: 0, dialog: 0 });
      const { panel: below, dialog: behind } = await scrollDown(panel);
      expect(Math.min(below, behind), 'two scrollers').toBe(0);
      expect(Math.max(below, behind)).toBeGreaterThan(100);
    }
  }
});

test.each(inFullRun(['light', 'dark'] as const))(
  'edges of fields and switches stand out in the %s theme',
  async (theme) => {
    const { page } = await stage.openElsewhere('dave', { colorScheme: theme });
    const dialog = await openSettings(page);
    const edge = await page.evaluate('getComputedStyle(document.documentElement).getPropertyValue("--p-edge")');
    const track = dialog.getByTestId('wideMode').locator('+ *');
    const colours = [
      await track.evaluate((shape) => getComputedStyle(shape).backgroundColor),
      await dialog.getByTestId('textSize-selector').evaluate((field) => getComputedStyle(field).borderTopColor),
    ];
    expect(colours).toEqual([rgbOf(String(edge)), rgbOf(String(edge))]);
  },
);

test('a dialog that a found row opens returns to what was found, and the settings to the button of their menu', async () => {
  const { page } = await stage.open('alice');
  const dialog = await openSettings(page);
  await dialog.getByRole('searchbox').fill('recently deleted');
  const open = dialog.getByRole('button', { name: 'Open Recently deleted' });
  await open.click();
  await leave(page, 'Recently deleted');
  await soon(() => open.evaluate((one) => one === document.activeElement)).toBe(true);
  expect(await dialog.getByRole('searchbox').inputValue()).toBe('recently deleted');
  await leave(page, 'Settings');
  await soon(() => page.getByTestId('nav-user').evaluate((one) => one === document.activeElement)).toBe(true);
});

async function leave(page: Page, name: string): Promise<void> {
  const dialog = page.getByRole('dialog', { name });
  await dialog.waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
}

function topsOf(panel: Locator): Promise<{ panel: number; dialog: number }> {
  return panel.evaluate((element) => ({
    panel: element.scrollTop,
    dialog: element.closest('[role="dialog"]')?.scrollTop ?? -1,
  }));
}

function scrollDown(panel: Locator): Promise<{ panel: number; dialog: number }> {
  return panel.evaluate((element) => {
    const dialog = element.closest('[role="dialog"]') ?? element;
    for (const scroller of [element, dialog]) scroller.scrollTop = 9999;
    return { panel: element.scrollTop, dialog: dialog.scrollTop };
  });
}

function rgbOf(hex: string): string {
  return `rgb(${[1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)).join(', ')})`;
}

async function openSettings(page: Page): Promise<Locator> {
  await openNewChat(page);
  await page.getByTestId('nav-user').click();
  await page.getByRole('menuitem', { name: 'Settings' }).click();
  const dialog = page.getByRole('dialog', { name: 'Settings' });
  await dialog.waitFor();
  return dialog;
}

function stored(page: Page, key: string): Promise<string | null> {
  return page.evaluate((name) => localStorage.getItem(name), key);
}
