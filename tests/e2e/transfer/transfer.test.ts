// A conversation as a file, and files as conversations.
import { readFile } from 'node:fs/promises';
import type { Download, Locator, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { testInFullRun } from '../../support/extent.ts';
import { chatGpt, message, reference, says } from '../../integration/transfer/files.ts';
import { expectAccessible } from '../../support/browser/axe.ts';
import {
  action,
  answered,
  ask,
  conversation,
  lastMessage,
  messages,
  NO_NETWORK,
  openId,
  openNewChat,
  thread,
} from '../../support/browser/chat.ts';
import { openByPalette } from '../../support/browser/keyboard.ts';
import { soon, withApp } from '../../support/browser/app-fixture.ts';

const stage = withApp();

describe('export', () => {
  test('a new chat cannot be exported', async () => {
    const { page } = await stage.open('alice');
    await openNewChat(page);
    await openUserMenu(page);
    await soon(() => menuRow(page, 'Export conversation').getAttribute('data-disabled')).toBe('true');
    await page.keyboard.press('Escape');
  });

  testInFullRun('a picture is the default, and shows the branch on screen', async () => {
    const { page } = await stage.open('alice');
    await openNewChat(page);
    await ask(page, 'Herons in flight [[markdown]]');
    await answered(page);
    const dialog = await openExport(page);
    await soon(() => dialog.getByLabel('Type').inputValue()).toBe('screenshot');
    await soon(() => dialog.getByRole('checkbox', { name: 'Include the model and its parameters' }).count()).toBe(0);
    await soon(() => dialog.getByRole('checkbox', { name: 'Include all branches' }).count()).toBe(0);
    await soon(() => dialog.getByRole('checkbox', { name: 'Put answers inside their questions' }).count()).toBe(0);
    await dialog.getByLabel('File name').fill('Herons: a/study');
    const download = await exported(page, dialog);
    expect(download.suggestedFilename()).toBe('Herons a study.png');
    const image = await readFile(await download.path());
    expect(image.subarray(1, 4).toString()).toBe('PNG');
    const [width, height] = [image.readUInt32BE(16), image.readUInt32BE(20)];
    expect(width).toBeGreaterThanOrEqual(840);
    expect(height).toBeGreaterThan(400);
    // Empty paper of this size would take a tenth of it.
    expect(image.length).toBeGreaterThan(30_000);
    await dialog.waitFor({ state: 'detached' });
  });

  test('each format has the whole conversation', async () => {
    const { page } = await stage.open('alice');
    await openNewChat(page);
    await ask(page, 'Count the herons [[echo]]');
    await answered(page);
    await action(lastMessage(page), 'Regenerate').click();
    await soon(() => lastMessage(page).getByText('2 / 2').count()).toBe(1);
    await answered(page);
    const conversationId = openId(page);

    const text = await exportAs(page, 'text', 'txt');
    expect(text).toContain(`Conversation\n########################\nconversationId: ${conversationId}\n`);
    expect(text.match(/>> /g)).toHaveLength(2);
    const markdown = await exportAs(page, 'markdown', 'md');
    expect(markdown).toContain('\n## Options\n- presetId: null\n');
    expect(markdown).toContain('**User:**\nCount the herons [[echo]]\n');
    const csv = await exportAs(page, 'csv', 'csv');
    expect(csv.split('\r\n')).toHaveLength(5);
    const json = JSON.parse(await exportAs(page, 'json', 'json')) as Record<string, unknown>;
    expect(json).toMatchObject({ conversationId, branches: true, recursive: true });
    expect(json.messagesTree).toMatchObject([{ text: 'Count the herons [[echo]]', children: [{}, {}] }]);
  });

  test('works by keyboard: the format resets its options, and Enter exports', async () => {
    const { page } = await stage.open('alice');
    await openNewChat(page);
    await ask(page, 'Keys only');
    await answered(page);
    const dialog = await openExport(page);
    await soon(() => dialog.getByLabel('File name').evaluate((input) => input === document.activeElement)).toBe(true);
    await page.keyboard.type('By key');
    await soon(() => dialog.getByLabel('File name').inputValue()).toBe('By key');
    await page.keyboard.press('Tab');
    await page.keyboard.type('json');
    await soon(() => dialog.getByLabel('Type').inputValue()).toBe('json');
    const branches = dialog.getByRole('checkbox', { name: 'Include all branches' });
    const recursive = dialog.getByRole('checkbox', { name: 'Put answers inside their questions' });
    await soon(() => Promise.all([branches.isChecked(), recursive.isChecked()])).toEqual([true, true]);
    for (let tabs = 0; tabs < 3; tabs += 1) await page.keyboard.press('Tab');
    await page.keyboard.press('Space');
    await soon(() => recursive.isChecked()).toBe(false);
    await expectAccessible(page);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    const downloading = page.waitForEvent('download');
    await page.keyboard.press('Enter');
    const file = JSON.parse(await textOf(await downloading)) as { messages: unknown[] };
    expect(file.messages).toHaveLength(2);
    await dialog.waitFor({ state: 'detached' });
  });
});

describe('import', () => {
  const herons = reference(
    'herons',
    [
      message('q', null, 'Where do herons nest?'),
      message('a', 'q', 'In **colonies**.', { isCreatedByUser: false, sender: 'GPT-4' }),
    ],
    { title: 'Herons and their nests' },
  );

  test('a file fills the sidebar with a result for each conversation, and a second import adds nothing', async () => {
    const { page } = await stage.open('bob');
    await openNewChat(page);
    const dialog = await openImport(page);
    await expectAccessible(page);
    await choose(dialog, JSON.stringify([herons, { odd: true }]));
    const report = dialog.getByRole('region', { name: 'Report' });
    await report.waitFor();
    await dialog.getByText('Chats: 1 imported, 0 already here, 1 skipped').waitFor();
    await soon(() => report.getByRole('listitem').allInnerTexts()).toEqual([
      expect.stringMatching(/Without a title.*not a chat of a known kind/s),
      expect.stringMatching(/Herons and their nests.*Imported, 2 messages/s),
    ]);
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Another file' }).click();
    await choose(dialog, JSON.stringify([herons]));
    await dialog.getByText('0 imported, 1 already here, 0 skipped').waitFor();
    await conversation(page, 'Herons and their nests').waitFor();
    await dialog.getByRole('link', { name: 'Herons and their nests' }).click();
    await dialog.waitFor({ state: 'detached' });
    await messages(page).getByText('In colonies.').waitFor();
  });

  test('the first question of a chat whose model is not offered here is refused', async () => {
    const { page } = await stage.open('carol');
    await openNewChat(page);
    const dialog = await openImport(page);
    const nodes: Parameters<typeof chatGpt>[1] = [
      ['q', null, says('user', 'How high do kites fly?')],
      ['a', 'q', says('assistant', 'High.')],
      ['h', 'a', says('assistant', { content_type: 'hologram' })],
    ];
    await choose(dialog, JSON.stringify([chatGpt('kites', nodes, { default_model_slug: 'gpt-of-yore' })]));
    await dialog.getByText('1 could not be read, kinds that are not known here: hologram').waitFor();
    await dialog.getByRole('link', { name: 'Title of kites' }).click();
    await page.getByText('gpt-of-yore is not among the models here.').waitFor();
    await thread(page).getByText('How high do kites fly?').waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: /^Use / }).click();
    await page.getByText('gpt-of-yore is not among').waitFor({ state: 'detached' });
    await ask(page, 'And herons? [[echo]]');
    await answered(page);
    await soon(() => messages(page).getByText('gpt-of-yore').count()).toBe(0);
  });

  testInFullRun('closing during an import asks for confirmation; imported conversations stay', async () => {
    const { page } = await stage.open('bob');
    await openNewChat(page);
    const dialog = await openImport(page);
    let held = 0;
    await page.route('**/api/import', async (route) => {
      held += 1;
      if (held === 1) await route.continue();
    });
    const many = Array.from({ length: 120 }, (_, index) =>
      reference(`many ${index}`, [message('q', null, `Number ${index}`)], { title: `Many ${index}` }),
    );
    await choose(dialog, JSON.stringify(many));
    await dialog.getByText('50 imported').waitFor();
    await page.keyboard.press('Escape');
    const question = dialog.getByRole('alertdialog');
    await question.waitFor();
    await expectAccessible(page);
    await question.getByRole('button', { name: 'Go on' }).click();
    await question.waitFor({ state: 'detached' });
    await page.keyboard.press('Escape');
    await question.getByRole('button', { name: 'Stop' }).click();
    await dialog.getByText('The import was stopped.').waitFor();
    await dialog.getByText('50 imported, 0 already here, 0 skipped').waitFor();
    await page.unroute('**/api/import');
    await dialog.getByRole('button', { name: 'Another file' }).click();
    await choose(dialog, JSON.stringify(many));
    await dialog.getByText('70 imported, 50 already here, 0 skipped').waitFor();
    await leave(dialog);
  });

  testInFullRun('a lost request is sent again, and nothing is imported twice', async () => {
    const { page, tolerated } = await stage.open('bob');
    tolerated.push(/ERR_FAILED/, NO_NETWORK);
    await openNewChat(page);
    const dialog = await openImport(page);
    let tries = 0;
    await page.route('**/api/import', async (route) => {
      tries += 1;
      // The first never arrives; of the second only the answer is lost.
      if (tries === 1) return route.abort();
      const response = await route.fetch();
      return tries === 2 ? route.abort() : route.fulfill({ response });
    });
    const owls = reference('owls', [message('q', null, 'Where do owls nest?')], { title: 'Owls' });
    await choose(dialog, JSON.stringify([owls]));
    await dialog.getByText('0 imported, 1 already here, 0 skipped').waitFor();
    expect(tries).toBe(3);
    await leave(dialog);
    await conversation(page, 'Owls').waitFor();
  });

  test('an unreadable file is reported', async () => {
    const { page } = await stage.open('bob');
    await openNewChat(page);
    const dialog = await openImport(page);
    await choose(dialog, '<!doctype html>');
    await dialog.getByText('This is not a file of chats').waitFor();
    for (const [text, sentence] of [
      ['', 'This file is empty.'],
      ['PK\u0003\u0004', 'This ZIP file is damaged, incomplete or locked with a password. Nothing was imported.'],
    ] as const) {
      await dialog.getByRole('button', { name: 'Another file' }).click();
      await choose(dialog, text);
      await dialog.getByText(sentence).waitFor();
      expect(await dialog.getByRole('progressbar').count()).toBe(0);
      expect(await dialog.getByText('0 imported').count()).toBe(0);
    }
  });
});

testInFullRun('both dialogs have no accessibility violations in the dark theme and on a phone', async () => {
  const viewport = { width: 390, height: 844 };
  const { page } = await stage.open('alice');
  await page.emulateMedia({ colorScheme: 'dark' });
  await openNewChat(page);
  await ask(page, 'Small herons');
  await answered(page);
  await page.setViewportSize(viewport);
  // The page hears of its width later than we do.
  await page.getByTestId('nav-user').waitFor({ state: 'hidden' });
  const exporting = await openExport(page);
  await exporting.getByLabel('Type').selectOption('json');
  await expectAccessible(page);
  await exporting.getByRole('button', { name: 'Cancel' }).click();
  await exporting.waitFor({ state: 'detached' });
  await openImport(page);
  await expectAccessible(page);
});

async function openUserMenu(page: Page): Promise<void> {
  const button = page.getByTestId('nav-user');
  if (!(await button.isVisible())) await page.getByRole('button', { name: 'Open sidebar' }).click();
  await button.click();
}

function menuRow(page: Page, name: string): Locator {
  return page.getByRole('menuitem', { name });
}

async function openExport(page: Page): Promise<Locator> {
  await openUserMenu(page);
  await menuRow(page, 'Export conversation').click();
  const dialog = page.getByRole('dialog', { name: 'Export conversation' });
  await dialog.getByLabel('File name').waitFor();
  return dialog;
}

async function openImport(page: Page): Promise<Locator> {
  await openByPalette(page, 'Import chats');
  const dialog = page.getByRole('dialog', { name: 'Import chats' });
  await dialog.getByRole('button', { name: 'Choose a file' }).waitFor();
  return dialog;
}

async function leave(dialog: Locator): Promise<void> {
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  await dialog.waitFor({ state: 'detached' });
}

async function exported(page: Page, dialog: Locator): Promise<Download> {
  const downloading = page.waitForEvent('download');
  await dialog.getByRole('button', { name: 'Export', exact: true }).click();
  return downloading;
}

async function exportAs(page: Page, format: string, extension: string): Promise<string> {
  const dialog = await openExport(page);
  await dialog.getByLabel('Type').selectOption(format);
  const download = await exported(page, dialog);
  expect(download.suggestedFilename()).toMatch(new RegExp(`\\.${extension}$`));
  await dialog.waitFor({ state: 'detached' });
  return textOf(download);
}

async function textOf(download: Download): Promise<string> {
  return readFile(await download.path(), 'utf8');
}

async function choose(dialog: Locator, text: string): Promise<void> {
  const file = { name: 'conversations.json', mimeType: 'application/json', buffer: Buffer.from(text) };
  await dialog.locator('input[type=file]').setInputFiles(file);
}
