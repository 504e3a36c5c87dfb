// The interface in the languages of the world.
import { readdirSync, readFileSync } from 'node:fs';
import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { expectAccessible } from './axe.ts';
import { answered, ask, openNewChat } from './chat.ts';
import { soon, withApp } from './stage.ts';

const stage = withApp();

const locales = new URL('../../web/src/locales/', import.meta.url);
const languages = readdirSync(locales)
  .filter((file) => file.endsWith('.json'))
  .map((file) => file.replace('.json', ''));

const PHONE = { width: 390, height: 844 };
const DESK = { width: 1440, height: 900 };

test('a language is chosen in the settings, spoken at once, and after the page is loaded again', async () => {
  const { page } = await stage.openElsewhere('alice');
  await openNewChat(page);
  await ask(page, 'Herons at noon');
  await answered(page);
  const dialog = await openSettings(page, 'en-US');
  const select = dialog.getByTestId('language-selector');
  expect(await select.locator('option').count()).toBe(20);
  await select.selectOption('Deutsch');
  await page.getByRole('dialog', { name: said('de-DE', 'com_nav_settings') }).waitFor();
  await expectAccessible(page);
  expect(await page.locator('html').getAttribute('lang')).toBe('de-DE');
  await page.keyboard.press('Escape');
  await page.getByText(said('de-DE', 'com_ui_date_today'), { exact: true }).waitFor();

  await page.reload();
  await page.getByText(said('de-DE', 'com_ui_date_today'), { exact: true }).waitFor();
  expect(await page.evaluate(() => localStorage.getItem('lang'))).toBe('de-DE');
});

test('the language is the browser’s where none was chosen, from right to left, too', async () => {
  const { page } = await stage.visitor({ locale: 'ar', viewport: PHONE });
  await page.goto('/login');
  await page.getByRole('heading', { name: said('ar-EG', 'com_auth_welcome_back') }).waitFor();
  expect(await page.locator('html').getAttribute('dir')).toBe('rtl');
  await expectAccessible(page);
});

test('a language that cannot be fetched is said, and the one before it stays', async () => {
  const { page, tolerated } = await stage.openElsewhere('alice');
  tolerated.push(/ERR_FAILED/);
  await openNewChat(page);
  const select = (await openSettings(page, 'en-US')).getByTestId('language-selector');
  await page.route(/ja-JP/, (route) => route.abort());
  await select.selectOption('日本語');
  await page.getByTestId('toast').getByText('This language could not be loaded. Please try again.').waitFor();
  await soon(() => select.inputValue()).toBe('auto');
  expect(await page.evaluate(() => localStorage.getItem('lang'))).toBe(null);
  await page.unroute(/ja-JP/);
  await select.selectOption('日本語');
  await page.getByRole('dialog', { name: said('ja-JP', 'com_nav_settings') }).waitFor();
});

test('every language fits: signing in, a new chat, the settings', async () => {
  const { page } = await stage.openElsewhere('alice', { viewport: PHONE });
  const { page: door } = await stage.visitor({ viewport: PHONE });
  await openNewChat(page);
  await door.goto('/login');
  for (const language of languages) {
    for (const one of [door, page]) {
      await one.evaluate((chosen) => localStorage.setItem('lang', chosen), language);
      await one.reload();
    }
    await door.getByRole('heading', { name: said(language, 'com_auth_welcome_back') }).waitFor();
    expect(await widthOf(door), `${language}, signing in`).toBe(PHONE.width);
    await page.getByTestId('text-input').waitFor();
    expect(await widthOf(page), `${language}, a new chat`).toBe(PHONE.width);
    const dialog = await openSettings(page, language);
    expect(await widthOf(page), `${language}, the settings`).toBe(PHONE.width);
    expect(await overflowOf(dialog), `${language}, inside the settings`).toBe(0);
    await page.setViewportSize(DESK);
    for (const tab of await dialog.getByRole('tab').all())
      expect(await overflowOf(tab), `${language}, ${await tab.innerText()}`).toBe(0);
    await page.setViewportSize(PHONE);
  }
}, 180_000);

async function openSettings(page: Page, language: string): Promise<Locator> {
  const userMenu = page.getByTestId('nav-user');
  if (!(await userMenu.isVisible()))
    await page.getByRole('button', { name: said(language, 'com_nav_open_sidebar') }).click();
  await userMenu.click();
  await page.getByRole('menuitem', { name: said(language, 'com_nav_settings') }).click();
  const dialog = page.getByRole('dialog', { name: said(language, 'com_nav_settings'), exact: true });
  await dialog.waitFor();
  return dialog;
}

function said(language: string, key: string): string {
  const files =
    language === 'en-US'
      ? readdirSync(new URL('en-US/', locales)).map((file) => `en-US/${file}`)
      : [`${language}.json`];
  const sentences = Object.assign({}, ...files.map((file) => JSON.parse(readFileSync(new URL(file, locales), 'utf8'))));
  return sentences[key] ?? expect.fail(`${language} has no ${key}`);
}

function widthOf(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth);
}

function overflowOf(what: Locator): Promise<number> {
  return what.evaluate((element) => element.scrollWidth - element.clientWidth);
}
