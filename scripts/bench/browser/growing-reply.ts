// (c) The main thread's work for a growing answer: 20,000 characters of markdown in 1,000 deltas.
import { setTimeout as sleep } from 'node:timers/promises';
import type { CDPSession, Page } from 'playwright-core';
import { launchBrowser } from '../../browser.ts';
import { startFakeProvider } from '../../fake-provider.ts';
import { scriptedStream } from '../../fake-provider/scenario.ts';
import { atMost, median, printFigures } from '../figures.ts';
import { openParley } from '../parley-server.ts';
import { COMPOSER, SEND, visitAs } from './browser-visit.ts';

const DELTAS = 1000;
const CHARACTERS = 20_000;
/** 100 tokens a second. */
const PACE_MS = 10;
const QUARTERS = 4;
const ROUNDS = 3;
/** The most the last quarter may cost, as a multiple of the first. */
const FLAT = 1.5;

interface Reading {
  /** Milliseconds of main thread per delta in each quarter of the answer. */
  quarters: number[];
  /** Milliseconds of the longest task; 0 when none took 50. */
  longestTask: number;
}

/** Prints the table and returns how many targets were missed. */
export async function benchReading(): Promise<number> {
  const provider = await startFakeProvider();
  provider.script('reading', {
    about: 'markdown of many kinds in deltas of one size',
    script: () => scriptedStream(deltas(), { pace: { every: PACE_MS, count: 1 } }),
  });
  const parley = await openParley(provider.url);
  const browser = await launchBrowser();
  try {
    const readings: Reading[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const context = await visitAs(`reader${round}`, browser, parley.server.url);
      readings.push(await read(await context.newPage()));
      await context.close();
    }
    return report(readings);
  } finally {
    await browser.close();
    await parley.close();
    await provider.close();
  }
}

async function read(page: Page): Promise<Reading> {
  const devtools = await page.context().newCDPSession(page);
  // CPU time of the thread, which excludes other work of the machine.
  await devtools.send('Performance.enable', { timeDomain: 'threadTicks' });
  await page.goto('/c/new');
  await page.fill(COMPOSER, '[[reading]] Tell me everything.');
  await page.click(SEND);
  await page.waitForFunction((first) => document.body.innerText.includes(first), firstWords, { polling: 50 });
  await page.evaluate(watchTasks);
  const began = performance.now();
  const marks = [await taskTime(devtools)];
  for (let quarter = 1; quarter <= QUARTERS; quarter++) {
    await sleep(began + (quarter * DELTAS * PACE_MS) / QUARTERS - performance.now());
    marks.push(await taskTime(devtools));
  }
  await page.waitForFunction((last) => document.body.innerText.includes(last), lastWords, { polling: 100 });
  const longestTask = await page.evaluate(() => Math.max(0, ...(Reflect.get(window, 'longTasks') as number[])));
  const quarters = marks.slice(1).map((mark, n) => (mark - (marks[n] ?? 0)) / (DELTAS / QUARTERS));
  return { quarters, longestTask };
}

/** Milliseconds of work of the page's main thread so far. */
export async function taskTime(devtools: CDPSession): Promise<number> {
  const { metrics } = await devtools.send('Performance.getMetrics');
  return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? NaN) * 1000;
}

/** Runs in the page: records the length of every task of 50 ms and more. */
function watchTasks(): void {
  const lengths: number[] = [];
  Reflect.set(window, 'longTasks', lengths);
  new PerformanceObserver((list) => lengths.push(...list.getEntries().map(({ duration }) => duration))).observe({
    entryTypes: ['longtask'],
  });
}

const firstWords = 'Part 1 of the answer';
const lastWords = 'That was everything.';

/** A markdown answer in pieces of one size. */
export function* deltas() {
  const text = growingReply();
  const size = CHARACTERS / DELTAS;
  for (let at = 0; at < CHARACTERS; at += size) yield { type: 'text' as const, text: text.slice(at, at + size) };
}

/** Prose, lists, tables, code and formulas in turn, with exactly the measured length. */
function growingReply(): string {
  const parts: string[] = [];
  for (let n = 1; parts.join('').length < CHARACTERS; n++) parts.push(part(n));
  return `${parts.join('').slice(0, CHARACTERS - lastWords.length - 2)}\n\n${lastWords}`;
}

function part(n: number): string {
  return `## Part ${n} of the answer

Some **bold** words, some *slanted* ones, a [link](https://example.com/${n}) and \`code\` in a sentence that is long
enough to be broken over several lines on most screens, as sentences of answers are.

- a first point of part ${n}
- a second one with \`inlineCode(${n})\`
  - and one below it

\`\`\`ts
export function part${n}(values: number[]): number {
  return values.filter((value) => value > ${n}).reduce((sum, value) => sum + value, 0);
}
\`\`\`

| Name | Amount | Remark |
|------|-------:|--------|
| a${n} | ${n * 7} | the first |
| b${n} | ${n * 11} | the second |

The sum is $\\sum_{i=1}^{${n}} i^2$, which is easily seen.

`;
}

function report(readings: Reading[]): number {
  const quarter = (n: number) => median(readings.map(({ quarters }) => quarters[n] ?? NaN));
  const all = Array.from({ length: QUARTERS }, (_, n) => quarter(n));
  const perThousand = (all.reduce((sum, value) => sum + value, 0) / QUARTERS) * 1000;
  const growth = quarter(QUARTERS - 1) / quarter(0);
  const longest = median(readings.map(({ longestTask }) => longestTask));
  return printFigures('(c) reading: 20,000 characters of markdown in 1,000 deltas at 100 a second', [
    {
      name: 'main thread per delta, by quarter',
      cells: { parley: all.map((value) => value.toFixed(2)).join(', ') + ' ms' },
    },
    { name: 'last quarter beside the first', cells: { parley: growth.toFixed(2) }, target: atMost(growth, FLAT, 'x') },
    {
      name: 'main thread per 1,000 tokens',
      cells: { parley: `${perThousand.toFixed(0)} ms` },
      target: atMost(perThousand, 2900, ' ms'),
    },
    {
      name: 'longest task',
      cells: { parley: longest === 0 ? 'below 50 ms' : `${longest.toFixed(0)} ms` },
      target: atMost(longest, 50, ' ms'),
    },
  ]);
}
