// Answers that cite documents: the marks, the passages they open, the sources, and the state of a document.
import { randomUUID } from 'node:crypto';
import { connect } from '@parley/db/client';
import { messages as messageTable } from '@parley/db/tables/messages';
import type { Citation } from '@parley/schema/messages/messages';
import { and, eq } from 'drizzle-orm';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { soon, withApp } from '../../support/browser/app-fixture.ts';
import { attach, chips, uploaded } from '../../support/browser/attachments.ts';
import { expectAccessible } from '../../support/browser/axe.ts';
import {
  action,
  answered,
  composer,
  lastMessage,
  messages,
  openNewChat,
  openThread,
  sendButton,
} from '../../support/browser/chat.ts';
import { focused } from '../../support/browser/keyboard.ts';
import { testInFullRun } from '../../support/extent.ts';
import { lines, makePdfPages } from '../../support/retrieval/documents.ts';

const stage = withApp();
const REFUSED = /Failed to load resource/;

test('a question about page 7 of a document is answered with its citation, which opens the file there', async () => {
  const { page } = await stage.open('alice');
  await openNewChat(page);
  await attach(page, { name: 'birds.pdf', mimeType: 'application/pdf', buffer: longPdf() });
  await uploaded(page, 1);
  await soon(() => chips(page).innerText()).toMatch(/Pages: 60/);
  await composer(page).fill('At what height do the red kites nest? [[cite]]');
  await sendButton(page).click();
  await answered(page);

  const answer = lastMessage(page);
  const mark = answer.getByRole('paragraph').getByRole('button', { name: /^Source \d: birds.pdf, Page 7$/ });
  await mark.press('Enter');
  const passage = page.getByRole('dialog', { name: 'birds.pdf' });
  await passage.getByText('Page 7 of 60').waitFor();
  await soon(() => passage.locator('mark').allInnerTexts()).toEqual(['The red kites nest 23 metres above the mill.']);
  await expectAccessible(page);
  await passage.getByRole('button', { name: 'Open the file' }).click();
  await passage.waitFor({ state: 'detached' });
  const file = page.getByRole('complementary', { name: 'birds.pdf' });
  await file.getByText('of 60').waitFor();
  await soon(() => file.getByRole('textbox', { name: 'Page' }).inputValue()).toBe('7');
  await soon(() => marked(page)).toEqual(['The red kites nest 23 metres above the mill']);
  await file.locator('canvas').first().waitFor();
  await expectAccessible(page);
  await page.keyboard.press('Control+f');
  await file.getByRole('search').locator('input:focus').waitFor();
  await page.keyboard.type('line 3 tells');
  await soon(() => file.getByRole('search').innerText()).toMatch(/\d+ of 60/);
  await page.keyboard.press('Escape');
  await file.getByRole('search').waitFor({ state: 'detached' });
  await page.keyboard.press('Escape');
  await file.waitFor({ state: 'detached' });
  await soon(() => focused(page)).toMatch(/^Source \d: birds.pdf/);
  // A small image of the first page, drawn here.
  await messages(page).first().locator('img[src^="blob:"]').waitFor();

  const sources = answer.getByRole('region', { name: 'Sources' });
  await soon(() => sources.innerText()).toMatch(/birds\.pdf\s+Page 7/);
  await action(answer, 'More').click();
  await page.getByRole('menuitem', { name: 'Details' }).click();
  const details = page.getByRole('dialog', { name: 'Details of this answer' });
  await soon(() => details.innerText()).toMatch(/birds\.pdf\s+Passages: \d+ · From pages [\d, ]*7/);
});

testInFullRun('marks keep their text, and a quote stays when its file is gone', async () => {
  const { page, tolerated } = await stage.open('bob');
  tolerated.push(REFUSED);
  await openNewChat(page);
  const text = 'Water boils at **100 degrees**[1], as `x[1]` says [2].\n\nالماء يغلي [3] عند مئة.';
  const id = await openThread(stage.app, 'bob', page, ['When does water boil?', text]);
  await cite(id, text, ['[1],', '[3]']);
  await page.reload();
  const answer = lastMessage(page);
  const marks = answer.getByTestId('citation');
  await soon(() => answer.getByRole('paragraph').getByTestId('citation').count()).toBe(2);
  await soon(() => answer.getByRole('paragraph').first().textContent()).toBe(
    'Water boils at 100 degrees[1], as x[1] says [2].',
  );
  await marks.first().click();
  const passage = page.getByRole('dialog', { name: 'gone.pdf' });
  await passage.getByText('This file is no longer available.').waitFor();
  await passage.getByText('It boils at 100 degrees.').waitFor();
  await expectAccessible(page);
  await page.mouse.click(5, 400);
  await passage.waitFor({ state: 'detached' });
});

testInFullRun('an image of a conversation has the marks of its answers and their sources', async () => {
  const { page } = await stage.open('dave');
  await openNewChat(page);
  const text = 'Water boils at 100 degrees [1].';
  const id = await openThread(stage.app, 'dave', page, ['When does water boil?', text]);
  await cite(id, text, ['[1]']);
  await page.reload();
  await lastMessage(page).getByRole('region', { name: 'Sources' }).waitFor();
  await page.getByTestId('nav-user').click();
  await page.getByRole('menuitem', { name: 'Export conversation' }).click();
  const dialog = page.getByRole('dialog', { name: 'Export conversation' });
  await soon(() => dialog.getByLabel('Type').inputValue()).toBe('screenshot');
  // What is drawn off screen is there only until the image is taken.
  await page.evaluate(`{
    window.drawn = '';
    new MutationObserver(() => {
      const sheet = document.querySelector('body > [inert][aria-hidden]');
      if (sheet) window.drawn = sheet.innerText;
    }).observe(document.body, { subtree: true, childList: true });
  }`);
  const downloading = page.waitForEvent('download');
  await dialog.getByRole('button', { name: 'Export', exact: true }).click();
  await downloading;
  expect(await page.evaluate('window.drawn')).toMatch(/100 degrees\s+\[1\]\.\s+Sources\s+gone\.pdf\s+Page 3\s+\[1\]/);
});

test('a document that cannot be read says why, and does not keep a question from being sent', async () => {
  const { page } = await stage.open('carol');
  await openNewChat(page);
  await attach(page, { name: 'broken.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.4\n%%EOF') });
  await uploaded(page, 1);
  await soon(() => chips(page).innerText()).toContain('It is damaged');
  await expectAccessible(page);
  await composer(page).fill('What does it say?');
  await sendButton(page).click();
  await answered(page);
  await page.getByTestId('nav-user').click();
  await page.getByRole('menuitem', { name: 'My files' }).click();
  const row = page.getByRole('dialog', { name: 'My files' }).getByRole('rowheader');
  await soon(() => row.innerText()).toMatch(/broken\.pdf\s+It is damaged/);
});

/** What is cited, as the browser has marked it. */
function marked(page: Page): Promise<string[]> {
  return page.evaluate(() => [...(CSS.highlights.get('file-cited') ?? [])].map(String));
}

/** Sixty pages of more tokens than a quarter of the window; the seventh has the fact. */
function longPdf(): Buffer {
  const pages = Array.from({ length: 60 }, (_, at) => {
    const fact: [string, number][] = at === 6 ? [['The red kites nest 23 metres above the mill.', 640]] : [];
    const rest = Array.from({ length: 30 }, (__, n): [string, number] => [
      `Page ${at + 1}: line ${n} tells of rivers, weather and the people of valley ${(at * 31 + n) % 97}.`,
      620 - n * 15,
    ]);
    return lines(...fact, ...rest);
  });
  return Buffer.from(makePdfPages(pages));
}

/** Gives the answer of a conversation citations of a file that is gone, at these texts. */
async function cite(conversationId: string, text: string, at: string[]): Promise<void> {
  const fileId = randomUUID();
  const citations = at.map((mark, n): Citation => ({
    at: text.indexOf(mark),
    fileId,
    name: 'gone.pdf',
    page: 3,
    n,
    quote: 'It boils at 100 degrees.',
  }));
  const db = connect(stage.app.database, { max: 1 });
  await db.query
    .update(messageTable)
    .set({ parts: [{ type: 'text', text, citations }] })
    .where(and(eq(messageTable.convoId, conversationId), eq(messageTable.isCreatedByUser, false)));
  await db.end();
}
