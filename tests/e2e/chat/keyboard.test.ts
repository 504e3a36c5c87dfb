// Everything by keyboard, with a focus that is always somewhere.
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { expectAccessible } from '../../support/browser/axe.ts';
import {
  answered,
  answerText,
  composer,
  conversation,
  lastMessage,
  modelPicker,
  openNewChat,
  thread,
} from '../../support/browser/chat.ts';
import { soon, withApp } from '../../support/browser/app-fixture.ts';

const stage = withApp();

test('from the load of the page to a sent message, another reply, a rename and a deletion without a pointer', async () => {
  const { page } = await stage.open('alice');
  await page.goto('/c/new');
  await soon(() => focused(page)).toMatch(/^Message/);
  await page.keyboard.type('Owls at night');
  await page.keyboard.press('Enter');
  await answerText(page).getByText('That is all.').waitFor();
  await answered(page);
  await conversation(page, 'Owls at Night').waitFor();
  await soon(() => focused(page)).toMatch(/^Message/);

  await goTo(page, 'Regenerate', 'Shift+Tab');
  await page.keyboard.press('Enter');
  await lastMessage(page).getByText('2 / 2').waitFor();
  await answered(page);
  await soon(() => focused(page)).not.toBe('body');

  await goTo(page, 'Previous answer', 'Shift+Tab');
  await page.keyboard.press('Enter');
  await lastMessage(page).getByText('1 / 2').waitFor();
  await soon(() => focused(page)).not.toBe('body');

  await goTo(page, 'More for \u2068Owls at Night\u2069', 'Shift+Tab');
  await page.keyboard.press('Enter');
  await soon(() => focused(page)).toBe('Rename');
  await page.keyboard.press('Enter');
  await soon(() => focused(page)).toBe('Title');
  await page.keyboard.type('Owls');
  await page.keyboard.press('Enter');
  await soon(() => focused(page)).toBe('Owls');

  await chooseDelete(page);
  const dialog = page.getByRole('dialog', { name: 'Delete chat?' });
  await dialog.waitFor();
  await soon(() => focused(page)).toBe('Delete');
  for (let step = 0; step < 6; step++) {
    await page.keyboard.press('Tab');
    expect(await dialog.evaluate((element) => element.contains(document.activeElement))).toBe(true);
  }
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await soon(() => focused(page)).toContain('Owls');

  await chooseDelete(page);
  await soon(() => focused(page)).toBe('Delete');
  await page.keyboard.press('Enter');
  await dialog.waitFor({ state: 'detached' });
  await page.waitForURL('**/c/new');
  await soon(() => focused(page)).not.toBe('body');
});

test('the user menu opens, is walked through and closes by key, and gives the focus back', async () => {
  const { page } = await stage.open('alice');
  await openNewChat(page);
  await soon(() => focused(page)).toMatch(/^Message/);
  await page.getByRole('button', { name: 'alice example' }).focus();
  await page.keyboard.press('Enter');
  await soon(() => focused(page)).toBe('Assistants');
  await page.keyboard.press('End');
  await soon(() => focused(page)).toBe('Log out');
  await page.keyboard.press('ArrowUp');
  await soon(() => focused(page)).toMatch(/^Settings/);
  await page.keyboard.press('End');
  await soon(() => focused(page)).toBe('Log out');
  await page.keyboard.press('Escape');
  await page.getByRole('menu').waitFor({ state: 'detached' });
  await soon(() => focused(page)).toContain('alice example');
});

test('the user menu says who is signed in, and has at most seven rows', async () => {
  const { page } = await stage.open('alice');
  await openNewChat(page);
  await page.getByRole('button', { name: 'alice example' }).click();
  const menu = page.getByRole('menu');
  await menu.getByText('alice@example.com').waitFor();
  await soon(() => menu.getByRole('menuitem', { name: 'Log out' }).isVisible()).toBe(true);
  const rows = (await menu.getByRole('menuitem').allInnerTexts()).map((row) => row.split('\n')[0]);
  const all = ['Assistants', 'Administration', 'Export conversation', 'My files', 'Help & FAQ', 'Settings', 'Log out'];
  expect(all).toEqual(expect.arrayContaining(rows));
  expect(rows).toEqual(expect.arrayContaining(['Export conversation', 'My files', 'Settings', 'Log out']));
  await expectAccessible(page);
});

test('another model is chosen by key, then the message box has the focus; Escape leaves it at the picker', async () => {
  const { page } = await stage.open('alice');
  await openNewChat(page);
  // A new chat takes the focus once it is there.
  await soon(() => focused(page)).toMatch(/^Message/);
  const picker = modelPicker(page);
  await picker.focus();
  await page.keyboard.press('Enter');
  await page.getByRole('combobox').waitFor();
  await page.keyboard.type('gpt-4-turbo');
  await page.getByRole('group', { name: 'OpenAI' }).getByRole('option', { name: 'gpt-4-turbo-preview' }).waitFor();
  await page.keyboard.press('Enter');
  await picker.getByText('gpt-4-turbo-preview').waitFor();
  // The question comes next.
  await soon(() => focused(page)).toMatch(/^Message/);

  await picker.focus();
  await page.keyboard.press('Enter');
  await page.getByRole('combobox').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('combobox').waitFor({ state: 'detached' });
  await soon(() => focused(page)).toContain('gpt-4-turbo-preview');
});

test('shortcuts: a new chat, the sidebar, the message box; and a link that skips the list', async () => {
  const { page } = await stage.open('alice');
  await openNewChat(page);
  await composer(page).fill('Herons at noon');
  await page.keyboard.press('Enter');
  await answerText(page).getByText('That is all.').waitFor();
  await answered(page);

  await page.keyboard.press('Control+/');
  const list = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await list.getByText('Shift Esc').waitFor();
  // Nothing happens behind a dialog, and Escape closes nothing but it.
  await page.keyboard.press('Control+Shift+S');
  await page.keyboard.press('Escape');
  await list.waitFor({ state: 'detached' });
  await soon(() => page.getByRole('navigation').isVisible()).toBe(true);

  await page.keyboard.press('Control+Shift+S');
  await page.getByTestId('rail').waitFor();
  await page.keyboard.press('Control+Shift+S');
  await page.getByTestId('rail').waitFor({ state: 'hidden' });
  await thread(page).focus();
  await page.keyboard.press('Shift+Escape');
  await soon(() => focused(page)).toMatch(/^Message/);
  await page.keyboard.press('Control+Shift+O');
  await page.waitForURL('**/c/new');
  await page.getByTestId('landing-title').waitFor();
  await soon(() => focused(page)).toMatch(/^Message/);

  const skip = page.getByRole('link', { name: 'Skip to the message box' });
  expect(await page.evaluate(() => document.querySelector('a')?.textContent)).toBe('Skip to the message box');
  await skip.focus();
  await soon(() => skip.boundingBox().then((box) => box && box.y >= 0)).toBe(true);
  await page.keyboard.press('Enter');
  await soon(() => focused(page)).toMatch(/^Message/);
});

test('Shift and Enter break the line, and Enter while composing a word sends nothing', async () => {
  const { page } = await stage.open('alice');
  await openNewChat(page);
  await soon(() => focused(page)).toMatch(/^Message/);
  await page.keyboard.type('one');
  await page.keyboard.press('Shift+Enter');
  await page.keyboard.type('two');
  await composer(page).evaluate((box) =>
    box.dispatchEvent(
      new KeyboardEvent('keydown', { key: 'Enter', isComposing: true, bubbles: true, cancelable: true }),
    ),
  );
  await soon(() => composer(page).inputValue()).toBe('one\ntwo');
  await composer(page).fill('');
});

test('whatever has the focus shows it', async () => {
  const { page } = await stage.open('alice');
  await openNewChat(page);
  await soon(() => focused(page)).toMatch(/^Message/);
  await page.evaluate(() => (document.activeElement as HTMLElement).blur());
  const unseen: string[] = [];
  for (let step = 0; step < 20; step++) {
    await page.keyboard.press('Tab');
    if (!(await showsFocus(page))) unseen.push(await focused(page));
  }
  expect(unseen).toEqual([]);
});

/** The name of what has the focus, or `body`. */
function focused(page: Page): Promise<string> {
  return page.evaluate(() => {
    const element = document.activeElement;
    if (!element || element === document.body) return 'body';
    return element.getAttribute('aria-label') ?? element.textContent?.trim() ?? '';
  });
}

/** Presses a key until the focus is on what is called so. */
async function goTo(page: Page, name: string, key: string): Promise<void> {
  for (let step = 0; step < 40; step++) {
    await page.keyboard.press(key);
    const here = await focused(page);
    expect(here).not.toBe('body');
    if (here === name) return;
  }
  throw new Error(`${key} never came to ${name}`);
}

function showsFocus(page: Page): Promise<boolean> {
  return page.evaluate(() => {
    const isMarked = (element: Element): boolean => {
      const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(element);
      return (outlineStyle !== 'none' && outlineWidth !== '0px') || boxShadow !== 'none';
    };
    const { activeElement } = document;
    if (!activeElement || activeElement === document.body) return true;
    // A box around a field may show it for the field.
    const around = [activeElement, activeElement.parentElement, activeElement.parentElement?.parentElement];
    return around.some((element) => element && isMarked(element));
  });
}

/** Opens the menu of the focused row by Shift+F10, and picks its last item. */
async function chooseDelete(page: Page): Promise<void> {
  await conversation(page, 'Owls').getByRole('link').focus();
  await page.keyboard.press('Shift+F10');
  await soon(() => focused(page)).toBe('Rename');
  await page.keyboard.press('ArrowUp');
  await soon(() => focused(page)).toBe('Delete');
  await page.keyboard.press('Enter');
}
