// The bar of a plugins conversation: its plugins, its agent and its model, in the header; one button on a phone.
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { soon, withApp } from '../../support/browser/app-fixture.ts';
import { expectAccessible } from '../../support/browser/axe.ts';
import { answered, ask, lastMessage, openNewChat } from '../../support/browser/chat.ts';
import { focused } from '../../support/browser/keyboard.ts';
import { pickOption } from '../../support/browser/pick-option.ts';
import { inFullRun } from '../../support/extent.ts';

const stage = withApp();

/** Picks a model of the plugins endpoint. */
async function openPlugins(page: Page): Promise<void> {
  await openNewChat(page);
  await page.locator('#new-conversation-menu').first().click();
  await page.getByTestId('endpoint-item-gptPlugins').click();
  await page.getByTestId('plugin-bar').waitFor();
}

function panel(page: Page) {
  return page.getByRole('dialog', { name: 'Plugins and agent' });
}

test('plugins are chosen and the classic agent is set in the header, and an answer comes from them', async () => {
  const { page } = await stage.open('alice');
  await openPlugins(page);
  const bar = page.getByTestId('plugin-bar');
  await bar.getByRole('button', { name: 'Plugins' }).click();
  await panel(page).getByRole('switch', { name: 'Calculator' }).press('Space');
  await bar.getByRole('button', { name: 'Plugins 1' }).waitFor();
  await bar.getByRole('button', { name: 'Agent' }).click();
  await panel(page).getByRole('switch', { name: 'Use functions' }).press('Space');
  await pickOption(panel(page).getByRole('combobox', { name: 'Agent model' }), 'gpt-4');
  await expectAccessible(page);
  await panel(page).getByText('Model', { exact: true }).click();
  await panel(page).getByRole('slider', { name: 'Top P' }).waitFor();
  await soon(() => panel(page).getByRole('switch', { name: 'Use functions' }).count()).toBe(0);
  await page.keyboard.press('Escape');
  await panel(page).waitFor({ state: 'detached' });
  await soon(() => focused(page)).toBe('Agent');

  await ask(page, 'How much is it? [[classic:calculator 6 * 7]]');
  await answered(page);
  await lastMessage(page)
    .getByTestId('step')
    .locator('summary')
    .filter({ hasText: /^Used Calculator/ })
    .waitFor();
  await lastMessage(page).getByText('It is 42.').waitFor();
});

test.each(inFullRun([390, 639]))('%i px have one button that opens the same choice', async (width) => {
  const { page } = await stage.openElsewhere('bob', { viewport: { width, height: 844 } });
  await openPlugins(page);
  const button = page.getByRole('button', { name: /^Plugins and agent/ });
  await button.click();
  await panel(page).getByRole('switch', { name: 'Calculator' }).press('Space');
  await panel(page).getByText('Agent', { exact: true }).click();
  await panel(page).getByRole('switch', { name: 'Skip completion' }).waitFor();
  await expectAccessible(page);
  const { x = -1, width: wide = 0 } = (await panel(page).boundingBox()) ?? {};
  expect(x >= 0 && x + wide <= width).toBe(true);
  await button.click();
  await panel(page).waitFor({ state: 'detached' });
});
