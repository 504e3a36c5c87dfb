import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { answered, answerText, ask, openNewChat, send, stopButton, thread } from './chat.ts';
import { soon, withApp } from './stage.ts';

const stage = withApp();

test('while an answer is written its end stays in view, and a scroll upwards lets go of it at once', async () => {
  const { page } = await stage.open('alice');
  await openNewChat(page);
  await ask(page, 'Talk and talk [[fast:600]]');
  await answered(page);
  await ask(page, 'Go on and on [[never-ending]]');
  await answerText(page).getByText('100.').waitFor();
  for (const seen of ['120.', '140.', '160.']) {
    await answerText(page).getByText(seen).waitFor();
    await soon(() => distance(page)).toBeLessThan(5);
  }

  await thread(page).hover();
  await page.mouse.wheel(0, -300);
  await soon(() => distance(page)).toBeGreaterThan(200);
  const held = await thread(page).evaluate((element) => element.scrollTop);
  const length = await thread(page).evaluate((element) => element.scrollHeight);
  await soon(() => thread(page).evaluate((element) => element.scrollHeight)).toBeGreaterThan(length);
  expect(await thread(page).evaluate((element) => element.scrollTop)).toBe(held);

  await toEnd(page).click();
  await soon(() => distance(page)).toBeLessThan(5);
  const grown = await thread(page).evaluate((element) => element.scrollHeight);
  await soon(() => thread(page).evaluate((element) => element.scrollHeight)).toBeGreaterThan(grown);
  await soon(() => distance(page)).toBeLessThan(5);
  await stopButton(page).click();
  await answered(page);
});

test('the way to the end is offered from 15 percent of the view on, and not before', async () => {
  const { page } = await stage.open('alice');
  await openNewChat(page);
  await ask(page, 'Something long [[long:8000]]');
  await answered(page);
  await soon(() => isOffered(page)).toBe(false);

  const view = await thread(page).evaluate((element) => element.clientHeight);
  await scrollFromEnd(page, Math.floor(view * 0.14));
  // It is looked at 100 ms after a scroll, and fades for 400 ms.
  await page.waitForTimeout(600);
  expect(await isOffered(page)).toBe(false);
  await scrollFromEnd(page, Math.ceil(view * 0.16));
  await soon(() => isOffered(page)).toBe(true);

  await toEnd(page).click();
  await soon(() => distance(page)).toBeLessThan(5);
  await soon(() => isOffered(page)).toBe(false);
});

test('the way to the end leaves the focus in the thread, where Escape stops the answer', async () => {
  const { page } = await stage.open('alice');
  await openNewChat(page);
  await ask(page, 'Talk and talk [[fast:600]]');
  await answered(page);
  await ask(page, 'Go on and on [[never-ending]]');
  await answerText(page).getByText('20.').waitFor();
  await thread(page).hover();
  await page.mouse.wheel(0, -600);
  await soon(() => isOffered(page)).toBe(true);
  await toEnd(page).click();
  await soon(() => isOffered(page)).toBe(false);
  expect(await thread(page).evaluate((element) => element === document.activeElement)).toBe(true);
  await page.keyboard.press('Escape');
  await answered(page);
});

test('what fits the view offers no way to its end', async () => {
  const { page } = await stage.open('alice');
  await openNewChat(page);
  await ask(page, 'Short');
  await answered(page);
  // It is looked at 650 ms after the thread came.
  await page.waitForTimeout(700);
  expect(await isOffered(page)).toBe(false);
});

test('a conversation opens at its newest message, and a question takes its asker to the end', async () => {
  const { page } = await stage.open('alice');
  await openNewChat(page);
  await ask(page, 'Something long [[long:8000]]');
  await answered(page);
  await page.reload();
  await answerText(page).first().waitFor();
  await soon(() => distance(page)).toBeLessThan(5);

  await scrollFromEnd(page, 2_000);
  await send(page, 'And?');
  await soon(() => distance(page)).toBeLessThan(5);
  await answered(page);
  await soon(() => distance(page)).toBeLessThan(5);
});

test('the page itself never scrolls', async () => {
  const { page } = await stage.open('alice');
  await openNewChat(page);
  await ask(page, 'Something long [[long:8000]]');
  await answered(page);
  const { scroll, view } = await page.evaluate(() => ({
    scroll: document.documentElement.scrollHeight,
    view: innerHeight,
  }));
  expect(scroll).toBe(view);
});

function toEnd(page: Page): Locator {
  return page.getByLabel('Scroll to the newest message');
}

/** The button is always there; it is offered when it can be seen and reached. */
function isOffered(page: Page): Promise<boolean> {
  return toEnd(page).evaluate((button) => {
    const { visibility, opacity } = getComputedStyle(button);
    return visibility === 'visible' && Number(opacity) > 0.5;
  });
}

/** Pixels from the end of the thread. */
function distance(page: Page): Promise<number> {
  return thread(page).evaluate((element) => element.scrollHeight - element.clientHeight - element.scrollTop);
}

function scrollFromEnd(page: Page, pixels: number): Promise<void> {
  return thread(page).evaluate((element, from) => {
    element.scrollTop = element.scrollHeight - element.clientHeight - from;
  }, pixels);
}
