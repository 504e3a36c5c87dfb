// What very long answers cost the browser. A busy machine's clock means little: what is bound is work that is counted,
// or time beside the time that the same work took elsewhere in the same run.
import type { CDPSession, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { answered, ask, composer, lastMessage, openNewChat } from '../../support/browser/chat.ts';
import { startGrowingAnswer, type GrowingAnswer } from '../../support/browser/growing-answer.ts';
import { withApp } from '../../support/browser/app-fixture.ts';
import { openCpuMeter, type CpuMeter, type CpuUse } from '../../support/measuring/cpu-meter.ts';

const stage = withApp();

/** Milliseconds until a very long answer is drawn, and that a test with some may take. */
const DRAWING = 90_000;
const LONG = 240_000;

test(
  'a piece costs and typing takes at the end of 200,000 characters what they did before',
  { timeout: LONG },
  async () => {
    const { page } = await stage.openElsewhere('alice');
    const meter = await openCpuMeter(page);
    const recital = startGrowingAnswer(stage.app, 220_000);
    await openNewChat(page);
    const atRest = await typeSlowly(page);

    recital.sayTo(14_000, 2_000);
    await ask(page, `Tell me everything ${recital.cue}`);
    const first = await costOfPieces(page, meter, recital, 14_000);
    recital.sayTo(22_000, 5);
    const atBeginning = await typeSlowly(page);

    recital.sayTo(196_000, 2_000);
    const last = await costOfPieces(page, meter, recital, 196_000);
    recital.sayTo(220_000, 5);
    const atEnd = await typeSlowly(page);
    recital.end();

    expect.soft(last.calls / first.calls, 'calls of functions').toBeLessThan(1.5);
    expect.soft(last.time / first.time, 'time of the main thread').toBeLessThan(2.5);
    expect.soft(atEnd / atBeginning, 'typing beside the beginning').toBeLessThan(4);
    expect.soft(atEnd / atRest, 'typing beside no answer').toBeLessThan(10);
    expect.soft(atEnd, 'milliseconds of a key').toBeLessThan(1000);
  },
);

test('after six long answers the page holds what it held after two', { timeout: LONG }, async () => {
  const { page } = await stage.openElsewhere('carol');
  const devtools = await page.context().newCDPSession(page);
  const recital = startGrowingAnswer(stage.app, 50_000);
  recital.sayTo(50_000, 100);
  recital.end();
  await openNewChat(page);
  await answerAll(page, recital, [1, 2]);
  const after2 = await readHoldings(page, devtools);
  await answerAll(page, recital, [3, 4, 5, 6]);
  const after6 = await readHoldings(page, devtools);
  expect.soft(after6.heap / after2.heap, 'heap').toBeLessThan(1.25);
  expect.soft(after6.nodes / after2.nodes, 'nodes').toBeLessThan(1.1);
  expect.soft(after6.listeners / after2.listeners, 'listeners').toBeLessThan(1.1);
});

async function answerAll(page: Page, recital: GrowingAnswer, numbers: number[]): Promise<void> {
  for (const n of numbers) {
    await ask(page, `And answer number ${n}? ${recital.cue}`);
    await answered(page);
    await drawn(page, recital);
  }
}

/** Waits until all that was said is on screen, and nothing is left to be laid out. */
async function drawn(page: Page, recital: GrowingAnswer): Promise<void> {
  const heading = lastMessage(page).getByRole('heading', { name: recital.heading(), exact: true });
  await heading.waitFor({ state: 'attached', timeout: DRAWING });
  await page.waitForFunction(
    () =>
      [...document.querySelectorAll('article')].every(
        (message) =>
          !message.querySelector('[class*=pending_]') &&
          message.querySelectorAll('[class*=group_]:not([data-settled])').length <= 2,
      ),
    undefined,
    { timeout: DRAWING },
  );
}

const PIECES = 40;
const PIECE = 50;

/** The cost of pieces that come one by one, each when the one before it is on screen. */
async function costOfPieces(page: Page, meter: CpuMeter, recital: GrowingAnswer, from: number): Promise<CpuUse> {
  await drawn(page, recital);
  return meter.measure(async () => {
    for (let n = 1; n <= PIECES; n++) {
      const change = await page.evaluateHandle(watchAnswer);
      recital.sayTo(from + n * PIECE, PIECE);
      await change.evaluate(({ seen }) => seen);
    }
  });
}

/** Runs in the page. */
function watchAnswer(): { seen: Promise<void> } {
  const answer = document.querySelector('article[aria-busy=true]');
  if (!answer) throw new Error('No answer is being written');
  const seen = new Promise<void>((resolve) => {
    const observer = new MutationObserver(() => {
      observer.disconnect();
      resolve();
    });
    observer.observe(answer, { childList: true, characterData: true, subtree: true });
  });
  return { seen };
}

const KEYS = 25;
const KEY_EVERY_MS = 80;
const CPU_SLOWDOWN = 4;

/** The median milliseconds from a key press to the image that shows it, on a machine that is four times slower. */
async function typeSlowly(page: Page): Promise<number> {
  const devtools = await page.context().newCDPSession(page);
  await page.evaluate(watchKeys);
  await composer(page).focus();
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN });
  for (let n = 0; n < KEYS; n++) {
    await page.keyboard.press('KeyA');
    await page.waitForTimeout(KEY_EVERY_MS);
  }
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: 1 });
  await devtools.detach();
  const heard = await page.waitForFunction((count) => {
    const all = Reflect.get(window, 'keyDelays') as number[];
    return all.length === count && all;
  }, KEYS);
  const delays = await heard.jsonValue();
  if (!delays) throw new Error('No key was heard');
  return delays.toSorted((a, b) => a - b)[Math.floor(KEYS / 2)] ?? NaN;
}

/** Runs in the page. */
function watchKeys(): void {
  const isWatched = Reflect.has(window, 'keyDelays');
  Reflect.set(window, 'keyDelays', []);
  if (isWatched) return;
  document.addEventListener(
    'keydown',
    ({ timeStamp }) =>
      requestAnimationFrame(() =>
        setTimeout(() => Reflect.get(window, 'keyDelays').push(performance.now() - timeStamp)),
      ),
    true,
  );
}

/** What is left when everything that can go has gone: bytes, and outside of the conversation nodes and listeners. */
async function readHoldings(page: Page, devtools: CDPSession) {
  await devtools.send('HeapProfiler.collectGarbage');
  const { usedSize } = await devtools.send('Runtime.getHeapUsage');
  await openNewChat(page);
  await devtools.send('HeapProfiler.collectGarbage');
  const { nodes, jsEventListeners } = await devtools.send('Memory.getDOMCounters');
  await page.goBack();
  await lastMessage(page).waitFor();
  return { heap: usedSize, nodes, listeners: jsEventListeners };
}
