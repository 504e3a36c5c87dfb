// The files of a person and those of a question, without a pointer.
import { expect, test } from 'vitest';
import { ADD } from '../../support/browser/add-menu.ts';
import { apiClient } from '../../support/browser/api-client.ts';
import { soon, withApp } from '../../support/browser/app-fixture.ts';
import { chips, textFile, uploaded } from '../../support/browser/attachments.ts';
import { expectAccessible } from '../../support/browser/axe.ts';
import { openNewChat } from '../../support/browser/chat.ts';
import { focused, goTo } from '../../support/browser/keyboard.ts';
import { upload } from '../../support/uploads.ts';
import { testInFullRun } from '../../support/extent.ts';

const stage = withApp();

testInFullRun(
  '"My files" is opened, filtered, sorted, paged and closed, and files are downloaded and deleted',
  async () => {
    const { page, tolerated } = await stage.openElsewhere('fred');
    tolerated.push(/Failed to load resource/);
    const fred = await apiClient(stage.app, 'fred');
    for (let n = 10; n < 22; n++)
      await upload(stage.app.url, fred, { bytes: 'x'.repeat(n), name: `notes ${n}.txt`, type: 'text/plain' });
    await openNewChat(page);
    await soon(() => focused(page)).toMatch(/^Message/);
    const userMenu = (await page.getByTestId('nav-user').textContent()) ?? '';
    await goTo(page, userMenu, 'Shift+Tab');
    await page.keyboard.press('Enter');
    await soon(() => page.getByRole('menuitem').first().isVisible()).toBe(true);
    await goTo(page, 'My files', 'ArrowDown');
    let fail = () => {};
    const failing = new Promise<void>((resolve) => (fail = resolve));
    await page.route(/files\.list/, async (route) => {
      await failing;
      await route.abort();
    });
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'My files' });
    await soon(() => focused(page)).toBe('Filter by name');
    fail();
    await dialog.getByRole('alert').waitFor();
    await soon(() => focused(page)).toBe('Try again');
    await page.unrouteAll();
    await page.keyboard.press('Enter');
    const names = async () => {
      const rows = await dialog.getByRole('rowheader').allInnerTexts();
      return rows.map((row) => row.split('\n')[0]);
    };
    await dialog.getByText('Page 1 of 2').waitFor();
    await soon(() => focused(page)).toBe('Filter by name');

    await goTo(page, 'Next', 'Tab');
    await page.keyboard.press('Enter');
    await soon(names).toHaveLength(2);
    await goTo(page, 'Previous', 'Shift+Tab');
    await page.keyboard.press('Enter');
    await soon(names).toHaveLength(10);

    await goTo(page, 'Filter by name', 'Tab');
    await page.keyboard.type('s 1');
    await dialog.getByText('Page 1 of 2').waitFor({ state: 'detached' });
    await soon(names).toHaveLength(10);
    await goTo(page, 'Name', 'Tab');
    await page.keyboard.press('Enter');
    await soon(async () => (await names())[0]).toBe('notes 10.txt');
    await page.keyboard.press('Enter');
    await soon(async () => (await names())[0]).toBe('notes 19.txt');

    await goTo(page, 'Where notes 19.txt is used', 'Tab');
    await page.keyboard.press('Enter');
    await dialog.getByText('Not used anywhere').waitFor();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    const [download] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Enter')]);
    expect(download.suggestedFilename()).toBe('notes 19.txt');

    await goTo(page, 'Select notes 18.txt', 'Tab');
    await page.keyboard.press('Space');
    await goTo(page, 'Select notes 17.txt', 'Tab');
    await page.keyboard.press('Space');
    await dialog.getByText('Files selected: 2').waitFor();
    await expectAccessible(page);
    await goTo(page, 'Delete', 'Tab');
    await page.keyboard.press('Enter');
    await soon(() => focused(page)).toBe('Delete the selected files?');
    await expectAccessible(page);
    await page.keyboard.press('Enter');
    await soon(names).toHaveLength(8);
    await soon(() => focused(page)).toBe('Select all on this page');

    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await soon(() => focused(page)).toBe(userMenu);
  },
);

test('the file dialog opens from the message box, which has the focus again afterwards', async () => {
  const { page } = await stage.openElsewhere('gina');
  // The browser hands dialogs over only from a moment after the first wait for one.
  const opened = page.waitForEvent('filechooser');
  await openNewChat(page);
  await page.getByTestId('add-button').waitFor();
  await soon(() => focused(page)).toMatch(/^Message/);
  await goTo(page, ADD, 'Tab');
  await page.keyboard.press('Enter');
  await soon(() => focused(page)).toBe('Attach files');
  await page.keyboard.press('Enter');
  const chooser = await opened;
  expect(chooser.isMultiple()).toBe(true);
  await chooser.setFiles([textFile('chosen.txt', 'by keyboard')]);
  await uploaded(page, 1);
  await soon(() => focused(page)).toMatch(/^Message/);
  await goTo(page, 'Remove chosen.txt', 'Shift+Tab');
  await page.keyboard.press('Enter');
  await soon(() => chips(page).count()).toBe(0);
  await soon(() => focused(page)).toMatch(/^Message/);
});
