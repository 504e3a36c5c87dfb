// A keyboard-only user.
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

/** The accessible name of the focused element, or `body`. */
export function focused(page: Page): Promise<string> {
  return page.evaluate(() => {
    const element = document.activeElement;
    if (!element || element === document.body) return 'body';
    return element.getAttribute('aria-label') ?? element.textContent?.trim() ?? '';
  });
}

/** Presses a key until the focus is on the element of this name. */
export async function goTo(page: Page, name: string, key: string): Promise<void> {
  for (let step = 0; step < 60; step++) {
    await page.keyboard.press(key);
    const here = await focused(page);
    if (here === name) return;
    // The browser's own controls come between the end of the page and its start.
    if (here === 'body' && step > 0) continue;
    expect(here).not.toBe('');
  }
  throw new Error(`${key} never came to ${name}`);
}

/** Picks a command in the palette. */
export async function openByPalette(page: Page, command: string): Promise<void> {
  await page.keyboard.press('Control+k');
  const palette = page.getByRole('dialog', { name: 'Commands' });
  await palette.getByRole('combobox').waitFor();
  await palette.getByRole('option', { name: command }).click();
}
