import { join } from 'node:path';
import type { Page } from 'playwright-core';

/** Keeps a picture of the page where PICTURES names a folder. */
export async function photograph(page: Page, name: string): Promise<void> {
  const folder = process.env.PICTURES;
  if (folder) await page.screenshot({ path: join(folder, `${name}.png`) });
}
