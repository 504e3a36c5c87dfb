// The plugin store: a plugin is installed with a key, offered as a tool, and uninstalled again.
import { test } from 'vitest';
import { ADD, openTools } from '../../support/browser/add-menu.ts';
import { soon, withApp } from '../../support/browser/app-fixture.ts';
import { expectAccessible } from '../../support/browser/axe.ts';
import { openNewChat } from '../../support/browser/chat.ts';
import { focused } from '../../support/browser/keyboard.ts';

const stage = withApp();

test('a plugin is installed with its key, used in a chat, and leaves it when it is uninstalled', async () => {
  const { page } = await stage.open('alice');
  await openNewChat(page);
  const menu = await openTools(page);
  await menu.getByRole('button', { name: 'All tools' }).click();
  const open = page.getByRole('button', { name: 'Plugin store' });
  await open.click();
  const store = page.getByRole('dialog', { name: 'Plugin store' });
  await store.getByLabel('Search tools').fill('tavily');
  const install = store.getByRole('button', { name: 'Add Tavily Search' });
  await install.click();
  const key = store.locator('input[name=TAVILY_API_KEY]:focus');
  await key.waitFor();
  // The form is left, not the store.
  await page.keyboard.press('Escape');
  await soon(() => focused(page)).toBe('Add Tavily Search');
  await page.keyboard.press('Enter');
  await key.waitFor();
  await expectAccessible(page);
  const save = store.getByRole('button', { name: 'Save' });
  await page.keyboard.type('too short');
  await soon(() => save.isDisabled()).toBe(true);
  await page.keyboard.type(' a key no longer');
  await page.keyboard.press('Enter');
  const uninstall = store.getByRole('button', { name: 'Remove Tavily Search' });
  await uninstall.waitFor();
  await soon(() => focused(page)).toBe('Remove Tavily Search');
  await page.keyboard.press('Escape');
  await store.waitFor({ state: 'detached' });
  await soon(() => focused(page)).toBe('Plugin store');

  await page.goBack();
  await openTools(page);
  const tavily = menu.getByRole('switch', { name: 'Tavily Search' });
  await soon(() => tavily.isEnabled()).toBe(true);
  await tavily.press('Space');
  await page.getByRole('button', { name: 'Switch off Tavily Search' }).waitFor();
  await menu.getByRole('button', { name: 'All tools' }).click();
  await open.click();
  await store.getByLabel('Search tools').fill('tavily');
  await uninstall.click();
  await install.waitFor();
  await page.keyboard.press('Escape');
  await page.goBack();
  await page.getByRole('button', { name: 'Switch off Tavily Search' }).waitFor({ state: 'detached' });

  // The menu has what can be used; the rest is behind one row, and leads to the key that it needs.
  await openTools(page);
  await soon(() => menu.getByRole('switch', { disabled: true }).count()).toBe(0);
  await menu.getByRole('button', { name: /^More tools, \d+ of which need a key$/ }).click();
  await menu.getByRole('button', { name: 'Add the key of Tavily Search' }).click();
  await key.waitFor();
  await page.keyboard.type('a key that is long enough');
  await page.keyboard.press('Enter');
  await store.waitFor({ state: 'detached' });
  await soon(() => focused(page)).toBe(ADD);
  await page.keyboard.press('Enter');
  await page.getByRole('menuitem', { name: 'Tools' }).press('Enter');
  await menu.getByLabel('Search tools').waitFor();
  await page.keyboard.type('tavily');
  await soon(() => tavily.isEnabled()).toBe(true);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Space');
  await page.getByRole('button', { name: 'Switch off Tavily Search' }).waitFor();
});
