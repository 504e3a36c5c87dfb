// The keyboard shortcuts: what they do, how they are changed, and how they are switched off.
import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { expectAccessible } from '../../support/browser/axe.ts';
import { soon, withApp } from '../../support/browser/app-fixture.ts';
import { answered, ask, composer, messages, openNewChat } from '../../support/browser/chat.ts';
import { focused } from '../../support/browser/keyboard.ts';
import { notice } from '../../support/browser/sidebar.ts';

const stage = withApp();

test('settings, a temporary chat, the models, copies and a deletion by key', async () => {
  const { page, context } = await stage.open('alice');
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await openNewChat(page);
  await page.keyboard.press('Control+,');
  await settingsOf(page).waitFor();
  await page.keyboard.press('Control+Shift+Backspace');
  await page.keyboard.press('Control+,');
  await settingsOf(page).waitFor({ state: 'detached' });

  await page.getByTestId('temporary-toggle').waitFor();
  await page.keyboard.press('Control+Shift+Quote');
  await soon(() => page.getByTestId('temporary-toggle').getAttribute('aria-pressed')).toBe('true');
  await page.keyboard.press('Control+Shift+Quote');
  await soon(() => page.getByTestId('temporary-toggle').getAttribute('aria-pressed')).toBe('false');

  await page.keyboard.press('Control+Shift+M');
  await page.getByRole('option').first().waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('option').first().waitFor({ state: 'detached' });

  await ask(page, 'Show me [[markdown]]');
  await answered(page);
  // What a key does says so where it is done by mouse.
  await page.getByRole('button', { name: 'Copy to clipboard' }).last().hover();
  await soon(() => page.getByTestId('tooltip').innerText()).toMatch(/^Copy to clipboard\s*Ctrl Shift C$/);
  await page.getByRole('button', { name: 'This chat' }).click();
  await soon(() => page.getByRole('menuitem', { name: 'Delete' }).innerText()).toMatch(
    /^Delete\s*Ctrl Shift Backspace$/,
  );
  // The sum of the chat has been read before the chat is deleted.
  await page
    .getByRole('menu')
    .getByText(/\d tokens/)
    .waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('menu').waitFor({ state: 'detached' });
  await page.keyboard.press('Control+Shift+C');
  await notice(page, 'The last answer is copied.').waitFor();
  const copied = await clipboard(page);
  await page.keyboard.press('Control+Shift+Semicolon');
  await notice(page, 'The last code is copied.').waitFor();
  const code = await clipboard(page);
  expect(code).not.toBe('');
  expect(copied).toContain(code.trim());

  await page.keyboard.press('Control+Shift+Backspace');
  await notice(page, 'Chat deleted').getByRole('button', { name: 'Undo' }).hover();
  await page.waitForURL('**/c/new');
  await notice(page, 'Chat deleted').getByRole('button', { name: 'Undo' }).click();
  await soon(() => page.getByTestId('convo-item').count()).toBe(1);
});

test('a shortcut gets other keys, by mouse and by key; they are in the list, on the phone, and off with all others', async () => {
  const { page } = await stage.open('bob');
  const { page: other } = await stage.open('bob', 'another');
  await openNewChat(other);
  await openNewChat(page);
  await page.keyboard.press('Control+/');
  await page.getByRole('button', { name: 'Change the shortcuts' }).click();
  const dialog = settingsOf(page);
  await dialog.getByRole('button', { name: /^New chat:/ }).click();
  const waiting = dialog.getByRole('button', { name: 'Press the new keys' });
  await waiting.waitFor();
  await page.keyboard.press('Control+T');
  await dialog.getByText('Ctrl T belongs to the browser or to typing. Press other keys.').waitFor();
  await page.keyboard.press('Shift+A');
  await dialog.getByText('Shift A alone types or moves the cursor. Add Ctrl, Cmd or Alt.').waitFor();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await waiting.waitFor({ state: 'detached' });
  await soon(() => focused(page)).toBe('New chat: Ctrl Shift O');

  await page.keyboard.press('Enter');
  await waiting.waitFor();
  await page.keyboard.press('Control+Shift+S');
  await dialog.getByText('Ctrl Shift S is “Show or hide the sidebar” now.').waitFor();
  await dialog.getByRole('button', { name: 'Use it here' }).click();
  await dialog.getByRole('button', { name: 'New chat: Ctrl Shift S' }).waitFor();
  await dialog.getByRole('button', { name: 'Show or hide the sidebar: None' }).click();
  await waiting.waitFor();
  await page.keyboard.press('Control+Shift+Y');
  await dialog.getByRole('button', { name: 'Show or hide the sidebar: Ctrl Shift Y' }).waitFor();
  await leave(page, dialog);

  const list = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await list.getByText('Ctrl Shift Y').waitFor();
  await leave(page, list);
  await page.keyboard.press('Control+Shift+Y');
  // Tooltips name the keys as they are bound.
  const tooltip = page.getByTestId('tooltip');
  await page.getByRole('button', { name: 'Open sidebar' }).hover();
  await soon(() => tooltip.innerText()).toMatch(/^Open sidebar\s*Ctrl Shift Y$/);
  await page.getByRole('link', { name: 'New chat', exact: true }).hover();
  await soon(() => tooltip.innerText()).toMatch(/^New chat\s*Ctrl Shift S$/);
  await page.keyboard.press('Control+Shift+Y');
  await soon(() => stored(other, 'shortcuts')).toBe('newChat=mod+shift+S sidebar=mod+shift+Y');

  await page.keyboard.press('Control+,');
  await dialog.getByRole('tab', { name: 'Keyboard' }).click();
  await dialog.getByRole('button', { name: 'Reset: New chat' }).click();
  await dialog.getByRole('button', { name: 'New chat: Ctrl Shift O' }).waitFor();
  await dialog.getByRole('button', { name: 'Reset', exact: true }).click();
  await dialog.getByRole('button', { name: 'Show or hide the sidebar: Ctrl Shift S' }).waitFor();
  await soon(() => stored(other, 'shortcuts')).toBe('usual');

  await dialog.getByText('Use keyboard shortcuts').click();
  await leave(page, dialog);
  await page.getByRole('button', { name: 'Close sidebar' }).hover();
  await soon(() => tooltip.innerText()).toBe('Close sidebar');
  await composer(page).focus();
  await page.keyboard.press('Control+k');
  await page.keyboard.press('Control+/');
  await page.keyboard.type('Enter still sends');
  await page.keyboard.press('Enter');
  await soon(() => messages(page).count()).toBe(2);
  await answered(page);
  expect(await page.getByRole('dialog').count()).toBe(0);
});

function settingsOf(page: Page): Locator {
  return page.getByRole('dialog', { name: 'Settings' });
}

async function leave(page: Page, dialog: Locator): Promise<void> {
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
}

function clipboard(page: Page): Promise<string> {
  return page.evaluate(() => navigator.clipboard.readText());
}

function stored(page: Page, key: string): Promise<string | null> {
  return page.evaluate((name) => localStorage.getItem(name), key);
}
