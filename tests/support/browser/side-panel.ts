// The panel beside the chat, which a strip of icons opens; on a small screen a drawer, which the menu of the chat opens.
import type { Locator, Page } from 'playwright-core';
import type { App } from './app.ts';
import { soon } from './app-fixture.ts';
import { apiOf } from './chat.ts';

/** The widest screen without the strip, in pixels. */
const NARROW = 767;

export function sidePanel(page: Page): Locator {
  return page.getByTestId('side-panel');
}

export function sideStrip(page: Page): Locator {
  return page.getByTestId('side-strip');
}

/** The icon that opens a panel; that of the parameters also says how many are changed. */
export function stripIcon(page: Page, name: string): Locator {
  return sideStrip(page).getByRole('button', { name: new RegExp(`^${name}(: |$)`) });
}

/** Hides the panel for the person by its setting, so that the header has the parameters; null is the setting's default. */
export async function hideSidePanel(app: App, name: string, isHidden: true | null = true): Promise<void> {
  const api = await apiOf(app, name);
  await api.settings.set.mutate({ hideSidePanel: isHidden });
}

/** Opens it at one of its panels, which a drawer has as sections. */
export async function showSidePanel(page: Page, name = 'Parameters'): Promise<void> {
  if ((page.viewportSize()?.width ?? 0) > NARROW) {
    await stripIcon(page, name).press('Enter');
    await sidePanel(page).getByRole('button', { name: 'Close side panel' }).waitFor();
    return;
  }
  await showByMenu(page);
  const section = sidePanel(page).getByRole('button', { name, exact: true });
  if ((await section.getAttribute('aria-expanded')) === 'false') await section.click();
}

/** Where there is no strip. */
export async function showByMenu(page: Page): Promise<void> {
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
