// The panel beside the chat, which the menu of the chat shows and hides.
import type { Locator, Page } from 'playwright-core';

export function sidePanel(page: Page): Locator {
  return page.getByTestId('side-panel');
}

export async function showSidePanel(page: Page): Promise<void> {
  await page.getByTestId(/^(convo-menu-button|header-more)$/).press('Enter');
  await page.getByRole('menuitem', { name: 'Show side panel' }).press('Enter');
  await sidePanel(page).getByRole('button', { name: 'Close side panel' }).waitFor();
}
