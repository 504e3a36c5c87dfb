// Each sentence of the fixture that takes a browser is shown where it belongs: one row a sentence.
import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import specified from '../../fixtures/specified-sentences.json' with { type: 'json' };
import { attach, dragOver, textFile, uploaded } from '../../support/browser/attachments.ts';
import { soon, withApp } from '../../support/browser/app-fixture.ts';
import { answered, ask, composer, openNewChat, send, stopButton, streaming } from '../../support/browser/chat.ts';
import { choose } from '../../support/browser/sidebar.ts';

const stage = withApp({ HELP_AND_FAQ_URL: 'https://example.com/help', TITLE_CONVO: 'false' });

/** Shows a sentence on the page of a person, and returns where it has to be. */
type Situation = (page: Page) => Promise<Locator>;

const visitors: Record<string, Situation> = {
  'This password reset token is no longer valid': async (page) => {
    await page.goto(`/reset-password?token=${'0'.repeat(64)}&userId=5d2c8a3e-0000-4000-8000-000000000001`);
    await page.getByLabel('New password', { exact: true }).fill('nine brown bottles');
    await page.getByLabel('Confirm password', { exact: true }).fill('nine brown bottles');
    await page.getByRole('button', { name: 'Continue', exact: true }).click();
    return page.getByRole('alert');
  },
  'Unable to process: No valid reset token': async (page) => {
    await page.goto('/reset-password?userId=5d2c8a3e-0000-4000-8000-000000000001');
    return page.getByRole('alert');
  },
  'Unable to process: No valid user id': async (page) => {
    await page.goto('/reset-password?token=x');
    return page.getByRole('alert');
  },
};

const people: Record<string, Situation> = {
  'Error cancelling request': async (page) => {
    await openNewChat(page);
    await ask(page, 'Never stop [[never-ending]]');
    await streaming(page);
    const stops = /\/trpc\/[^?]*messages\.abort/;
    await page.route(stops, (route) => route.abort());
    await stopButton(page).click();
    const toast = page.getByTestId('toast').getByText('Error cancelling request. Please try again.');
    await toast.waitFor();
    await page.unroute(stops);
    await stopButton(page).click();
    await answered(page);
    return page.getByTestId('toast');
  },
  'New Chat': async (page) => {
    await openNewChat(page);
    await ask(page, 'Herons');
    await answered(page);
    await page.reload();
    return page.getByTestId('convo-item').first();
  },
  'Failed to rename conversation': async (page) => {
    await openNewChat(page);
    await ask(page, 'Herons again');
    await answered(page);
    await page.reload();
    await page.route('**/trpc/*convos.rename*', (route) => route.abort());
    await choose(page, 'New Chat', 'Rename');
    await page.keyboard.type('Lost');
    await page.keyboard.press('Enter');
    return page.getByTestId('toast');
  },
  'Nothing found': async (page) => {
    await page.goto('/c/search?q=xylophonist');
    return page.getByRole('main');
  },
  'Add anything': async (page) => {
    await openNewChat(page);
    await page.getByTestId('add-button').waitFor();
    await dragOver(page);
    return page.getByTestId('drop-overlay');
  },
  'Drop any file here to add it to the conversation': async (page) => {
    await dragOver(page);
    return page.getByTestId('drop-overlay');
  },
  '< 0.01 MB': async (page) => {
    await page.reload();
    await openNewChat(page);
    await attach(page, textFile('list.txt', 'one'));
    await uploaded(page, 1);
    await send(page, 'What is in it?');
    await answered(page);
    await (await inUserMenu(page, 'My files')).click();
    return page
      .getByRole('dialog', { name: 'My files' })
      .getByRole('row', { name: /list\.txt/ })
      .locator('td', { hasText: 'MB' });
  },
  'Export conversation': async (page) => inUserMenu(await afresh(page), 'Export conversation'),
  'My files': async (page) => inUserMenu(await afresh(page), 'My files'),
  'Help & FAQ': async (page) => inUserMenu(await afresh(page), 'Help & FAQ'),
  Settings: async (page) => inUserMenu(await afresh(page), 'Settings'),
  'Log out': async (page) => inUserMenu(await afresh(page), 'Log out'),
  'All AI conversations in one place. Pay per call and not per month.': async (page) => {
    await afresh(page);
    return page.locator('footer');
  },
  'My Preset': async (page) => {
    await afresh(page);
    await page.getByTestId('presets-button').click();
    await page.getByRole('button', { name: 'Save as preset' }).click();
    const name = page.getByRole('dialog').getByRole('textbox', { name: 'Name', exact: true });
    await soon(() => name.inputValue()).toBe('My Preset');
    return page.getByRole('dialog').getByRole('textbox', { name: 'Name', exact: true });
  },
};

/** The test of assistants builds one and has these. */
const ELSEWHERE = ['Upload Photo', 'Are you sure you want to delete this action?'];

test('every sentence has its situation', () => {
  const rows = [...Object.keys(visitors), ...Object.keys(people), ...ELSEWHERE];
  expect(rows.toSorted()).toEqual(specified.browser.toSorted());
});

test.each(Object.entries(visitors))('“%s” is shown to a visitor', async (sentence, situation) => {
  const { page, tolerated } = await stage.visitor();
  tolerated.push(/status of 400/);
  await expectShown(await situation(page), sentence);
});

test.each(Object.entries(people))('“%s” is shown to a person', async (sentence, situation) => {
  const { page, tolerated } = await stage.open('alice');
  tolerated.push(/ERR_FAILED|Failed to load resource/);
  await expectShown(await situation(page), sentence);
});

test('after a model is picked the message box has the focus', async () => {
  const { page } = await stage.open('alice');
  await afresh(page);
  await page.locator('#new-conversation-menu').click();
  await page.getByRole('option', { name: 'gpt-4', exact: true }).first().click();
  await soon(() => composer(page).evaluate((box) => box === document.activeElement)).toBe(true);
});

async function expectShown(where: Locator, sentence: string): Promise<void> {
  await where.first().waitFor();
  const said = () =>
    where.evaluateAll((all) =>
      all.map((one) => (one instanceof HTMLInputElement ? one.value : (one.textContent ?? ''))).join('\n'),
    );
  await soon(said).toContain(sentence);
}

async function afresh(page: Page): Promise<Page> {
  await page.goto('/c/new');
  await composer(page).waitFor();
  return page;
}

async function inUserMenu(page: Page, name: string): Promise<Locator> {
  await page.getByTestId('nav-user').click();
  return page.getByRole('menuitem', { name });
}
