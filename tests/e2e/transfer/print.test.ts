// The chat on paper: all of the branch, whatever of it is on screen.
import { loadPdfJs } from '@parley/server/retrieval/extract/pdf/pdf';
import type { Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { soon, withApp } from '../../support/browser/app-fixture.ts';
import { openThread } from '../../support/browser/chat.ts';
import { text, threadsOf } from '../../support/browser/long-thread.ts';

const stage = withApp();
const insert = threadsOf(stage);

test('a thread of 500 messages is printed from the first word to the last, and the page is as it was', async () => {
  const { page } = await stage.open('alice');
  const { conversationId } = await insert('alice', 500);
  await page.goto(`/c/${conversationId}`);
  await text(page, 'Message 499.').waitFor();
  const words = await printed(page, () => page.keyboard.press('Control+p'));
  for (const n of [0, 1, 250, 499]) expect(words).toMatch(new RegExp(`Message ${n}\\.`));
  expect(words).not.toContain('Find in this chat');
  expect(words).not.toContain('New chat');
  await page.getByTestId('print-sheet').waitFor({ state: 'detached' });
  await text(page, 'Message 499.').waitFor();
});

test('print shows who said what, tables, code, formulas, notes and the addresses of links, light in the dark theme', async () => {
  const { page } = await stage.open('alice');
  await page.emulateMedia({ colorScheme: 'dark' });
  onTestFinished(() => page.emulateMedia({ colorScheme: null }));
  const answer = [
    '# A heading',
    'See [the page](https://example.com/page) and a note[^1].',
    `| one | two |\n| - | - |\n| left | right |`,
    `\`\`\`ts\nconst wide = '${'wide '.repeat(60)}end of the line';\n\`\`\``,
    '$$x^2$$',
    '```mermaid\nflowchart TD\n  Heron --> Pond\n```',
    '[^1]: The note.',
  ].join('\n\n');
  await openThread(stage.app, 'alice', page, ['What is a heron?', answer]);
  await page.getByRole('button', { name: 'This chat' }).click();
  let background = '';
  const words = await printed(
    page,
    () => page.getByRole('menuitem', { name: 'Print…' }).click(),
    async () => {
      background = await page
        .getByTestId('print-sheet')
        .evaluate((sheet) => getComputedStyle(sheet.parentElement ?? sheet).backgroundColor);
    },
  );
  expect(background).toBe('rgb(255, 255, 255)');
  for (const said of [
    'You',
    'What is a heron?',
    'A heading',
    '(https://example.com/page)',
    'left',
    'right',
    'end of the line',
    'The note.',
    'Heron',
    'Pond',
  ])
    expect(words).toContain(said);
  expect(words).not.toContain('flowchart');
  await soon(() => page.evaluate(() => document.documentElement.dataset.mantineColorScheme)).toBe('dark');
});

test('printing is given up by Escape, before it has begun', async () => {
  const { page } = await stage.open('alice');
  const { conversationId } = await insert('alice', 200);
  await page.goto(`/c/${conversationId}`);
  await text(page, 'Message 199.').waitFor();
  await page.keyboard.press('Control+p');
  await page.getByTestId('print-sheet').waitFor();
  await page.keyboard.press('Escape');
  await page.getByTestId('print-sheet').waitFor({ state: 'detached' });
});

/** The words of the PDF that the browser makes when the page asks it to print. */
async function printed(page: Page, act: () => Promise<unknown>, look = async () => {}): Promise<string> {
  // Without a printer, the browser would end the printing at once.
  await page.evaluate(() => Object.assign(window, { print: () => Object.assign(window, { isAsked: true }) }));
  await act();
  await soon(() => page.evaluate(() => 'isAsked' in window)).toBe(true);
  await look();
  const words = await wordsOf(await page.pdf({ format: 'A4' }));
  await page.evaluate(() => {
    delete (window as { isAsked?: boolean }).isAsked;
    window.dispatchEvent(new Event('afterprint'));
  });
  return words;
}

/** As the browser's own reader finds them, with one space between them. */
async function wordsOf(bytes: Uint8Array): Promise<string> {
  const { getDocument } = await loadPdfJs();
  const pdf = await getDocument({ data: new Uint8Array(bytes), useWasm: false, verbosity: 0 }).promise;
  const texts: string[] = [];
  for (let number = 1; number <= pdf.numPages; number += 1) {
    const { items } = await (await pdf.getPage(number)).getTextContent();
    texts.push(...items.map((item) => ('str' in item ? `${item.str}${item.hasEOL ? ' ' : ''}` : '')));
  }
  await pdf.loadingTask.destroy();
  return texts.join('').replaceAll(/\s+/g, ' ');
}
