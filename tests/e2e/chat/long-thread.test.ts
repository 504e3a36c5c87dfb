import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import {
  action,
  answered,
  ask,
  composer,
  lastMessage,
  messages,
  openNewChat,
  thread,
} from '../../support/browser/chat.ts';
import { NODES_MAX, countNodes, distance, text, threadsOf } from '../../support/browser/long-thread.ts';
import { delayTimers, soon, withApp } from '../../support/browser/app-fixture.ts';
import { threadLength, testInFullRun } from '../../support/extent.ts';

const stage = withApp();
const insert = threadsOf(stage);
test('thousands of messages open at their end, with few nodes there, in their middle and at their beginning', async () => {
  const { page } = await stage.open('alice');
  const { conversationId } = await insert('alice', threadLength);
  await page.goto(`/c/${conversationId}`);
  await text(page, `Message ${threadLength - 1}.`).waitFor();
  await soon(() => distance(page)).toBeLessThan(5);
  expect(await countNodes(page)).toBeLessThan(NODES_MAX);
  await thread(page).evaluate((element) => (element.scrollTop = element.scrollHeight / 2));
  await text(page, `Message ${threadLength - 1}.`).waitFor({ state: 'detached' });
  await soon(() => page.locator('[data-row=pending]').count()).toBe(0);
  expect(await countNodes(page)).toBeLessThan(NODES_MAX);
  await thread(page).evaluate((element) => (element.scrollTop = 0));
  await text(page, 'Message 0.').waitFor();
  expect(await countNodes(page)).toBeLessThan(NODES_MAX);
});

testInFullRun(
  'a line that is looked at moves as far as the wheel turns, whatever height what is above it turns out to have',
  async () => {
    const { page } = await stage.open('alice');
    const { conversationId } = await insert('alice', 2000);
    await page.goto(`/c/${conversationId}`);
    await text(page, 'Message 1999.').waitFor();
    await page.route('**/trpc/*messages.bodies**', async (route) => {
      await page.waitForTimeout(100);
      await route.continue();
    });
    await thread(page).hover();
    for (let step = 0; step < 15; step++) {
      const line = await lineInView(page);
      const before = await topOf(page, line);
      await page.mouse.wheel(0, -400);
      await soon(() => page.locator('[data-row=pending]').count()).toBe(0);
      await stillness(page);
      expect(Math.abs((await topOf(page, line)) - before - 400), `step ${step}, ${line}`).toBeLessThanOrEqual(1);
    }
  },
);

testInFullRun('a line that is looked at does not move while what is above it loads', async () => {
  const { page } = await stage.open('alice');
  const { conversationId } = await insert('alice', 2000);
  await page.goto(`/c/${conversationId}`);
  await text(page, 'Message 1999.').waitFor();
  const gate = await holdBodies(page);
  await thread(page).hover();
  for (let round = 0; round < 3; round++) {
    gate.shut();
    await soon(async () => {
      await page.mouse.wheel(0, -800);
      await stillness(page);
      return page.locator('[data-row=pending]').count();
    }).toBeGreaterThan(0);
    const line = await lineInView(page);
    expect(await isBelowPending(page, line)).toBe(true);
    const before = { height: await heightOf(page), top: await topOf(page, line) };
    const movement = movementOf(page, line, 60);
    gate.open();
    expect(await movement, `round ${round}, ${line}`).toBeLessThan(1);
    await soon(() => page.locator('[data-row=pending]').count()).toBe(0);
    await stillness(page);
    expect(Math.abs((await topOf(page, line)) - before.top), `round ${round}, ${line}`).toBeLessThan(1);
    expect(await heightOf(page), 'what came is not as high as was guessed').not.toBe(before.height);
  }
});

testInFullRun('it stays also where the browser does not anchor what is scrolled', async () => {
  const { page, context } = await stage.openElsewhere('bob');
  await context.addInitScript(() => {
    const style = new CSSStyleSheet();
    style.replaceSync('* { overflow-anchor: none }');
    document.adoptedStyleSheets = [style];
  });
  const { conversationId } = await insert('bob', 1000);
  await page.goto(`/c/${conversationId}`);
  await text(page, 'Message 999.').waitFor();
  await thread(page).hover();
  for (let step = 0; step < 12; step++) {
    await page.mouse.wheel(0, -700);
    await frames(page, 3);
    const line = await lineInView(page);
    expect(await movementOf(page, line, 6), `step ${step}`).toBeLessThanOrEqual(1);
  }
});

testInFullRun('far up a conversation everything is read, and nothing is read twice', async () => {
  const { page } = await stage.open('alice');
  const { conversationId } = await insert('alice', 1000);
  const asked: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('messages.bodies')) asked.push(...(request.url().match(ID) ?? []).slice(1));
  });
  await page.goto(`/c/${conversationId}`);
  await text(page, 'Message 999.').waitFor();
  await thread(page).evaluate((element) => (element.scrollTop = element.scrollHeight / 2));
  await soon(() => asked.length).toBeGreaterThan(0);
  await soon(() => page.locator('[data-row=pending]').count()).toBe(0);
  expect(new Set(asked).size).toBe(asked.length);
  expect(asked.length).toBeLessThan(200);
});

test('a conversation opens where its reader left it, and at its end when they were there', async () => {
  const { page } = await stage.open('alice');
  const { conversationId, ids } = await insert('alice', 600);
  await page.goto(`/c/${conversationId}`);
  await text(page, 'Message 599.').waitFor();
  const timers = await delayTimers(page, 0);
  await thread(page).evaluate((element) => (element.scrollTop = element.scrollHeight / 3));
  await stillness(page);
  await soon(() => page.locator('[data-row=pending]').count()).toBe(0);
  // The place is kept a moment after the last movement.
  await timers.settled();
  await soon(() => errorOfPlace(page, conversationId, ids)).toBeLessThan(3);
  const line = await lineInView(page);
  const before = await topOf(page, line);
  await page.reload();
  await text(page, line).waitFor();
  await soon(async () => Math.abs((await topOf(page, line)) - before)).toBeLessThan(3);

  await page.getByLabel('Scroll to the newest message').click();
  await text(page, 'Message 599.').waitFor();
  await soon(() => distance(page)).toBeLessThan(5);
  await soon(() => placeKept(page, conversationId)).toBeNull();
  await page.reload();
  await text(page, 'Message 599.').waitFor();
  await soon(() => distance(page)).toBeLessThan(5);
});

test('the address opens a message on its branch, marked and with the focus', async () => {
  const { page } = await stage.open('alice');
  const { conversationId, ids } = await insert('alice', 400, { parentAt: (n) => (n === 200 ? 99 : n - 1) });
  const row = page.locator(`[id="message-${ids[150]}"]`);
  // The mark fades by itself: the page looks for it from its load on.
  const marked = page.locator(`[id="message-${ids[150]}"][aria-current=true]`).waitFor();
  await Promise.all([marked, page.goto(`/c/${conversationId}?message=${ids[150]}`)]);
  await row.getByText('Message 150.').waitFor();
  await soon(() => row.evaluate((element) => element.contains(document.activeElement))).toBe(true);
  await soon(() => inView(page, row)).toBe(true);
  await soon(() => new URL(page.url()).search).toBe('');
  await soon(() => row.getAttribute('aria-current')).toBeNull();
  await thread(page).press('End');
  await text(page, 'Message 199.').waitFor();
});

testInFullRun('a row with the focus stays when it is scrolled out of view', async () => {
  const { page } = await stage.open('alice');
  const { conversationId } = await insert('alice', 600);
  await page.goto(`/c/${conversationId}`);
  await text(page, 'Message 599.').waitFor();
  await action(lastMessage(page), 'Copy to clipboard').focus();
  await thread(page).evaluate((element) => (element.scrollTop = 0));
  await text(page, 'Message 0.').waitFor();
  expect(await page.evaluate(() => document.activeElement?.ariaLabel)).toBe('Copy to clipboard');
  expect(await countNodes(page)).toBeLessThan(NODES_MAX);
});

test('a sent question goes to the top of the view, with room for its reply below', async () => {
  const { page } = await stage.open('alice');
  const { conversationId } = await insert('alice', 600);
  await page.goto(`/c/${conversationId}`);
  await text(page, 'Message 599.').waitFor();
  await composer(page).fill('A short question');
  await composer(page).press('Enter');
  const question = messages(page).filter({ hasText: 'A short question' }).first();
  await question.waitFor();
  await answered(page);
  await soon(() => fromTop(page, question)).toBeLessThan(40);
  await soon(() => fromTop(page, question)).toBeGreaterThanOrEqual(0);
  await soon(() => distance(page)).toBeLessThan(5);
});

test('the first question of a chat stays at the top, and what fits the view does not scroll', async () => {
  const { page } = await stage.open('alice');
  await openNewChat(page);
  await ask(page, 'Short');
  await answered(page);
  await soon(() => fromTop(page, messages(page).first())).toBeLessThan(40);
  await soon(() => thread(page).evaluate((element) => element.scrollHeight - element.clientHeight)).toBe(0);
});

const ID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

async function fromTop(page: Page, element: Locator): Promise<number> {
  const [box, view] = await Promise.all([element.boundingBox(), thread(page).boundingBox()]);
  return (box?.y ?? NaN) - (view?.y ?? NaN);
}

async function inView(page: Page, element: Locator): Promise<boolean> {
  const [box, view] = await Promise.all([element.boundingBox(), thread(page).boundingBox()]);
  return box !== null && view !== null && box.y >= view.y && box.y < view.y + view.height;
}

/** The beginning of the first message whose first line is in view. */
function lineInView(page: Page): Promise<string> {
  return thread(page).evaluate((element) => {
    const view = element.getBoundingClientRect();
    for (const row of element.querySelectorAll('[data-row=here]')) {
      const found = /Message \d+\./.exec(row.textContent)?.[0];
      const { top } = row.getBoundingClientRect();
      if (found && top > view.top && top < view.bottom - 20) return found;
    }
    throw new Error('No line is in view');
  });
}

function topOf(page: Page, line: string): Promise<number> {
  return text(page, line).evaluate((element) => element.getBoundingClientRect().top);
}

/** The most that a line was away from where it was, looked at in each of so many frames. */
function movementOf(page: Page, line: string, count: number): Promise<number> {
  return text(page, line).evaluate(async (element, frame) => {
    const scroller = element.closest('[role=log]');
    const at = () => element.getBoundingClientRect().top;
    const still = async () => {
      let last = NaN;
      while (scroller && scroller.scrollTop !== last) {
        last = scroller.scrollTop;
        await new Promise(requestAnimationFrame);
      }
    };
    await still();
    const before = at();
    let most = 0;
    for (let n = 0; n < frame; n++) {
      await new Promise(requestAnimationFrame);
      most = Math.max(most, Math.abs(at() - before));
    }
    return most;
  }, count);
}

function heightOf(page: Page): Promise<number> {
  return thread(page).evaluate((element) => element.scrollHeight);
}

/** Whether messages that are not here yet have their places above a line. */
function isBelowPending(page: Page, line: string): Promise<boolean> {
  return text(page, line).evaluate((element) => {
    const pending = document.querySelector('[data-row=pending]');
    return pending !== null && pending.getBoundingClientRect().bottom <= element.getBoundingClientRect().top;
  });
}

/** Keeps messages from coming while the gate is shut. */
async function holdBodies(page: Page): Promise<{ shut(): void; open(): void }> {
  const held: (() => void)[] = [];
  let isShut = false;
  await page.route('**/trpc/*messages.bodies**', async (route) => {
    if (isShut) await new Promise<void>((resolve) => held.push(resolve));
    await route.continue();
  });
  return {
    shut: () => void (isShut = true),
    open() {
      isShut = false;
      for (const letGo of held.splice(0)) letGo();
    },
  };
}

/** Where the browser remembers its reader to be; undefined while that still changes. */
async function placeKept(page: Page, conversationId: string): Promise<string | null | undefined> {
  const read = () =>
    page.evaluate((id) => {
      const places: Record<string, object> = JSON.parse(localStorage.getItem('places') ?? '{}');
      const place = places[id];
      return place ? JSON.stringify(place) : null;
    }, conversationId);
  const before = await read();
  await stillness(page);
  const isWhole = (await page.locator('[data-row=pending]').count()) === 0;
  return isWhole && (await read()) === before ? before : undefined;
}

/** How many pixels the kept place is off from where the thread stands, once it stands still. */
async function errorOfPlace(page: Page, conversationId: string, ids: readonly string[]): Promise<number> {
  const kept = await placeKept(page, conversationId);
  if (!kept) return Infinity;
  const { messageId, offset } = JSON.parse(kept) as { messageId: string; offset: number };
  const row = page.locator(`[data-row][data-index="${ids.indexOf(messageId)}"]`);
  const top = await row.evaluate((element) => {
    const scroller = element.closest('[role=log]') ?? element;
    return scroller.getBoundingClientRect().top - element.getBoundingClientRect().top;
  });
  return Math.abs(top - offset);
}

/** Waits until the thread has not moved for a while. */
async function stillness(page: Page): Promise<void> {
  await thread(page).evaluate(async (element) => {
    let last = NaN;
    for (let still = 0; still < 8; still = element.scrollTop === last ? still + 1 : 0) {
      last = element.scrollTop;
      await new Promise(requestAnimationFrame);
    }
  });
}

function frames(page: Page, count: number): Promise<void> {
  return page.evaluate(async (left) => {
    for (let n = 0; n < left; n++) await new Promise(requestAnimationFrame);
  }, count);
}
