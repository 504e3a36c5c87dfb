// Files of a question: chosen, pasted or dropped, uploaded, sent, and seen in the thread.
import { connect } from '@parley/db/client';
import { sql } from 'drizzle-orm';
import type { Locator } from 'playwright-core';
import { expect, test } from 'vitest';
import { testInFullRun } from '../../support/extent.ts';
import { apiClient } from '../../support/browser/api-client.ts';
import { delayTimers, soon, withApp } from '../../support/browser/app-fixture.ts';
import { attach, chips, dragOver, giveFiles, picture, textFile, uploaded } from '../../support/browser/attachments.ts';
import { expectAccessible } from '../../support/browser/axe.ts';
import { answered, composer, hold, messages, openNewChat, sendButton, thread } from '../../support/browser/chat.ts';
import { focused } from '../../support/browser/keyboard.ts';

const stage = withApp();
const REFUSED = /Failed to load resource/;

test('files are checked, uploaded, kept over a reload, sent and shown afterwards', async () => {
  const { page } = await stage.open('alice');
  await openNewChat(page);
  await attach(page, await picture('by the sea.png'), textFile('plan.txt', 'Three days'), {
    ...textFile('tune.mp3', 'ID3\u0003\0', 'audio/mpeg'),
  });
  const refused = page.getByTestId('toast').filter({ hasText: 'Currently, unsupported file type: audio/mpeg' });
  await soon(() => refused.innerText()).toContain('Currently, unsupported file type: audio/mpeg\ntune.mp3');
  await uploaded(page, 2);
  await expectAccessible(page);
  // So narrow that the sentences take more than one line, all of which begin at the same place.
  await page.setViewportSize({ width: 300, height: 720 });
  await attach(page, textFile('plan.txt', 'Three days'), textFile('noise', 'x\0', ''));
  const list = page.getByTestId('toast').filter({ hasText: 'Duplicate file detected.' });
  const items = () =>
    list.getByRole('listitem').evaluateAll((found) =>
      found.map((item) => {
        const text = document.createRange();
        text.selectNodeContents(item);
        const lines = [...text.getClientRects()].filter(({ width }) => width > 0);
        return [item.textContent, new Set(lines.map(({ left }) => left)).size];
      }),
    );
  await soon(items).toEqual([
    ['Duplicate file detected.\nplan.txt', 1],
    ['Unable to determine file type for: noise', 1],
  ]);
  await page.setViewportSize({ width: 1280, height: 720 });

  await page.reload();
  await uploaded(page, 2);
  await composer(page).fill('What is this?');
  await sendButton(page).click();
  await answered(page);
  await soon(() => chips(page).count()).toBe(0);
  await page.reload();

  const question = messages(page).first();
  await question.getByText('What is this?').waitFor();
  const image = question.getByRole('img', { name: 'Open by the sea.png' });
  await soon(() => image.evaluate((one: HTMLImageElement) => one.complete && one.naturalWidth)).toBeGreaterThan(0);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    question.getByRole('button', { name: 'Download plan.txt, 10 bytes' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('plan.txt');
  await expectAccessible(page);
});

test('pasted and dropped files are attached, and can be sent without text', async () => {
  const { page } = await stage.open('alice');
  await openNewChat(page);
  await page.getByTestId('add-button').waitFor();
  await composer(page).focus();
  await giveFiles(page, 'paste', [await picture('pasted.png', '#a53')]);
  await uploaded(page, 1);
  await dragOver(page);
  const overlay = page.getByTestId('drop-overlay');
  await overlay.getByText('Drop any file here to add it to the conversation').waitFor();
  await expectAccessible(page);
  await giveFiles(page, 'drop', [textFile('dropped.md', '# Hello', 'text/markdown')]);
  await overlay.waitFor({ state: 'detached' });
  await uploaded(page, 2);
  await sendButton(page).click();
  await thread(page).getByRole('button', { name: 'Open pasted.png' }).waitFor();
  await answered(page);
  await thread(page)
    .getByRole('button', { name: /^dropped.md \d/ })
    .waitFor();
});

test('files that are pasted or dropped before the code for them has loaded are attached once it has', async () => {
  const { page } = await stage.open('alice');
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route('**/assets/later-*.js', async (route) => {
    await held;
    await route.continue();
  });
  let offer = () => {};
  const offered = new Promise<void>((resolve) => (offer = resolve));
  await page.route(/endpoints\.list/, async (route) => {
    await offered;
    await route.continue();
  });
  await page.goto('/c/new');
  await composer(page).click();
  await giveFiles(page, 'paste', [await picture('pasted.png', '#35a')]);
  expect(await dragOver(page)).toBe('taken');
  await giveFiles(page, 'drop', [textFile('dropped.txt', 'early')]);
  await page.getByPlaceholder('Search messages').focus();
  await giveFiles(page, 'paste', [textFile('elsewhere.txt', 'into the search')]);
  expect(await page.getByTestId('add-button').count()).toBe(0);
  release();
  // The place of the buttons becomes theirs, before it is known which model takes the files.
  const place = sendButton(page).locator('xpath=../*[1]');
  await soon(() => place.evaluate((one) => one.tagName)).toBe('DIV');
  await giveFiles(page, 'drop', [textFile('between.txt', 'still early')]);
  offer();
  await uploaded(page, 3);
  await soon(() => chips(page).allInnerTexts()).toEqual([
    expect.stringContaining('pasted.png'),
    expect.stringContaining('dropped.txt'),
    expect.stringContaining('between.txt'),
  ]);
  for (const name of ['pasted.png', 'dropped.txt', 'between.txt'])
    await page.getByRole('button', { name: `Remove ${name}` }).click();
});

test('a file that is taken out is deleted at once, also after a reload and with another new chat', async () => {
  const { page } = await stage.openElsewhere('dave');
  await openNewChat(page);
  const dave = await apiClient(stage.app, 'dave');
  const stored = async () => {
    const files = (await dave.call('GET', '/api/files')) as { filename: string }[];
    return files.map(({ filename }) => filename).toSorted();
  };
  await attach(page, textFile('one.txt', 'one'), textFile('two.txt', 'two'), textFile('three.txt', 'three'));
  await uploaded(page, 3);
  await page.reload();
  await uploaded(page, 3);
  await page.getByRole('button', { name: 'Remove one.txt' }).click();
  await soon(stored).toEqual(['three.txt', 'two.txt']);
  // One more is left while the one before is being deleted.
  const discards: (string | null)[] = [];
  page.on('request', (request) => request.url().includes('files.discard') && discards.push(request.postData()));
  const release = await hold(page, /files\.discard/);
  await page.getByRole('button', { name: 'Remove two.txt' }).click();
  await soon(() => discards.length).toBe(1);
  await composer(page).fill('Read these');
  await page.getByRole('link', { name: 'New chat' }).first().click();
  await soon(() => chips(page).count()).toBe(0);
  release();
  await soon(stored).toEqual([]);
  for (const discard of discards) expect(discard).toContain('"drafts":["new"]');
  await soon(() => composer(page).inputValue()).toBe('Read these');
});

test('an upload can be cancelled, retried and removed by keyboard; nothing is sent meanwhile', async () => {
  const { page, tolerated } = await stage.openElsewhere('bob');
  tolerated.push(REFUSED, /ERR_FAILED/);
  await openNewChat(page);
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route('**/api/files', async (route) => {
    await held;
    await route.continue().catch(() => undefined);
  });
  await attach(page, textFile('slow.txt', 'slow'));
  await composer(page).fill('Not yet');
  await chips(page).first().getByRole('progressbar').waitFor();
  await soon(() => sendButton(page).isDisabled()).toBe(true);
  await composer(page).press('Enter');
  await page.getByRole('button', { name: 'Cancel the upload of slow.txt' }).click();
  await soon(() => chips(page).count()).toBe(0);
  await soon(() => composer(page).inputValue()).toBe('Not yet');
  release();
  await page.unrouteAll({ behavior: 'ignoreErrors' });

  await page.route('**/api/files', (route) => route.abort());
  await attach(page, textFile('lost.txt', 'lost'));
  await page.getByTestId('toast').getByText('An error occurred while uploading the file. Please try again.').waitFor();
  await soon(() => sendButton(page).isDisabled()).toBe(true);
  await expectAccessible(page);
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await page.getByRole('button', { name: 'Upload lost.txt again' }).click();
  await uploaded(page, 1);
  await soon(() => sendButton(page).isDisabled()).toBe(false);

  const removed = page.waitForRequest((request) => request.url().includes('files.discard'));
  await attach(page, textFile('second.txt', 'second'));
  await uploaded(page, 2);
  await chips(page).first().focus();
  await page.keyboard.press('ArrowRight');
  await soon(() => focused(page)).toMatch(/^second.txt/);
  await page.keyboard.press('Delete');
  await soon(() => focused(page)).toMatch(/^lost.txt/);
  await page.keyboard.press('Delete');
  await soon(() => focused(page)).toMatch(/^Message/);
  expect((await removed).postDataJSON()).toMatchObject({ 0: { ids: expect.any(Array) } });
});

testInFullRun('a file that is taken out once the server has it is deleted there at once', async () => {
  const { page, context } = await stage.openElsewhere('frank');
  await openNewChat(page);
  const frank = await apiClient(stage.app, 'frank');
  const stored = async () =>
    ((await frank.call('GET', '/api/files')) as { filename: string }[]).map((one) => one.filename);
  const before = await stored();
  const devtools = await context.newCDPSession(page);
  const answered = new Promise<string>((resolve) =>
    devtools.once('Fetch.requestPaused', ({ requestId }) => resolve(requestId)),
  );
  await devtools.send('Fetch.enable', { patterns: [{ urlPattern: '*/api/files', requestStage: 'Response' }] });
  await attach(page, textFile('sent.txt', 'sent'));
  const requestId = await answered;
  const bar = chips(page).getByRole('progressbar');
  await soon(() => bar.getAttribute('aria-valuenow')).toBe('90');
  await page.getByRole('button', { name: 'Cancel the upload of sent.txt' }).click();
  await soon(() => chips(page).count()).toBe(0);
  // A request that was cancelled all the same is unknown by now.
  await devtools.send('Fetch.continueRequest', { requestId }).catch(() => undefined);
  await devtools.send('Fetch.disable');
  await soon(stored).toEqual(before);

  // The bar stays for a moment after the answer.
  const timers = await delayTimers(page, 60_000);
  await Promise.all([page.waitForResponse('**/api/files'), attach(page, textFile('stored.txt', 'stored'))]);
  await soon(() => bar.getAttribute('aria-valuenow')).toBe('90');
  await timers.restore();
  await page.getByRole('button', { name: 'Cancel the upload of stored.txt' }).click();
  await soon(stored).toEqual(before);
});

test('a file that the server refuses leaves the question, in the words of the page', async () => {
  const { page, tolerated } = await stage.openElsewhere('carol', { locale: 'de-DE' });
  tolerated.push(REFUSED);
  await page.goto(`${stage.app.url}/c/new`);
  const broken = Buffer.concat([(await picture('whole.png')).buffer.subarray(0, 60), Buffer.alloc(60)]);
  await attach(page, { name: 'kaputt.png', mimeType: 'image/png', buffer: broken }, textFile('plan.txt', 'Drei Tage'));
  await page.getByTestId('toast').getByText('Das Bild kann nicht gelesen werden').waitFor();
  await soon(() => chips(page).allInnerTexts()).toEqual([expect.stringMatching(/^plan.txt\n9 Byte/)]);
});

testInFullRun('the large view steps through the pictures by keyboard and returns the focus', async () => {
  const { page } = await stage.open('alice');
  await openNewChat(page);
  await attach(page, await picture('first.png', '#357'), await picture('second.png', '#384', 300, 900));
  await uploaded(page, 2);
  await composer(page).fill('Two pictures');
  await sendButton(page).click();
  await answered(page);
  await thread(page).getByRole('button', { name: 'Open first.png' }).focus();
  await page.keyboard.press('Enter');
  const view = page.getByTestId('lightbox');
  await view.getByText('1 of 2').waitFor();
  await expectAccessible(page);
  await page.keyboard.press('ArrowRight');
  await view.getByText('2 of 2').waitFor();
  const image = view.getByRole('img', { name: 'second.png' });
  const width = () => image.evaluate((one) => one.getBoundingClientRect().width);
  await soon(() => image.evaluate((one: HTMLImageElement) => one.complete)).toBe(true);
  const before = await width();
  await page.keyboard.press('+');
  // Half as large again, and moved by the arrows.
  await soon(async () => Math.round(((await width()) / before) * 100)).toBe(150);
  const top = () => image.evaluate((one) => Math.round(one.getBoundingClientRect().top));
  const fromTop = await top();
  await page.keyboard.press('ArrowDown');
  await soon(top).toBeLessThan(fromTop);
  await page.keyboard.press('0');
  await soon(width).toBe(before);
  // The button that can go no further keeps the focus, and with it the keys.
  const closer = view.getByRole('button', { name: 'Zoom in' });
  await closer.focus();
  for (let presses = 0; presses < 6; presses++) await page.keyboard.press('Enter');
  await soon(() => closer.getAttribute('aria-disabled')).toBe('true');
  expect(await focused(page)).toBe('Zoom in');
  await page.keyboard.press('0');
  await soon(width).toBe(before);
  await page.keyboard.press('Escape');
  await view.waitFor({ state: 'detached' });
  await soon(() => page.evaluate(() => document.activeElement?.getAttribute('data-tooltip'))).toBe('first.png');

  await setPrompt('first.png', 'A red kite over a valley, as a woodcut');
  await page.reload();
  await thread(page).getByRole('button', { name: 'Open A red kite over a valley, as a woodcut' }).click();
  await view.getByText('first.png').waitFor();
  await view.getByRole('paragraph').getByText('A red kite over a valley, as a woodcut').waitFor();
  await expectAccessible(page);
});

/** As if a tool had made the image from these words. */
async function setPrompt(name: string, prompt: string): Promise<void> {
  const db = connect(stage.app.database, { max: 1 });
  await db.query.execute(sql`
    update messages set parts = (
      select jsonb_agg(case when part->>'name' = ${name} then part || jsonb_build_object('prompt', ${prompt}::text) else part end)
      from jsonb_array_elements(parts) part
    ) where parts @> jsonb_build_array(jsonb_build_object('name', ${name}::text))`);
  await db.end();
}

testInFullRun('on a phone files are attached and viewed as on a desktop', async () => {
  const { page } = await stage.openElsewhere('carol', {
    viewport: { width: 390, height: 844 },
    isMobile: true,
    hasTouch: true,
    colorScheme: 'dark',
  });
  await openNewChat(page);
  await attach(page, await picture('selfie.png'), textFile('note.txt', 'a note'));
  await uploaded(page, 2);
  const isInRow = (chip: Locator) =>
    chip.evaluate((one) => {
      const [inner, outer] = [one.getBoundingClientRect(), one.closest('ul')?.getBoundingClientRect()];
      return outer !== undefined && inner.left >= outer.left && inner.right <= outer.right;
    });
  // Of several, one that is added or fails comes into view.
  await soon(() => isInRow(chips(page).last())).toBe(true);
  await expectAccessible(page);
  await sendButton(page).tap();
  await thread(page).getByRole('button', { name: 'Open selfie.png' }).tap();
  const view = page.getByTestId('lightbox');
  await view.getByRole('button', { name: 'Close' }).tap();
  await view.waitFor({ state: 'detached' });
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true);
});
