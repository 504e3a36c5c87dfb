// (m) What answers make: how soon it opens beside its chat, is drawn and runs, and how often it is drawn while it streams.
import { recordBy } from '@parley/schema/entries';
import type { Page } from 'playwright-core';
import { launchBrowser } from '../../browser.ts';
import { startFakeProvider } from '../../fake-provider.ts';
import { scriptedStream, textSteps } from '../../fake-provider/scenario.ts';
import { atMost, median, ms, printFigures, timed } from '../figures.ts';
import { openParley } from '../parley-server.ts';
import { COMPOSER, SEND, visitAs } from './browser-visit.ts';

const ROUNDS = 5;
const PAGE_CHARS = 20_000;
const LAST = 'The end of the page';
const LINES = 400;
/** About 100 tokens a second. */
const PACE_MS = 10;
const WATCH_MS = 5_000;
const PANE = '[data-testid="artifact-pane"]';

const page = `<title>Pond</title>\n${'<p>A heron stands in the pond.</p>\n'.repeat(PAGE_CHARS / 34)}<p id="end">${LAST}</p>`;
const app = `import { useState } from 'react';
export default function App() {
  const [count, setCount] = useState(0);
  return <button onClick={() => setCount(count + 1)}>Herons: {count}</button>;
}
${'// A line of the app.\n'.repeat(20)}`;

interface Times {
  opens: number;
  paints: number;
  runs: number;
  redraws: number;
}

/** Prints the table and returns how many targets were missed. */
export async function benchArtifacts(): Promise<number> {
  const provider = await startFakeProvider();
  const blocks = `\`\`\`html\n${page}\n\`\`\`\n\nAnd\n\n\`\`\`jsx\n${app}\n\`\`\``;
  provider.script('made', { about: 'a page and an app', script: () => scriptedStream(textSteps(blocks)) });
  provider.script('growing', {
    about: 'a page that grows line by line',
    script: () => scriptedStream(growing(), { pace: { every: PACE_MS, count: 1 } }),
  });
  const parley = await openParley(provider.url);
  const browser = await launchBrowser();
  try {
    const all: Times[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const context = await visitAs(`maker${round}`, browser, parley.server.url);
      all.push(await measure(await context.newPage()));
      await context.close();
    }
    return report(all);
  } finally {
    await browser.close();
    await parley.close();
    await provider.close();
  }
}

async function measure(on: Page): Promise<Times> {
  await ask(on, 'made');
  const openPage = on.getByRole('button', { name: 'Open Pond' });
  await openPage.waitFor();
  await on.getByRole('button', { name: 'Open App' }).waitFor();
  const drawn = on.frameLocator(`${PANE} iframe`).frameLocator('iframe').locator('#end');
  const began = performance.now();
  const opens = await openPage.evaluate(open, PANE);
  await drawn.waitFor();
  const paints = performance.now() - began;
  await on.getByRole('button', { name: 'Open App' }).click();
  const run = on.locator(PANE).getByRole('button', { name: 'Run', exact: true });
  await run.waitFor();
  const runs = await timed(async () => {
    await run.click();
    await on.frameLocator(`${PANE} iframe`).getByRole('button', { name: 'Herons: 0' }).waitFor();
  });
  return { opens, paints, runs, redraws: await countRedraws(on) };
}

/** Runs in the page: presses the button; milliseconds until the pane is there. */
async function open(button: HTMLElement | SVGElement, pane: string): Promise<number> {
  const began = performance.now();
  if (button instanceof HTMLElement) button.click();
  while (!document.querySelector(pane)) await new Promise(requestAnimationFrame);
  return performance.now() - began;
}

/** How often a second the source of what streams in is drawn again. */
async function countRedraws(on: Page): Promise<number> {
  await ask(on, 'growing');
  await on.getByRole('button', { name: 'Open Growing' }).click();
  await on.waitForSelector(`${PANE} [data-source-text]`);
  const count = await on.evaluate(watchSource, { selector: `${PANE} [data-source-text]`, forMs: WATCH_MS });
  return count / (WATCH_MS / 1000);
}

/** Runs in the page. */
function watchSource({ selector, forMs }: { selector: string; forMs: number }): Promise<number> {
  return new Promise((resolve) => {
    let count = 0;
    const observer = new MutationObserver(() => (count += 1));
    const source = document.querySelector(selector);
    if (source) observer.observe(source, { childList: true, characterData: true, subtree: true });
    setTimeout(() => resolve(count), forMs);
  });
}

async function ask(on: Page, scenario: string): Promise<void> {
  await on.goto('/c/new');
  await on.fill(COMPOSER, `Make it [[${scenario}]]`);
  await on.click(SEND);
}

function* growing() {
  yield { type: 'text' as const, text: '```html title=Growing\n' };
  for (let line = 0; line < LINES * 2; line++) yield { type: 'text' as const, text: `<p>Line ${line}</p>\n` };
  yield { type: 'text' as const, text: '```\n' };
}

function report(all: readonly Times[]): number {
  const { opens, paints, runs, redraws } = recordBy(['opens', 'paints', 'runs', 'redraws'], (name) =>
    median(all.map((times) => times[name])),
  );
  return printFigures('(m) artifacts: beside their chat, on this machine and its network', [
    { name: 'the pane opens', cells: { parley: ms(opens) }, target: atMost(opens, 150, ' ms') },
    { name: 'a page of 20 kB is drawn', cells: { parley: ms(paints) }, target: atMost(paints, 300, ' ms') },
    { name: 'an app of React runs, cold', cells: { parley: ms(runs) }, target: atMost(runs, 600, ' ms') },
    {
      name: 'drawn while it streams',
      cells: { parley: `${redraws.toFixed(1)} times a second` },
      target: atMost(redraws, 2, ' times a second'),
    },
  ]);
}
