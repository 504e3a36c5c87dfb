// Files that a person looks at: beside the chat, or over it where there is no room. citations.test.ts has PDFs.
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { soon, withApp } from '../../support/browser/app-fixture.ts';
import { attach, chips, textFile, uploaded } from '../../support/browser/attachments.ts';
import { expectAccessible } from '../../support/browser/axe.ts';
import { openNewChat } from '../../support/browser/chat.ts';
import { types } from '../../support/retrieval/documents.ts';

const stage = withApp();

test('text, tables and documents are shown, searched and saved', async () => {
  const { page } = await stage.open('bob');
  await page.setViewportSize({ width: 1440, height: 900 });
  await openNewChat(page);
  const odt = readFileSync('tests/fixtures/documents/pandoc.odt');
  const rows = Array.from({ length: 3000 }, (_, n) => `${n},"Town, ${n}"`);
  await attach(
    page,
    textFile('code.py', 'def area(r):\n    return 3.14 * r ** 2\n', 'text/x-python'),
    textFile('towns.csv', `Number,Name\n${rows.join('\n')}`, 'text/csv'),
    textFile('notes.md', '# Kites\n\nThey **nest** high.\n\n![far](https://example.com/far.png)', 'text/markdown'),
    { name: 'report.odt', mimeType: types.odt, buffer: odt },
  );
  await uploaded(page, 4);
  const panel = page.getByRole('complementary');

  await page.getByRole('button', { name: /^code\.py/ }).click();
  const colourOf = (text: string) =>
    panel.getByText(text, { exact: true }).evaluate((one) => getComputedStyle(one).color);
  await soon(async () => (await colourOf('return')) === (await colourOf('3.14'))).toBe(false);
  await soon(() => panel.locator('[data-index]').allInnerTexts()).toEqual([
    expect.stringMatching(/^1\s*def area\(r\):$/),
    expect.stringMatching(/^2\s*return 3\.14 \* r \*\* 2$/),
  ]);
  await expectAccessible(page);

  await page.getByRole('button', { name: /^towns\.csv/ }).click();
  await panel.getByRole('cell', { name: 'Town, 7', exact: true }).waitFor();
  await page.keyboard.press('Control+f');
  await panel.getByRole('search').locator('input:focus').waitFor();
  await page.keyboard.type('town, 2999');
  await panel.getByRole('cell', { name: 'Town, 2999' }).waitFor();
  await soon(() => marked(page, 'file-current')).toEqual(['Town, 2999']);
  await expectAccessible(page);

  await page.getByRole('button', { name: /^notes\.md/ }).click();
  await panel.getByRole('heading', { name: 'Kites' }).waitFor();
  expect(await panel.locator('img').count()).toBe(0);

  await page.getByRole('button', { name: /^report\.odt/ }).click();
  await soon(() => panel.getByText('The harbour', { exact: true }).count()).toBe(1);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    panel.getByRole('button', { name: 'Download', exact: true }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('report.odt');
});

test('on a phone a file covers the page; what is left in a new chat is not in the next one', async () => {
  const { page } = await stage.open('carol');
  await page.setViewportSize({ width: 390, height: 800 });
  await openNewChat(page);
  await attach(page, textFile('plan.txt', 'Three days by the sea'));
  await uploaded(page, 1);
  await chips(page).first().press('Enter');
  const panel = page.getByRole('dialog', { name: 'plan.txt' });
  await panel.getByText('Three days by the sea').waitFor();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await panel.waitFor({ state: 'detached' });

  await page.getByRole('link', { name: 'New chat' }).click();
  await soon(() => chips(page).count()).toBe(0);
});

/** What the browser has marked, by its name. */
function marked(page: Page, name: string): Promise<string[]> {
  return page.evaluate((mark) => [...(CSS.highlights.get(mark) ?? [])].map(String), name);
}
