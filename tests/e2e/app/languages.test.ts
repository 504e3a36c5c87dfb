// The interface in the languages of the world.
import { readdirSync, readFileSync } from 'node:fs';
import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { expectAccessible } from '../../support/browser/axe.ts';
import { openNewChat } from '../../support/browser/chat.ts';
import { pickOption } from '../../support/browser/pick-option.ts';
import { seedTalks } from '../../support/browser/sidebar.ts';
import { soon, withApp } from '../../support/browser/app-fixture.ts';
import { isFullRun, testInFullRun } from '../../support/extent.ts';
import { ownName } from '../../../web/src/languages.ts';

const stage = withApp();

const locales = new URL('../../../web/src/locales/', import.meta.url);
const languages = readdirSync(locales)
  .filter((file) => file.endsWith('.json'))
  .map((file) => file.replace('.json', ''));

/** Whose words are long, whose letters are other ones, and who reads from right to left. */
const seen = isFullRun ? languages : ['de-DE', 'ar-EG', 'ja-JP'];

const PHONE = { width: 390, height: 844 };
const DESK = { width: 1440, height: 900 };

testInFullRun('a language that cannot be loaded is reported, and the previous one stays', async () => {
  const { page, tolerated } = await stage.open('alice');
  tolerated.push(/ERR_FAILED/);
  await openNewChat(page);
  const select = (await openSettings(page, await spokenIn(page))).getByTestId('language-selector');
  await page.route(/ja-JP/, (route) => route.abort());
  await pickOption(select, '日本語');
  await page.getByTestId('toast').getByText('This language could not be loaded. Please try again.').waitFor();
  await soon(() => select.inputValue()).toBe('Browser default');
  expect(await page.evaluate(() => localStorage.getItem('lang'))).toBe(null);
  await page.unroute(/ja-JP/);
  await pickOption(select, '日本語');
  const dialog = page.getByRole('dialog', { name: said('ja-JP', 'com_nav_settings') });
  await dialog.waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
});

test('a language chosen in the settings applies at once and after a reload', async () => {
  const { page } = await stage.open('alice');
  await seedTalks(stage.app, 'alice', 1);
  await page.goto('/c/new');
  await page.getByTestId('convo-item').waitFor();
  const select = (await openSettings(page, await spokenIn(page))).getByTestId('language-selector');
  await select.press('ArrowDown');
  await soon(() => page.getByRole('listbox').getByRole('option').count()).toBe(20);
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  // Escape closes the list first.
  await soon(() => page.getByRole('listbox').getByRole('option').count()).toBe(0);
  await pickOption(select, 'Deutsch');
  await page.getByRole('dialog', { name: said('de-DE', 'com_nav_settings') }).waitFor();
  await expectAccessible(page);
  await soon(() => spokenIn(page)).toBe('de-DE');
  await page.keyboard.press('Escape');
  await page.getByText(said('de-DE', 'com_ui_date_today'), { exact: true }).waitFor();

  await page.reload();
  await page.getByText(said('de-DE', 'com_ui_date_today'), { exact: true }).waitFor();
  expect(await page.evaluate(() => localStorage.getItem('lang'))).toBe('de-DE');
});

test('the language follows the browser unless one is chosen, right to left included, and the sign-in page fits', async () => {
  const { page } = await stage.visitor({ locale: 'ar', viewport: PHONE });
  await page.goto('/login');
  await page.getByRole('heading', { name: said('ar-EG', 'com_auth_welcome_back') }).waitFor();
  await soon(() => page.locator('html').getAttribute('dir')).toBe('rtl');
  await expectAccessible(page);
  expect(await widthOf(page), 'ar-EG').toBe(PHONE.width);
  for (const language of seen.filter((one) => one !== 'ar-EG')) {
    await page.evaluate((chosen) => localStorage.setItem('lang', chosen), language);
    await page.reload();
    await page.getByRole('heading', { name: said(language, 'com_auth_welcome_back') }).waitFor();
    expect(await widthOf(page), language).toBe(PHONE.width);
  }
}, 180_000);

testInFullRun(
  'no text overflows in a new chat and in the settings',
  async () => {
    const { page } = await stage.open('alice');
    await page.setViewportSize(DESK);
    await page.goto('/c/new');
    await page.getByTestId('text-input').waitFor();
    let language = await spokenIn(page);
    for (const next of seen) {
      const before = await openSettings(page, language);
      if (next !== language) await pickOption(before.getByTestId('language-selector'), ownName(next));
      language = next;
      const dialog = settingsIn(page, language);
      await dialog.waitFor();
      for (const tab of await dialog.getByRole('tab').all())
        expect(await overflowOf(tab), `${language}, ${await tab.innerText()}`).toBe(0);
      await page.setViewportSize(PHONE);
      expect(await widthOf(page), `${language}, the settings`).toBe(PHONE.width);
      expect(await overflowOf(dialog), `${language}, inside the settings`).toBe(0);
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
      expect(await widthOf(page), `${language}, a new chat`).toBe(PHONE.width);
      await page.setViewportSize(DESK);
    }
  },
  180_000,
);

async function openSettings(page: Page, language: string): Promise<Locator> {
  await page.getByTestId('nav-user').click();
  await page.getByRole('menuitem', { name: said(language, 'com_nav_settings') }).click();
  const dialog = settingsIn(page, language);
  await dialog.waitFor();
  return dialog;
}

function settingsIn(page: Page, language: string): Locator {
  return page.getByRole('dialog', { name: said(language, 'com_nav_settings'), exact: true });
}

async function spokenIn(page: Page): Promise<string> {
  return (await page.locator('html').getAttribute('lang')) ?? '';
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
