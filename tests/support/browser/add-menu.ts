// The menu of the message box that adds things to a question.
import type { Locator, Page } from 'playwright-core';

export const ADD = 'Add files and tools';

export function addButton(page: Page): Locator {
  return page.getByRole('button', { name: ADD });
}

/** Opens the list of tools from the menu, by pointer. */
export async function openTools(page: Page): Promise<Locator> {
  await addButton(page).click();
  await page.getByRole('menuitem', { name: /^Tools/ }).click();
  const tools = page.getByRole('dialog', { name: 'Tools' });
  await tools.waitFor();
  return tools;
}
