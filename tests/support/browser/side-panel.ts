// The panel beside the chat, which the menu of the chat shows and hides.
import type { Locator, Page } from 'playwright-core';
import { soon } from './app-fixture.ts';

export function sidePanel(page: Page): Locator {
  return page.getByTestId('side-panel');
}

export async function showSidePanel(page: Page): Promise<void> {
  const row = page.getByRole('menuitem', { name: 'Show side panel' });
  const opened = async () => {
    // Where a chat has just been left, the button may still be that of its menu and go.
    if (!(await row.isVisible())) await page.getByTestId(/^(convo-menu-button|header-more)$/).press('Enter');
    return row.waitFor({ timeout: 1000 }).then(
      () => true,
      () => false,
    );
  };
  await soon(opened).toBe(true);
  await row.press('Enter');
  await sidePanel(page).getByRole('button', { name: 'Close side panel' }).waitFor();
}
