import { connect, type Db } from '@parley/db/client';
import { users } from '@parley/db/tables/users';
import { eq } from 'drizzle-orm';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { insertThread } from '@parley/scripts/seed/threads';
import { action, answered, ask, composer, lastMessage, messages, openNewChat, sendButton, thread } from './chat.ts';
import { soon, withApp } from './stage.ts';
import { openMeter, type Meter } from './work.ts';

const stage = withApp();
let db: Db;

beforeAll(() => {
  db = connect(stage.app.database);
});
afterAll(() => db?.end());

/** At most so many nodes, however long the conversation is. */
const NODES_MAX = 3000;

test('5,000 messages open at their end, with few nodes', async () => {
  const { page } = await stage.open('alice');
  const { conversationId } = await insert('alice', 5000);
  await page.goto(`/c/${conversationId}`);
  await text(page, 'Message 4999.').waitFor();
  await soon(() => distance(page)).toBeLessThan(5);
  expect(await countNodes(page)).toBeLessThan(NODES_MAX);
  await thread(page).evaluate((element) => (element.scrollTop = 0));
  await text(page, 'Message 0.').waitFor();
  expect(await countNodes(page)).toBeLessThan(NODES_MAX);
});

test('20,000 messages open at their end, with few nodes there and in their middle', async () => {
  const { page } = await stage.open('alice');
  const { conversationId } = await insert('alice', 20_000);
  await page.goto(`/c/${conversationId}`);
  await text(page, 'Message 19999.').waitFor();
  await soon(() => distance(page)).toBeLessThan(5);
  expect(await countNodes(page)).toBeLessThan(NODES_MAX);
  await thread(page).evaluate((element) => (element.scrollTop = element.scrollHeight / 2));
  await text(page, 'Message 19999.').waitFor({ state: 'detached' });
  await soon(() => page.locator('[data-row=pending]').count()).toBe(0);
  expect(await countNodes(page)).toBeLessThan(NODES_MAX);
});

test('2,000 messages open about as easily as two, and the first word of an answer comes as soon', async () => {
  const { page } = await stage.open('alice');
  const meter = await openMeter(page);
  const short = await insert('alice', 2);
  const long = await insert('alice', 2000);
  const inShort: Round[] = [];
  const inLong: Round[] = [];
  for (let round = 0; round < 2; round++) {
    inShort.push(await openAndAsk(page, meter, short.conversationId));
    inLong.push(await openAndAsk(page, meter, long.conversationId));
  }
  expect.soft(Math.max(...inLong.map(({ nodes }) => nodes)), 'nodes').toBeLessThan(NODES_MAX);
  expect.soft(least(inLong, 'opening') / least(inShort, 'opening'), 'calls until it is open').toBeLessThan(3);
  expect.soft(least(inLong, 'asking') / least(inShort, 'asking'), 'calls until the first word').toBeLessThan(2);
  const tolerated = least(inShort, 'firstWord') * 2 + HESITATION;
  expect.soft(least(inLong, 'firstWord'), 'milliseconds until the first word').toBeLessThan(tolerated);
});

test('a line that is looked at moves as far as the wheel turns, whatever height what is above it turns out to have', async () => {
  const { page } = await stage.open('alice');
  const { conversationId } = await insert('alice', 5000);
  await page.goto(`/c/${conversationId}`);
  await text(page, 'Message 4999.').waitFor();
  await page.route('**/trpc/*messages.bodies**', async (route) => {
    await page.waitForTimeout(100);
    await route.continue();
  });
  await thread(page).hover();
  for (let step = 0; step < 30; step++) {
    const line = await lineInView(page);
    const before = await topOf(page, line);
    await page.mouse.wheel(0, -200);
    await soon(() => page.locator('[data-row=pending]').count()).toBe(0);
    await stillness(page);
    expect(Math.abs((await topOf(page, line)) - before - 200), `step ${step}, ${line}`).toBeLessThanOrEqual(1);
  }
});

test('a line that is looked at does not move while what is above it loads', async () => {
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

test('it stays also where the browser does not anchor what is scrolled', async () => {
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
  for (let step = 0; step < 20; step++) {
    await page.mouse.wheel(0, -700);
    await frames(page, 3);
    const line = await lineInView(page);
    expect(await movementOf(page, line, 6), `step ${step}`).toBeLessThanOrEqual(1);
  }
});

test('far up a conversation everything is read, and nothing is read twice', async () => {
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
  const { conversationId } = await insert('alice', 600);
  await page.goto(`/c/${conversationId}`);
  await text(page, 'Message 599.').waitFor();
  await thread(page).evaluate((element) => (element.scrollTop = element.scrollHeight / 3));
  await soon(() => page.locator('[data-row=pending]').count()).toBe(0);
  await page.waitForTimeout(500);
  const line = await lineInView(page);
  const before = await topOf(page, line);
  await page.reload();
  await text(page, line).waitFor();
  await soon(async () => Math.abs((await topOf(page, line)) - before)).toBeLessThan(3);

  await page.getByLabel('Scroll to the newest message').click();
  await text(page, 'Message 599.').waitFor();
  await soon(() => distance(page)).toBeLessThan(5);
  await page.waitForTimeout(500);
  await page.reload();
  await text(page, 'Message 599.').waitFor();
  await soon(() => distance(page)).toBeLessThan(5);
});

test('the address opens a message on its branch, marked and with the focus', async () => {
  const { page } = await stage.open('alice');
  const { conversationId, ids } = await insert('alice', 400, { parentAt: (n) => (n === 200 ? 99 : n - 1) });
  await page.goto(`/c/${conversationId}?message=${ids[150]}`);
  const row = page.locator(`[id="message-${ids[150]}"]`);
  await row.getByText('Message 150.').waitFor();
  expect(await row.evaluate((element) => element.contains(document.activeElement))).toBe(true);
  expect(await row.getAttribute('aria-current')).toBe('true');
  await soon(() => inView(page, row)).toBe(true);
  expect(new URL(page.url()).search).toBe('');
  await soon(() => row.getAttribute('aria-current')).toBeNull();
  await thread(page).press('End');
  await text(page, 'Message 199.').waitFor();
});

test('a row with the focus stays when it is scrolled out of view', async () => {
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

test('a sent question goes to the top of the view, with room for its answer below', async () => {
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
  expect(await fromTop(page, question)).toBeGreaterThanOrEqual(0);
  expect(await distance(page)).toBeLessThan(5);
});

test('the first question of a chat stays at the top, and what fits the view does not scroll', async () => {
  const { page } = await stage.open('alice');
  await openNewChat(page);
  await ask(page, 'Short');
  await answered(page);
  expect(await fromTop(page, messages(page).first())).toBeLessThan(40);
  expect(await thread(page).evaluate((element) => element.scrollHeight - element.clientHeight)).toBe(0);
});

const ID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

async function insert(name: string, count: number, { parentAt }: { parentAt?: (n: number) => number | null } = {}) {
  const [user] = await db.query
    .select({ id: users.id })
    .from(users)
    .where(eq(users.email, `${name}@example.com`));
  if (!user) throw new Error(`${name} has no account`);
  const parent = parentAt && ((n: number) => (n === 0 ? null : parentAt(n)));
  return insertThread(db, user.id, count, textAt, parent);
}

/** Texts of very different heights. */
function textAt(n: number): string {
  const more = Array.from({ length: (n * 7) % 12 }, (_, line) => `- line ${line} of ${n}, which says a little more`);
  return [`Message ${n}.`, ...more].join('\n');
}

function text(page: Page, start: string): Locator {
  return thread(page).getByText(start).first();
}

function distance(page: Page): Promise<number> {
  return thread(page).evaluate((element) => element.scrollHeight - element.clientHeight - element.scrollTop);
}

/** Elements, texts and whatever else there is. */
function countNodes(page: Page): Promise<number> {
  return page.evaluate(() => {
    const walker = document.createTreeWalker(document);
    let count = 1;
    while (walker.nextNode()) count++;
    return count;
  });
}

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

/** Milliseconds by which a busy machine's first words differ. */
const HESITATION = 400;

interface Round {
  /** Calls until the newest message is there, and from the click on send to the first word of the answer. */
  opening: number;
  asking: number;
  /** Milliseconds of the latter. */
  firstWord: number;
  nodes: number;
}

function least(rounds: readonly Round[], what: keyof Round): number {
  return Math.min(...rounds.map((round) => round[what]));
}

async function openAndAsk(page: Page, meter: Meter, conversationId: string): Promise<Round> {
  const opening = await meter.measure(async () => {
    await page.goto(`/c/${conversationId}`, { waitUntil: 'commit' });
    await page.locator('[data-row=here]').last().waitFor();
  });
  await composer(page).fill('Say something');
  await sendButton(page).and(page.locator(':enabled')).waitFor();
  // Whoever has typed a question has been there for a while.
  await page.waitForTimeout(500);
  const nodes = await countNodes(page);
  let firstWord = NaN;
  const asking = await meter.measure(async () => void (firstWord = await sendButton(page).evaluate(untilFirstWord)));
  await answered(page);
  return { opening: opening.calls, asking: asking.calls, firstWord, nodes };
}

/** Runs in the page. */
async function untilFirstWord(button: HTMLElement | SVGElement): Promise<number> {
  const pressed = performance.now();
  if (button instanceof HTMLElement) button.click();
  const hasSpoken = () => document.querySelector('article[aria-busy=true]')?.textContent.includes('You asked');
  while (!hasSpoken()) await new Promise(requestAnimationFrame);
  return performance.now() - pressed;
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
