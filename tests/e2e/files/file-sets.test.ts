// Sets of files: files are dropped into the table, kept together, found by `#`, and told to be in use.
import { expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { chips, textFile, uploaded } from '../../support/browser/attachments.ts';
import { expectAccessible } from '../../support/browser/axe.ts';
import { composer, openNewChat } from '../../support/browser/chat.ts';
import { soon, withApp } from '../../support/browser/app-fixture.ts';

const stage = withApp();

async function openFiles(page: Page) {
  await page.getByTestId('nav-user').click();
  await page.getByRole('menuitem', { name: 'My files' }).click();
  return page.getByRole('dialog', { name: 'My files' });
}

test('dropped files are put into a set, which narrows the table down, is renamed, attached by # and deleted', async () => {
  const { page } = await stage.open('lena');
  await openNewChat(page);
  let dialog = await openFiles(page);
  await dialog.getByRole('button', { name: 'Upload files' }).waitFor();
  await dialog.locator('input[type=file]').setInputFiles([textFile('rent.txt', 'rent'), textFile('cats.txt', 'cats')]);
  await dialog.getByRole('rowheader', { name: /cats.txt/ }).waitFor();
  const dropped = await page.evaluateHandle(() => {
    const data = new DataTransfer();
    data.items.add(new File(['fees'], 'fees.txt', { type: 'text/plain' }));
    return data;
  });
  await dialog.getByRole('table').dispatchEvent('drop', { dataTransfer: dropped });
  await dialog.getByRole('rowheader', { name: /fees.txt/ }).waitFor();
  expect(await dialog.getByRole('combobox', { name: 'Show' }).count()).toBe(0);

  for (const name of ['rent.txt', 'fees.txt']) await dialog.getByRole('checkbox', { name: `Select ${name}` }).check();
  await dialog.getByRole('button', { name: 'Add to set' }).click();
  await page.getByRole('menuitem', { name: 'New set…' }).click();
  await page.keyboard.type('Texas');
  await page.keyboard.press('Enter');
  await page.getByTestId('toast').getByText('Added to “Texas”.').waitFor();
  await dialog.getByText('Files selected: 2 · used in 1 set').waitFor();
  await expectAccessible(page);

  await dialog.getByRole('combobox', { name: 'Show' }).selectOption('Set: Texas');
  await soon(() => dialog.getByRole('rowheader').count()).toBe(2);
  await dialog.getByRole('button', { name: 'More about the set Texas' }).click();
  await page.getByRole('menuitem', { name: 'Rename…' }).click();
  await page.keyboard.press('Escape');
  await dialog.getByRole('button', { name: 'More about the set Texas' }).click();
  await page.getByRole('menuitem', { name: 'Rename…' }).click();
  await dialog.getByRole('textbox', { name: 'Name of the set' }).fill('Taxes');
  await page.keyboard.press('Enter');
  await dialog.getByRole('button', { name: 'More about the set Taxes' }).waitFor();
  await dialog.getByRole('button', { name: 'Where rent.txt is used' }).click();
  await dialog.getByRole('listitem').filter({ hasText: 'Set: Taxes' }).waitFor();
  await expectAccessible(page);
  await page.keyboard.press('Escape');

  await composer(page).pressSequentially('#tax');
  await page.getByRole('option', { name: /^Taxes/ }).click();
  await uploaded(page, 2);
  expect((await chips(page).allInnerTexts()).join(' ')).toMatch(/(?=.*rent\.txt)(?=.*fees\.txt)/s);

  dialog = await openFiles(page);
  await dialog.getByRole('combobox', { name: 'Show' }).selectOption('Set: Taxes');
  await dialog.getByRole('checkbox', { name: 'Select fees.txt' }).check();
  await dialog.getByRole('button', { name: 'Take out of “Taxes”' }).click();
  await soon(() => dialog.getByRole('rowheader').count()).toBe(1);
  await dialog.getByRole('button', { name: 'More about the set Taxes' }).click();
  await page.getByRole('menuitem', { name: 'Delete the set, keep its files' }).click();
  await soon(() => dialog.getByRole('rowheader').count()).toBe(3);
  expect(await dialog.getByRole('combobox', { name: 'Show' }).count()).toBe(0);
});
