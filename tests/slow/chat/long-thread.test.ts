// What opening and asking in a long thread costs the browser beside a short one.
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { withApp } from '../../support/browser/app-fixture.ts';
import { answered, composer, sendButton } from '../../support/browser/chat.ts';
import { NODES_MAX, countNodes, threadsOf } from '../../support/browser/long-thread.ts';
import { openCpuMeter, type CpuMeter } from '../../support/measuring/cpu-meter.ts';

const stage = withApp();
const insert = threadsOf(stage);

test('2,000 messages open about as easily as two, and the first word of an answer comes as soon', async () => {
  const { page } = await stage.open('alice');
  const meter = await openCpuMeter(page);
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

async function openAndAsk(page: Page, meter: CpuMeter, conversationId: string): Promise<Round> {
  const opening = await meter.measure(async () => {
    await page.goto(`/c/${conversationId}`, { waitUntil: 'commit' });
    await page.locator('[data-row=here]').last().waitFor();
  });
  await composer(page).fill('Say something');
  await sendButton(page).and(page.locator(':enabled')).waitFor();
  // Anyone who has typed a question has been there for a while.
  await page.waitForTimeout(500);
  const nodes = await countNodes(page);
  let firstWord = NaN;
  const asking = await meter.measure(async () => void (firstWord = await sendButton(page).evaluate(untilFirstWord)));
  await answered(page);
  return { opening: opening.calls, asking: asking.calls, firstWord, nodes };
}

/** Runs in the page. */
async function untilFirstWord(button: HTMLElement | SVGElement): Promise<number> {
  const newest = () => [...document.querySelectorAll('article')].at(-1);
  const before = newest();
  const pressed = performance.now();
  if (button instanceof HTMLElement) button.click();
  // Not by its state: a page that draws seldom may draw the first word together with the end.
  const hasSpoken = () => newest() !== before && newest()?.textContent.includes('You asked');
  while (!hasSpoken()) await new Promise(requestAnimationFrame);
  return performance.now() - pressed;
}
