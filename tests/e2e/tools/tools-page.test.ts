// The page of all tools: what is found on it, a service that is set up there, and what needs an administrator.
import { connect } from '@parley/db/client';
import { users } from '@parley/db/tables/users';
import { eq } from 'drizzle-orm';
import type { Locator } from 'playwright-core';
import { expect, test } from 'vitest';
import { soon, withApp } from '../../support/browser/app-fixture.ts';
import { expectAccessible } from '../../support/browser/axe.ts';
import { openTools } from '../../support/browser/add-menu.ts';
import { openNewChat } from '../../support/browser/chat.ts';
import { focused, openByPalette } from '../../support/browser/keyboard.ts';

const stage = withApp();

test('lists tools by where they come from, and finds them by names and descriptions', async () => {
  const { page } = await stage.open('alice');
  await openNewChat(page);
  await (await openTools(page)).getByRole('button', { name: 'All tools' }).click();
  await page.waitForURL('**/tools');
  const room = page.getByRole('main');
  await room.getByRole('heading', { name: 'Tools', level: 1 }).waitFor();
  await soon(() => focused(page)).toBe('Search tools');
  const builtin = room.getByRole('region', { name: 'Built in' });
  await builtin.getByTestId('tool-calculator').getByText('Ready').waitFor();
  await room.getByRole('region', { name: 'Services' }).getByTestId('tool-wolfram').getByText('Not set up').waitFor();
  await expectAccessible(page);

  await page.keyboard.type('mathematics, units');
  await soon(() => room.getByRole('listitem').count()).toBe(1);
  await room.getByRole('heading', { name: 'Wolfram' }).waitFor();
  await room.getByLabel('Search tools').fill('no such thing');
  await room.getByText('No tool matches your search.').waitFor();

  // The address leads here, and the way back to the chat.
  await page.reload();
  await builtin.waitFor();
  await page.goBack();
  await page.waitForURL('**/c/new');
});

test('sets up, changes and removes a service by key alone', async () => {
  const { page } = await stage.open('bob');
  await openNewChat(page);
  await openByPalette(page, 'All tools');
  const room = page.getByRole('main');
  const tavily = room.getByTestId('tool-tavily_search_results_json');
  await tavily.waitFor();
  const add = tavily.getByRole('button', { name: 'Add key Tavily Search' });
  const hasFocus = (button: Locator) => button.evaluate((one) => one === document.activeElement);
  while (!(await hasFocus(add))) await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  const form = page.getByRole('dialog', { name: 'Plugin store' });
  await form.locator('input:focus').waitFor();
  await page.keyboard.type('a key that is long enough');
  await page.keyboard.press('Enter');
  await form.waitFor({ state: 'detached' });
  await tavily.getByText('Uses your key').waitFor();
  await soon(() => hasFocus(tavily.getByRole('button', { name: 'Edit Tavily Search' }))).toBe(true);
  // What is set up stands first.
  await soon(() =>
    room.getByRole('region', { name: 'Services' }).getByRole('heading', { level: 3 }).first().innerText(),
  ).toBe('Tavily Search');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await soon(() => focused(page)).toBe('Confirm');
  await page.keyboard.press('Enter');
  await tavily.getByText('Not set up').waitFor();
  await soon(() => hasFocus(add)).toBe(true);
});

test('folds what needs an administrator, says why, and leads an administrator there', async () => {
  const { page } = await stage.open('carol');
  await page.goto('/tools');
  const closed = page.getByTestId('tool-web_search');
  await page.getByRole('region', { name: 'Built in' }).waitFor();
  expect(await closed.isVisible()).toBe(false);
  await page.getByText('Needs an administrator').click();
  await closed.getByText("Web search is not set up on this site. This site's administrator can change that.").waitFor();
  await expectAccessible(page);
  await page.getByText('Needs an administrator').click();
  await closed.waitFor({ state: 'hidden' });
  // A search shows it, too.
  await page.getByLabel('Search tools').fill('web search');
  await closed.waitFor();
  await page.getByLabel('Search tools').fill('');

  const db = connect(stage.app.database, { max: 1 });
  await db.query.update(users).set({ role: 'ADMIN' }).where(eq(users.email, 'carol@example.com'));
  await db.end();
  await page.reload();
  await page.getByText('Needs an administrator').click();
  await closed.getByRole('link', { name: 'Administration' }).click();
  await page.waitForURL('**/admin/tools');
});

test('fits a phone', async () => {
  const { page } = await stage.openElsewhere('dave', { viewport: { width: 390, height: 844 }, hasTouch: true });
  await page.goto('/tools');
  const room = page.getByRole('main');
  await room.getByRole('region', { name: 'Services' }).waitFor();
  await expectAccessible(page);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  const sides = await room
    .locator('button, a, summary')
    .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().height).filter((side) => side > 0 && side < 44));
  expect(sides).toEqual([]);
  await room.getByRole('button', { name: 'Add key Wolfram' }).click();
  await page.getByRole('dialog', { name: 'Plugin store' }).locator('input:focus').waitFor();
  await expectAccessible(page);
});
