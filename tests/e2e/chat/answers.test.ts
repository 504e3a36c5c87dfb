// What the thread offers with an answer: its facts, thumbs, quotes of it, the time of its thoughts.
import { expect, test } from 'vitest';
import { expectAccessible } from '../../support/browser/axe.ts';
import { action, answered, apiOf, ask, composer, lastMessage, openId, openThread } from '../../support/browser/chat.ts';
import { soon, withApp } from '../../support/browser/app-fixture.ts';

const stage = withApp();

test('an answer tells what it took, is rated by hand and by key, and keeps both', async () => {
  const { page } = await stage.open('alice');
  await openThread(stage.app, 'alice', page, ['Why do swallows leave?', '### Food\n\nThere is none.\n\n# End']);
  await soon(() => headingLevels(page)).toEqual(['2', '2']);
  await ask(page, 'Think about it [[reasoning]]');
  await answered(page);
  const answer = lastMessage(page);
  await answer.locator('summary', { hasText: /^Thought for [\d.]+ sec$/ }).waitFor();
  const facts = answer.getByText(/\d tokens/);
  await facts.waitFor({ state: 'attached' });
  // The thread takes the answer to its place.
  let before = await answer.boundingBox();
  await soon(async () => {
    const last = before;
    before = await answer.boundingBox();
    return before?.y === last?.y && before?.height === last?.height;
  }).toBe(true);
  await answer.hover();
  await soon(() => facts.evaluate((element) => getComputedStyle(element.parentElement ?? element).opacity)).toBe('1');
  expect(await answer.boundingBox()).toEqual(before);

  await action(answer, 'Good answer').click();
  await soon(() => ratings(page)).toEqual([1]);
  const bad = action(answer, 'Bad answer');
  await bad.focus();
  await page.keyboard.press('Enter');
  await soon(() => ratings(page)).toEqual([-1]);
  await expectAccessible(page);
  await page.reload();
  await soon(() => action(lastMessage(page), 'Bad answer').getAttribute('aria-pressed')).toBe('true');
  await lastMessage(page).locator('summary', { hasText: 'Thought for' }).waitFor();
  await action(lastMessage(page), 'Bad answer').click();
  await soon(() => ratings(page)).toEqual([]);
});

test('selected text of a message is quoted into the message box, by pointer and by key', async () => {
  const { page } = await stage.open('alice');
  await openThread(stage.app, 'alice', page, ['Why do swallows leave?', 'There is no food.\n\nIt is cold.']);
  const offer = page.getByRole('button', { name: 'Quote', exact: true });
  await composer(page).fill('First of all');
  await lastMessage(page).getByText('There is no food.').click({ clickCount: 3 });
  await offer.waitFor();
  const [selection, button] = [await selectionBox(page), await offer.boundingBox()];
  expect(button && (button.y + button.height <= selection.top || button.y >= selection.bottom)).toBe(true);
  await offer.click();
  await soon(() => composer(page).inputValue()).toBe('First of all\n\n> There is no food.\n\n');
  await soon(() => composer(page).evaluate((box) => document.activeElement === box)).toBe(true);
  await soon(() => offer.count()).toBe(0);

  await lastMessage(page).getByText('It is cold.').click({ clickCount: 3 });
  await offer.waitFor();
  await page.keyboard.press('Escape');
  await soon(() => offer.count()).toBe(0);
  await lastMessage(page).getByText('It is cold.').click({ clickCount: 3 });
  await offer.waitFor();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await soon(() => composer(page).inputValue()).toContain('> It is cold.');
});

type Page = Awaited<ReturnType<typeof stage.open>>['page'];

async function ratings(page: Page): Promise<number[]> {
  const api = await apiOf(stage.app, 'alice');
  const stored = await api.messages.list.query({ conversationId: openId(page) });
  return stored.flatMap(({ rating }) => rating ?? []);
}

function headingLevels(page: Page): Promise<(string | null)[]> {
  const headings = page.locator('article :is(h1, h2, h3)');
  return headings.evaluateAll((all) => all.map((one) => one.getAttribute('aria-level')));
}

function selectionBox(page: Page): Promise<{ top: number; bottom: number }> {
  return page.evaluate(() => {
    const box = document.getSelection()?.getRangeAt(0).getBoundingClientRect();
    return { top: box?.top ?? 0, bottom: box?.bottom ?? 0 };
  });
}
