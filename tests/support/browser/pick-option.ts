import type { Locator } from 'playwright-core';

/** Picks from a field with few options, which the browser lists, or with many, which are searched. */
export async function pickOption(field: Locator, label: string): Promise<void> {
  if (await field.evaluate((element) => element.tagName === 'SELECT')) {
    await field.selectOption({ label });
    return;
  }
  await field.click();
  await field.pressSequentially(label);
  await field.page().getByRole('option', { name: label, exact: true }).click();
}
