// (g) Long chats: the browser's work for thousands of messages and very long answers.
import { connect, type Db } from '@parley/db/client';
import { connectionTo, preparePaths } from '@parley/db/embedded/paths';
import type { Browser, BrowserContext, CDPSession, Page } from 'playwright-core';
import { launchBrowser } from '../../browser.ts';
import { startFakeProvider } from '../../fake-provider.ts';
import { scriptedStream } from '../../fake-provider/scenario.ts';
import { insertThread } from '../../seed/threads.ts';
import { atMost, median, printFigures, type Figure } from '../figures.ts';
import { openParley } from '../parley-server.ts';
import { COMPOSER, SEND, visitAs } from './browser-visit.ts';

const ROUNDS = 7;
const ANSWER = 200_000;
/** 200 tokens a second. The beginning and the end are measured; the answer jumps over the middle. */
const PACE_MS = 5;
const TOKEN = 5;
const MEASURED = 12_500;
const MEASURED_MS = (MEASURED / TOKEN) * PACE_MS;
/** Time in milliseconds to render the jump. */
const LEAP_MS = 40_000;
const CPU_SLOWDOWN = 4;
const KEY_EVERY_MS = 150;
/** Very long answers in a row, as fast as they come. */
const ANSWERS = 20;
/** The heap is compared with its size after this many answers. */
const SETTLED = 4;
const ELEMENTS_MAX = 3000;

interface Visit {
  page: Page;
  url: string;
  /** Creates a conversation with this many messages and returns its id. */
  write(count: number): Promise<string>;
}

/** Prints the table and returns how many targets were missed. */
export async function benchLong(): Promise<number> {
  const provider = await startFakeProvider();
  provider.script('steady', {
    about: 'a very long answer at a steady pace',
    script: () => scriptedStream(leaping(), { pace: { every: PACE_MS, count: 1 } }),
  });
  provider.script('hasty', {
    about: 'a very long answer as fast as it is read',
    script: () => scriptedStream(deltas(200), { pace: { every: 1, count: 1 } }),
  });
  const parley = await openParley(provider.url);
  const db = connect(connectionTo(preparePaths(parley.folder), 'parley'));
  const browser = await launchBrowser();
  try {
    const visit = await openVisit(browser, parley.server.url, db);
    const figures = [
      ...(await measureOpening(visit)),
      ...(await measureFirstToken(visit)),
      ...(await measureReply(visit)),
      ...(await measureMemory(visit)),
    ];
    return printFigures('(g) long chats', figures);
  } finally {
    await browser.close();
    await db.end();
    await parley.close();
    await provider.close();
  }
}

async function openVisit(browser: Browser, url: string, db: Db): Promise<Visit> {
  const context: BrowserContext = await visitAs('reader', browser, url);
  const [user] = await db.sql<{ id: string }[]>`select id from users where email = 'reader@example.com'`;
  const write = async (count: number) => (await insertThread(db, user?.id ?? '', count, textAt)).conversationId;
  return { page: await context.newPage(), url, write };
}

/**
 * Time from page load until the newest message is readable, by turns for both chats. A chat of two messages shows the
 * base cost: the code, one response of the server, a screen of text.
 */
async function measureOpening({ page, write }: Visit): Promise<Figure[]> {
  const sizes = [2, 2000, 5000, 20_000];
  const ids = await Promise.all(sizes.map(write));
  const fresh: number[] = [];
  const times = sizes.map((): number[] => []);
  let elements = 0;
  for (let round = 0; round <= ROUNDS; round++) {
    const opened = await untilShown(page, '/c/new', `${COMPOSER}:not(:disabled)`);
    // The first round fills the browser's cache.
    if (round > 0) fresh.push(opened);
    for (const [index, id] of ids.entries()) {
      const shown = await untilShown(page, `/c/${id}`, '[data-row=here] [data-latest]');
      if (round > 0) times[index]?.push(shown);
      elements = Math.max(elements, await page.evaluate(() => document.querySelectorAll('*').length));
    }
  }
  const [two = NaN, ...longer] = times.map(median);
  return [
    { name: 'until a new chat takes input', cells: { time: ms(median(fresh)) } },
    { name: 'open 2 messages', cells: { time: ms(two) } },
    ...longer.map((time, index): Figure => {
      const cells = { time: ms(time), ratio: (time / two).toFixed(2) };
      const name = `open ${sizes[index + 1]} messages`;
      return index === 0 ? { name, cells, target: atMost(time / two, 1.3, 'x') } : { name, cells };
    }),
    { name: 'elements at most', cells: { time: String(elements) }, target: atMost(elements, ELEMENTS_MAX, '') },
  ];
}

async function untilShown(page: Page, path: string, selector: string): Promise<number> {
  await page.goto(path, { waitUntil: 'commit' });
  const shown = await page.waitForFunction((wanted) => document.querySelector(wanted) && performance.now(), selector, {
    polling: 'raf',
  });
  return Number(await shown.jsonValue());
}

/** From the click on send to the first word of the answer. */
async function measureFirstToken({ page, write }: Visit): Promise<Figure[]> {
  const empty: number[] = [];
  const long: number[] = [];
  const id = await write(2000);
  for (let round = 0; round < ROUNDS; round++) {
    empty.push(await firstToken(page, '/c/new'));
    long.push(await firstToken(page, `/c/${id}`));
  }
  const ratio = median(long) / median(empty);
  return [
    {
      name: 'first token after 2000 messages',
      cells: { time: ms(median(long)), 'empty chat': ms(median(empty)), ratio: ratio.toFixed(2) },
      target: atMost(ratio, 1.3, 'x'),
    },
  ];
}

async function firstToken(page: Page, path: string): Promise<number> {
  await page.goto(path);
  await page.fill(COMPOSER, 'Say something');
  await page.waitForSelector(`${SEND}:not(:disabled)`);
  // A user who has typed a question has been there for some seconds.
  await page.waitForTimeout(1000);
  const began = await page.evaluate((send) => {
    const pressed = performance.now();
    document.querySelector<HTMLElement>(send)?.click();
    return pressed;
  }, SEND);
  const spoken = await page.waitForFunction(
    () => [...document.querySelectorAll('article')].at(-1)?.textContent.includes('You asked') && performance.now(),
    undefined,
    { polling: 'raf' },
  );
  const taken = Number(await spoken.jsonValue()) - began;
  await page.waitForSelector('[data-testid="stop-button"]', { state: 'detached' });
  return taken;
}

/** Typing latency during a very long answer, and the main thread's work per delta. */
async function measureReply({ page }: Visit): Promise<Figure[]> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Performance.enable', { timeDomain: 'threadTicks' });
  await page.goto('/c/new');
  await ask(page, '[[steady]] Tell me everything.');
  await page.waitForFunction(() => (document.querySelector('article[aria-busy=true]')?.textContent.length ?? 0) > 100);
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN });
  const began = performance.now();
  const first = await typeFor(MEASURED_MS * 0.8);
  // The jump is rendered without throttling.
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: 1 });
  await page.waitForTimeout(began + MEASURED_MS + LEAP_MS - performance.now());
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN });
  const last = await typeFor(MEASURED_MS * 0.8);
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: 1 });
  await page.waitForSelector('[data-testid="stop-button"]', { state: 'detached', timeout: 180_000 });
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN });
  const rest = await typeFor(10_000);
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: 1 });
  await devtools.detach();
  const growth = last.busy / first.busy;
  return [
    {
      name: `typing at the end of 200,000 characters, p95 of ${last.delays.length}`,
      cells: { time: ms(nearlyAll(last.delays)), 'at rest': ms(nearlyAll(rest.delays)) },
      target: atMost(nearlyAll(last.delays), 50, ' ms'),
    },
    {
      name: 'main thread at the end beside the beginning',
      cells: { time: `${last.busy.toFixed(2)} / ${first.busy.toFixed(2)}`, ratio: growth.toFixed(2) },
      target: atMost(growth, 1.5, 'x'),
    },
  ];

  /** The latency of keys typed for this long, and the busy share of the main thread meanwhile. */
  async function typeFor(duration: number) {
    const before = await taskTime(devtools);
    const start = performance.now();
    const delays = await type(page, duration);
    return { delays, busy: ((await taskTime(devtools)) - before) / (performance.now() - start) };
  }
}

/** Types for this many milliseconds and returns each key's latency. */
async function type(page: Page, duration: number): Promise<number[]> {
  await page.evaluate(watchKeys);
  await page.focus(COMPOSER);
  const until = performance.now() + duration;
  while (performance.now() < until) {
    await page.keyboard.press('KeyA');
    await page.waitForTimeout(KEY_EVERY_MS);
  }
  return page.evaluate(() => (Reflect.get(window, 'keyDelays') as number[]).splice(0));
}

function nearlyAll(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * 0.95)] ?? NaN;
}

/** Runs in the page: measures from each key press to the frame that shows it. */
function watchKeys(): void {
  if (Reflect.has(window, 'keyDelays')) return;
  const delays: number[] = [];
  Reflect.set(window, 'keyDelays', delays);
  document.addEventListener(
    'keydown',
    ({ timeStamp }) => requestAnimationFrame(() => setTimeout(() => delays.push(performance.now() - timeStamp))),
    true,
  );
}

/** Compares the heap after many very long answers with the heap after a few. */
async function measureMemory({ page }: Visit): Promise<Figure[]> {
  const devtools = await page.context().newCDPSession(page);
  await page.goto('/c/new');
  let settled = NaN;
  for (let n = 1; n <= ANSWERS; n++) {
    await ask(page, `[[hasty]] And answer number ${n}?`);
    await page.waitForSelector('[data-testid="stop-button"]');
    await page.waitForSelector('[data-testid="stop-button"]', { state: 'detached', timeout: 180_000 });
    if (n === SETTLED) settled = await heap(devtools);
  }
  const after = await heap(devtools);
  const ratio = after / settled;
  return [
    {
      name: `heap after ${ANSWERS} such answers beside after ${SETTLED}`,
      cells: { time: `${megabytes(after)} / ${megabytes(settled)}`, ratio: ratio.toFixed(2) },
      target: atMost(ratio, 1.3, 'x'),
    },
  ];
}

async function heap(devtools: CDPSession): Promise<number> {
  await devtools.send('HeapProfiler.collectGarbage');
  return (await devtools.send('Runtime.getHeapUsage')).usedSize;
}

async function ask(page: Page, question: string): Promise<void> {
  await page.fill(COMPOSER, question);
  await page.waitForSelector(`${SEND}:not(:disabled)`);
  await page.click(SEND);
}

async function taskTime(devtools: CDPSession): Promise<number> {
  const { metrics } = await devtools.send('Performance.getMetrics');
  return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? NaN) * 1000;
}

function* deltas(size: number) {
  const text = longReply();
  for (let at = 0; at < text.length; at += size) yield { type: 'text' as const, text: text.slice(at, at + size) };
}

/** Paced at both measured ends, and all at once in between. */
function* leaping() {
  const text = longReply();
  for (let at = 0; at < MEASURED; at += TOKEN) yield { type: 'text' as const, text: text.slice(at, at + TOKEN) };
  const end = text.length - MEASURED;
  yield { type: 'text' as const, text: text.slice(MEASURED, end) };
  yield { type: 'wait' as const, ms: LEAP_MS };
  for (let at = end; at < text.length; at += TOKEN) yield { type: 'text' as const, text: text.slice(at, at + TOKEN) };
}

/** Paragraphs, lists and code of exactly the length that is measured. */
function longReply(): string {
  let text = '';
  for (let n = 1; text.length < ANSWER; n++) text += part(n);
  return text.slice(0, ANSWER);
}

function part(n: number): string {
  return `## Part ${n}

Some **bold** words and \`code\` in a sentence that is long enough to be broken over several lines on most screens.

- a first point of part ${n}
- a second one

\`\`\`ts
export const part${n} = (values: number[]) => values.filter((value) => value > ${n});
\`\`\`

`;
}

/** Texts of different heights. */
function textAt(n: number): string {
  return [`Message ${n}.`, ...Array.from({ length: (n * 7) % 12 }, (_, line) => `- line ${line} of ${n}`)].join('\n');
}

function ms(milliseconds: number): string {
  return `${milliseconds.toFixed(0)} ms`;
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}
