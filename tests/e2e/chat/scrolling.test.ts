import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { answered, answerText, ask, openNewChat, openThread, send, thread } from '../../support/browser/chat.ts';
import { delayTimers, soon, withApp } from '../../support/browser/app-fixture.ts';

const stage = withApp();

const LONG = ['Something long', 'A line that says a little about nothing much.\n\n'.repeat(200)];

test('while a reply is written its end stays in view, and a scroll upwards lets go of it at once; the way back leaves the focus in the thread, where Escape stops', async () => {
  const { page } = await stage.open('alice');
  await openNewChat(page);
  await ask(page, 'Talk and talk [[fast:600]]');
  await answered(page);
  await ask(page, 'Go on and on [[never-ending]]');
  await answerText(page).getByText('20.').waitFor();
  for (const seen of ['30.', '40.', '50.']) {
    await answerText(page).getByText(seen).waitFor();
    await soon(() => distance(page)).toBeLessThan(5);
  }

  await thread(page).hover();
  await page.mouse.wheel(0, -300);
  await soon(() => distance(page)).toBeGreaterThan(200);
  const top = () => thread(page).evaluate((element) => element.scrollTop);
  let held = await top();
  // The wheel may turn on for some frames.
  await soon(async () => {
    const last = held;
    held = await top();
    return held === last;
  }).toBe(true);
  const length = await thread(page).evaluate((element) => element.scrollHeight);
  await soon(() => thread(page).evaluate((element) => element.scrollHeight)).toBeGreaterThan(length);
  expect(await top()).toBe(held);

  await soon(() => isOffered(page)).toBe(true);
  await toEnd(page).click();
  await soon(() => isOffered(page)).toBe(false);
  await soon(() => distance(page)).toBeLessThan(5);
  await soon(() => thread(page).evaluate((element) => element === document.activeElement)).toBe(true);
  const grown = await thread(page).evaluate((element) => element.scrollHeight);
  await soon(() => thread(page).evaluate((element) => element.scrollHeight)).toBeGreaterThan(grown);
  await soon(() => distance(page)).toBeLessThan(5);
  await page.keyboard.press('Escape');
  await answered(page);
});

test('the way to the end is offered from 15 percent of the view on, and not before; the page itself never scrolls', async () => {
  const { page } = await stage.open('alice');
  await openNewChat(page);
  const timers = await delayTimers(page, 0);
  await openThread(stage.app, 'alice', page, LONG);
  await soon(() => distance(page)).toBeLessThan(5);
  await soon(() => isOffered(page)).toBe(false);

  const view = await thread(page).evaluate((element) => element.clientHeight);
  const isOfferedAt = async (distanceInPixels: number) => {
    await scrollFromEnd(page, distanceInPixels);
    await timers.settled();
    await faded(page);
    return isOffered(page);
  };
  // The thread may still change its height while its parts load, which moves its end.
  await soon(() => isOfferedAt(Math.floor(view * 0.14))).toBe(false);
  await soon(() => isOfferedAt(Math.ceil(view * 0.16))).toBe(true);

  await toEnd(page).click();
  await soon(() => distance(page)).toBeLessThan(5);
  await soon(() => isOffered(page)).toBe(false);
  await timers.restore();

  // The page itself never scrolls.
  const { scroll, view: height } = await page.evaluate(() => ({
    scroll: document.documentElement.scrollHeight,
    view: innerHeight,
  }));
  expect(scroll).toBe(height);
});

test('the end stays in view when text gets shorter and longer again at once', async () => {
  const { page } = await stage.open('alice');
  await openThread(stage.app, 'alice', page, LONG);
  await soon(() => distance(page)).toBeLessThan(5);
  await thread(page).evaluate(async (log) => {
    const last = [...log.querySelectorAll<HTMLElement>('[data-row]')].at(-1);
    const resize = (space: number) => {
      if (last) last.style.marginBottom = `${space}px`;
      return log.scrollHeight;
    };
    resize(400);
    for (let frames = 0; frames < 10; frames++) await new Promise(requestAnimationFrame);
    // The browser moves the position with the first, and says so before or after the sizes of the second.
    resize(100);
    resize(300);
    log.dispatchEvent(new Event('scroll'));
  });
  await soon(() => distance(page)).toBeLessThan(5);
});

test('what fits the view offers no way to its end', async () => {
  const { page } = await stage.open('alice');
  await openNewChat(page);
  const timers = await delayTimers(page, 0);
  await ask(page, 'Short');
  await answered(page);
  await timers.settled();
  await faded(page);
  expect(await isOffered(page)).toBe(false);
  await timers.restore();
});

test('a conversation opens at its newest message, and a question takes its asker to the end', async () => {
  const { page } = await stage.open('alice');
  await openThread(stage.app, 'alice', page, LONG);
  await soon(() => distance(page)).toBeLessThan(5);

  await scrollFromEnd(page, 2_000);
  await send(page, 'And?');
  await soon(() => distance(page)).toBeLessThan(5);
  await answered(page);
  await soon(() => distance(page)).toBeLessThan(5);
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

/** Waits for the ends of fades. */
function faded(page: Page): Promise<unknown> {
  return page.waitForFunction(() =>
    document.getAnimations().every(({ effect }) => effect?.getComputedTiming().iterations === Infinity),
  );
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
