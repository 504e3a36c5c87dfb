// Prices that an administrator sets: by the keyboard, on a phone, and what an answer costs by them.
import { expect, test } from 'vitest';
import { soon, withApp } from '../../support/browser/app-fixture.ts';
import { expectAccessible } from '../../support/browser/axe.ts';
import { answered, ask, openNewChat } from '../../support/browser/chat.ts';

const stage = withApp({ OPENAI_MODELS: 'house-model,gpt-4', OPENAI_IMAGE_MODELS: 'gpt-image-1' });

test('a price is set, seen, changed and removed, and the next answer costs it', async () => {
  const { page } = await stage.open('alice');
  await openNewChat(page);
  await ask(page, 'What does an unknown model cost?');
  await answered(page);
  await page
    .getByText(/\$[\d.]+ estimated/)
    .first()
    .waitFor();

  await page.goto('/admin/providers');
  const open = async () => {
    await page.getByRole('button', { name: /OpenAI/ }).click();
    await page.getByRole('menuitem', { name: 'Prices' }).click();
  };
  await open();
  const dialog = page.getByRole('dialog', { name: /Prices of/ });
  await dialog.getByText('an estimate if no list price is known', { exact: false }).waitFor();
  await dialog.getByRole('button', { name: 'Add a price' }).press('Enter');
  await page.keyboard.type('house-model');
  const field = (name: string) => dialog.getByLabel(name, { exact: true });
  for (const wrong of ['-1', '1e3', 'NaN', '10001', '']) {
    await field('Input').fill(wrong);
    await field('Output').fill('2000');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText('Enter a number from 0 to 10,000, for example 2.5.').waitFor();
  }
  await expectAccessible(page);
  await field('Input').fill('1000,5');
  await page.keyboard.press('Enter');
  const row = dialog.getByRole('row', { name: /house-model 1000.5 – – 2000/ });
  await row.waitFor();
  await soon(() =>
    dialog.getByRole('button', { name: 'Add a price' }).evaluate((it) => it === document.activeElement),
  ).toBe(true);
  await expectAccessible(page);

  // The same model again is no second row.
  await page.keyboard.press('Enter');
  await page.keyboard.type('house-model');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.getByText('This model already has a price.').waitFor();
  await dialog.getByRole('button', { name: 'Cancel' }).click();

  await row.getByRole('button', { name: 'Edit house-model' }).click();
  await soon(() => field('Input').evaluate((it) => it === document.activeElement)).toBe(true);
  await field('Cached read').fill('0');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.getByRole('row', { name: /house-model 1000.5 0 – 2000/ }).waitFor();
  await page.keyboard.press('Escape');
  await soon(() => dialog.count()).toBe(0);

  await openNewChat(page);
  await ask(page, 'And with a price?');
  await answered(page);
  await page
    .getByText(/^.*\$[\d.]+$/)
    .first()
    .waitFor();
  await soon(() => page.getByText(/estimated/).count()).toBe(0);

  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/admin/providers');
  await open();
  const card = dialog.getByRole('row', { name: /house-model/ });
  await card.waitFor();
  const wide = await page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth);
  expect(wide).toBe(false);
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Add a price' }).click();
  await dialog.getByLabel('Model', { exact: true }).fill('*');
  await field('Input').fill('0');
  await field('Output').fill('0');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.getByRole('row', { name: /All other models/ }).waitFor();
  await dialog.getByRole('button', { name: 'Remove house-model' }).click();
  await soon(() => card.count()).toBe(0);
  await page.goto('/admin/audit');
  await page.getByText('removed the price of', { exact: false }).first().waitFor();
  await page.getByText('$1,000.50 per million tokens of input', { exact: false }).first().waitFor();
});

test('the price of a model for pictures is one of a picture, by quality and shape', async () => {
  const { page } = await stage.open('alice');
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/admin/providers');
  await page.getByRole('button', { name: /OpenAI/ }).click();
  await page.getByRole('menuitem', { name: 'Prices' }).click();
  const dialog = page.getByRole('dialog', { name: /Prices of/ });
  await dialog.getByRole('button', { name: 'Add a price' }).click();
  const field = (name: string) => dialog.getByLabel(name, { exact: true });
  await field('Model').fill('gpt-image-1');
  await field('Draft, square').fill('0.01');
  expect(await field('Input').count()).toBe(0);
  await field('Draft, wide or tall').fill('0.02');
  await field('Fine, square').fill('101');
  await field('Fine, wide or tall').fill('0.3');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.getByText('Enter a number from 0 to 100, for example 2.5.').waitFor();
  await expectAccessible(page);
  await field('Fine, square').fill('0.2');
  await page.keyboard.press('Enter');
  await dialog.getByText('0.01 – 0.3').waitFor();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Edit gpt-image-1' }).click();
  await soon(() => field('Draft, square').evaluate((it) => it === document.activeElement)).toBe(true);
  expect(await field('Fine, square').inputValue()).toBe('0.2');
  await page.goto('/admin/audit');
  await page.getByText('0.01, 0.02, 0.2, 0.3 US dollars an image', { exact: false }).first().waitFor();
});
