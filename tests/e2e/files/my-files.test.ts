// The files of a person: the table, the section of the side panel, and the profile image.
import { expect, test } from 'vitest';
import { testInFullRun } from '../../support/extent.ts';
import { apiClient } from '../../support/browser/api-client.ts';
import { showSidePanel, sidePanel } from '../../support/browser/side-panel.ts';
import { soon, withApp } from '../../support/browser/app-fixture.ts';
import { attach, chips, picture, textFile, uploaded } from '../../support/browser/attachments.ts';
import { expectAccessible } from '../../support/browser/axe.ts';
import {
  answered,
  apiOf,
  composer,
  messages,
  openId,
  openNewChat,
  sendButton,
  thread,
} from '../../support/browser/chat.ts';
import { focused } from '../../support/browser/keyboard.ts';
import { upload } from '../../support/uploads.ts';

const stage = withApp();

test('the table filters, sorts, shows where a file is used, downloads and deletes', async () => {
  const { page, tolerated } = await stage.open('dora');
  await openNewChat(page);
  await attach(page, await picture('holiday.png'), textFile('plan.txt', 'Three days'), textFile('list.txt', 'one'));
  await uploaded(page, 3);
  await composer(page).fill('Keep these');
  await sendButton(page).click();
  await answered(page);
  const id = openId(page);
  await openNewChat(page);

  await page.getByTestId('nav-user').click();
  await page.getByRole('menuitem', { name: 'My files' }).click();
  const dialog = page.getByRole('dialog', { name: 'My files' });
  await dialog.getByRole('row').nth(3).waitFor();
  await dialog.getByText(/kB of .+ GB used/).waitFor();
  await expectAccessible(page);
  await dialog.getByText('In long files, answers look for passages that contain the words of your question.').waitFor();
  const names = () => dialog.getByRole('rowheader').allInnerTexts();
  await dialog
    .getByRole('row', { name: /list.txt/ })
    .getByText('< 0.01 MB')
    .last()
    .waitFor();
  await dialog.getByRole('button', { name: 'Name' }).click();
  await soon(async () => (await names()).map((name) => name.split('\n')[0])).toEqual([
    'holiday.png',
    'list.txt',
    'plan.txt',
  ]);
  const heightOf = async () => (await dialog.boundingBox())?.height ?? 0;
  const height = await heightOf();
  await dialog.getByRole('textbox', { name: 'Filter by name' }).fill('nothing like it');
  await dialog.getByText(/^No file has “.*nothing like it.*” in its name\.$/).waitFor();
  await soon(heightOf).toBeCloseTo(height, 0);
  await dialog.getByRole('button', { name: 'Show all files' }).click();
  await soon(() => dialog.getByRole('rowheader').count()).toBe(3);
  await dialog.getByRole('checkbox', { name: 'Select list.txt' }).check();
  await dialog.getByText('Files selected: 1').waitFor();
  await dialog.getByRole('textbox', { name: 'Filter by name' }).fill('plan');
  await soon(() => dialog.getByRole('rowheader').count()).toBe(1);
  await soon(() => dialog.getByText('Files selected').count()).toBe(0);
  expect(await page.getByTestId('delete-files-initial').count()).toBe(0);
  await dialog.getByRole('textbox', { name: 'Filter by name' }).fill('TXT');
  await soon(() => dialog.getByRole('rowheader').count()).toBe(2);
  await dialog.getByRole('checkbox', { name: 'Select list.txt' }).uncheck();

  const [download] = await Promise.all([
    page.waitForEvent('download'),
    dialog.getByRole('button', { name: /^Download plan.txt/ }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('plan.txt');
  await dialog.getByRole('textbox', { name: 'Filter by name' }).fill('');
  await dialog.getByRole('checkbox', { name: 'Select holiday.png' }).check();
  await dialog.getByText('Files selected: 1').waitFor();
  await page.getByTestId('delete-files-initial').click();
  await page.getByRole('button', { name: 'Delete the selected files?' }).click();
  await soon(() => dialog.getByRole('rowheader').count()).toBe(2);
  await soon(() => focused(page)).toBe('Select all on this page');

  await dialog.getByRole('button', { name: 'Where plan.txt is used' }).click();
  await dialog.getByRole('link').click();
  await page.waitForURL(`**/c/${id}**`);
  await dialog.waitFor({ state: 'detached' });

  const gone = { name: 'holiday.png is no longer available' };
  await messages(page).first().getByRole('img', gone).waitFor();
  // The browser asks the server before it shows what it has kept.
  tolerated.push(/Failed to load resource/);
  await page.reload();
  await messages(page).first().getByRole('img', gone).waitFor();
  await expectAccessible(page);
});

test('the side panel attaches a stored file again', async () => {
  const { page, tolerated } = await stage.open('dora');
  await openNewChat(page);
  tolerated.push(/Failed to load resource/);
  let asked = 0;
  await page.route(/files\.list/, (route) => {
    asked++;
    return route.abort();
  });
  await showSidePanel(page, 'Attach files');
  await page.getByRole('alert').getByText('Your files could not be loaded.').waitFor();
  expect(asked).toBe(2);
  const retry = page.getByRole('alert').getByRole('button', { name: 'Try again' });
  await retry.click();
  await soon(() => asked).toBe(4);
  await soon(() => retry.getAttribute('aria-disabled')).toBe(null);
  await soon(() => focused(page)).toBe('Try again');
  await page.unrouteAll();
  await retry.click();
  const row = sidePanel(page).getByRole('button', { name: /^list.txt/ });
  await row.click();
  await uploaded(page, 1);
  await expectAccessible(page);
  await row.click();
  await page.getByTestId('toast').getByText('Duplicate file detected.').waitFor();
  await sendButton(page).click();
  await thread(page)
    .getByRole('button', { name: /^list.txt/ })
    .waitFor();
  await soon(() => chips(page).count()).toBe(0);
});

test('files are uploaded there, and the table says where they are and what for, in every order', async () => {
  const { page } = await stage.open('gina');
  await openNewChat(page);
  await page.getByTestId('nav-user').click();
  await page.getByRole('menuitem', { name: 'My files' }).click();
  const dialog = page.getByRole('dialog', { name: 'My files' });
  await dialog.getByRole('button', { name: 'Upload files' }).waitFor();
  const input = dialog.locator('input[type=file]');
  await input.setInputFiles([textFile('small.txt', 'one'), await picture('red.png', '#d22', 64, 64)]);
  await page.getByTestId('toast').getByText('The files are uploaded.').waitFor();
  await input.setInputFiles(textFile('empty.txt', ''));
  await page.getByTestId('toast').getByText('empty.txt is empty.').waitFor();
  const row = dialog.getByRole('row', { name: /small.txt/ });
  await soon(() => row.getByRole('cell', { name: 'This server', exact: true }).count()).toBe(1);
  await soon(() => row.getByRole('cell', { name: 'Message', exact: true }).count()).toBe(1);
  for (const column of ['Name', 'Date', 'Storage', 'Context', 'Size']) {
    const head = dialog.getByRole('columnheader', { name: column });
    await head.getByRole('button').click();
    const order = await head.getAttribute('aria-sort');
    await head.getByRole('button').click();
    await soon(() => head.getAttribute('aria-sort')).not.toBe(order);
  }
  await soon(() => dialog.getByRole('rowheader').count()).toBe(2);
  const { files } = await (await apiOf(stage.app, 'gina')).files.list.query({ cursor: null, limit: 10 });
  expect(files.map(({ name, expiresAt }) => [name, expiresAt]).toSorted()).toEqual([
    ['red.png', null],
    ['small.txt', null],
  ]);
  await expectAccessible(page);
});

testInFullRun('a profile image is checked, previewed, uploaded and shown', async () => {
  const { page } = await stage.open('erin');
  await openNewChat(page);
  await page.getByTestId('nav-user').click();
  await page.getByRole('menuitem', { name: 'Settings' }).click();
  const dialog = page.getByRole('dialog', { name: 'Settings' });
  await dialog.getByRole('tab', { name: 'Account' }).click();
  const input = dialog.locator('input[type=file]');
  await input.setInputFiles(textFile('no.png', 'not a picture', 'image/png'));
  await page
    .getByTestId('toast')
    .getByText(/^This file cannot be a profile picture/)
    .waitFor();
  await input.setInputFiles(await picture('me.png', '#7c4dff', 640, 480));
  await dialog.getByRole('img', { name: 'Preview of your profile picture' }).waitFor();
  await expectAccessible(page);
  await dialog.getByRole('slider').fill('2');
  const area = dialog.getByTestId('crop-area');
  const place = () => area.locator('img').evaluate((one) => one.style.objectPosition);
  await area.focus();
  await page.keyboard.press('ArrowLeft');
  await soon(place).toMatch(/^5[0-9.]+% 50%$/);
  const { x, y } = (await area.boundingBox()) ?? { x: 0, y: 0 };
  await page.mouse.move(x + 60, y + 60);
  await page.mouse.down();
  await page.mouse.move(x + 260, y + 260, { steps: 3 });
  await page.mouse.up();
  await soon(place).toBe('0% 0%');
  await dialog.getByRole('button', { name: 'Use this picture' }).click();
  await page.getByTestId('toast').getByText('Your profile picture is saved').waitFor();
  await soon(() => focused(page)).toBe('Choose a picture');
  await page.keyboard.press('Escape');
  const shown = page.getByTestId('nav-user').locator('img');
  await soon(() => shown.evaluate((one: HTMLImageElement) => one.complete && one.naturalWidth)).toBeGreaterThan(0);
  await page.reload();
  await soon(() => shown.evaluate((one: HTMLImageElement) => one.complete && one.naturalWidth)).toBeGreaterThan(0);

  await page.getByTestId('nav-user').click();
  await page.getByRole('menuitem', { name: 'Settings' }).click();
  await dialog.getByRole('tab', { name: 'Account' }).click();
  await dialog.getByRole('button', { name: 'Remove picture' }).click();
  await page.getByTestId('toast').getByText('Your profile picture is removed').waitFor();
  await soon(() => focused(page)).toBe('Choose a picture');
  await soon(() => shown.count()).toBe(0);
});

testInFullRun('on a phone the table is sorted, and files are deleted without scrolling', async () => {
  const { page } = await stage.openElsewhere('carla', {
    viewport: { width: 390, height: 844 },
    isMobile: true,
    hasTouch: true,
    colorScheme: 'dark',
  });
  const carla = await apiClient(stage.app, 'carla');
  for (let n = 0; n < 12; n++) {
    const name = n === 4 ? `${'A long name of a paper about the sea '.repeat(3)}.txt` : `notes ${n}.txt`;
    await upload(stage.app.url, carla, { bytes: 'x'.repeat(100 - n), name, type: 'text/plain' });
  }
  await openNewChat(page);
  await page
    .getByRole('button', { name: /sidebar/i })
    .first()
    .tap();
  await page.getByTestId('nav-user').tap();
  await page.getByRole('menuitem', { name: 'My files' }).tap();
  const dialog = page.getByRole('dialog', { name: 'My files' });
  const first = dialog.getByRole('rowheader').first();
  await dialog.getByRole('button', { name: 'Size' }).tap();
  await soon(() => first.innerText()).toContain('notes 0.txt');
  await expectAccessible(page);
  await dialog.getByRole('checkbox', { name: 'Select notes 0.txt' }).check();
  const isInView = () =>
    page
      .getByTestId('delete-files-initial')
      .evaluate((one) => one.getBoundingClientRect().bottom <= window.innerHeight);
  await soon(isInView).toBe(true);
  await page.getByTestId('delete-files-initial').tap();
  await page.getByRole('button', { name: 'Delete the selected files?' }).tap();
  await soon(() => first.innerText()).toContain('notes 1.txt');
  const next = dialog.getByRole('button', { name: 'Next' });
  await next.tap();
  await soon(() => dialog.getByRole('rowheader').count()).toBe(1);
  // It would lose the focus if it were disabled.
  await soon(() => next.getAttribute('aria-disabled')).toBe('true');
  expect(await focused(page)).toBe('Next');
  await dialog.getByRole('button', { name: 'Name' }).tap();
  await dialog.getByText('Page 1 of 2').waitFor();
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true);
});
