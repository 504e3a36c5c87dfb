// Links to messages of answers that stand side by side: of search hits, of the outline and of the map.
import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { apiOf, hold, visit } from '../../support/browser/chat.ts';
import { soon, withApp } from '../../support/browser/app-fixture.ts';
import { countNodes, NODES_MAX, threadsOf } from '../../support/browser/long-thread.ts';

const stage = withApp();

const log = (page: Page, name: string) => page.getByRole('log', { name, exact: true });

test('a linked message is shown where it stands: in its column, above all columns, or on a branch of none', async () => {
  const { page } = await stage.open('alice');
  const { conversationId, ids } = await insertColumns();
  const open = (n: number) => visit(page, `/c/${conversationId}?message=${ids[n]}`);
  // Whether its answers stand side by side is known after its messages, this time.
  const release = await hold(page, '**/trpc/convos.byId*');
  const loaded = [/messages\.open/, /thread-[^/]*\.js/].map((part) => page.waitForResponse(part));
  await open(FIRST_END - 40);
  for (const response of await Promise.all(loaded)) await response.finished();
  await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
  release();
  await isOpenIn(log(page, 'gpt-4'), FIRST_END - 40);
  await log(page, 'gpt-4o')
    .getByText(`Message ${COUNT - 1}.`)
    .waitFor();

  // The outline has the questions of a column, and leads into it.
  await page.getByRole('button', { name: 'Questions in this chat' }).click();
  const list = page.getByRole('tree', { name: 'Questions in this chat' });
  await soon(() => list.locator('[aria-current]').innerText()).toContain(`Message ${FIRST_END - 41}.`);
  await page.keyboard.press('Home');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await isOpenIn(log(page, 'Chat'), 2);
  expect(await countNodes(page)).toBeLessThan(NODES_MAX);

  await open(ELSEWHERE);
  await isOpenIn(log(page, 'Chat'), ELSEWHERE);
  await page.getByText("This branch isn't in any of the columns.", { exact: false }).waitFor();
  expect(await page.getByTestId('column').count()).toBe(0);
  await page.getByRole('button', { name: 'Side by side' }).click();
  await soon(() => page.getByTestId('column').count()).toBe(2);
  await open(ELSEWHERE);
  await isOpenIn(log(page, 'Chat'), ELSEWHERE);
  await open(FIRST_END - 10);
  await isOpenIn(log(page, 'gpt-4'), FIRST_END - 10);

  await page.setViewportSize({ width: 390, height: 800 });
  await open(COUNT - 30);
  await isOpenIn(log(page, 'gpt-4o'), COUNT - 30);
  await soon(() => page.getByRole('tab', { name: 'gpt-4o' }).getAttribute('aria-selected')).toBe('true');
  await page.setViewportSize({ width: 1280, height: 800 });
});

/** The message has the focus and stands within the list, which stands within the window. */
async function isOpenIn(list: Locator, n: number): Promise<void> {
  const isOpen = () =>
    list.evaluate((element, start) => {
      const { activeElement } = document;
      if (!activeElement || !element.contains(activeElement) || !activeElement.textContent?.includes(start))
        return false;
      const [row, frame] = [activeElement.getBoundingClientRect(), element.getBoundingClientRect()];
      const isWithin = frame.left >= 0 && frame.right <= window.innerWidth;
      return isWithin && row.top >= frame.top - 1 && row.top < frame.bottom;
    }, `Message ${n}.`);
  await soon(isOpen).toBe(true);
}

/** What both columns have in common ends with this question. */
const SHARED_END = 500;
/** The last answer of the first column, and a question that follows nothing. */
const FIRST_END = 561;
const ELSEWHERE = FIRST_END + 1;
const COUNT = 622;

async function insertColumns() {
  const parentAt = (n: number) => (n === ELSEWHERE ? null : n === ELSEWHERE + 1 ? SHARED_END : n - 1);
  const inserted = await threadsOf(stage)('alice', COUNT, { parentAt });
  const { conversationId, ids } = inserted;
  const columns = [
    { endpoint: 'openAI', model: 'gpt-4', settings: {}, replyId: ids[FIRST_END] ?? '' },
    { endpoint: 'openAI', model: 'gpt-4o', settings: {}, replyId: ids[COUNT - 1] ?? '' },
  ];
  await (await apiOf(stage.app, 'alice')).convos.setColumns.mutate({ conversationId, columns });
  return inserted;
}
