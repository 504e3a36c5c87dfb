// How much of the server's time the text of a large PDF takes: its own thread must stay free for everybody else.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { pathToFileURL } from 'node:url';
import { launchBrowser } from '@parley/scripts/browser';
import { root } from '@parley/scripts/build-stamps';
import { createExtractor } from '@parley/server/retrieval/extractor';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createFolder } from '../../support/folders.ts';
import { types } from '../../support/retrieval/documents.ts';

const PAGES = 300;
const LATE_MS = 50;
/** A moment of another process on the machine is none of ours. */
const ATTEMPTS = 3;

const path = join(createFolder(), 'book.pdf');
const extractor = createExtractor({ program: pathToFileURL(`${root}server/dist/extract-worker.js`) });

beforeAll(async () => {
  const browser = await launchBrowser();
  const page = await browser.newPage();
  const sentences = Array.from({ length: 40 }, (_, n) => `The lighthouse number ${n} stands on the northern cliff.`);
  const sheet = (n: number) =>
    `<h1>Chapter ${n}</h1><p>${sentences.join(' ')}</p><div style="break-after: page"></div>`;
  await page.setContent(Array.from({ length: PAGES }, (_, n) => sheet(n + 1)).join(''));
  writeFileSync(path, await page.pdf({ format: 'A4' }));
  await browser.close();
});
afterAll(() => extractor.close());

test(`while ${PAGES} pages are read, the server's thread is ${LATE_MS} ms late at most`, async () => {
  const delays: number[] = [];
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const delay = monitorEventLoopDelay({ resolution: 5 });
    delay.enable();
    const file = { path, mime: types.pdf, name: 'book.pdf' };
    const outcome = await extractor.extract(file, new AbortController().signal);
    delay.disable();
    if (outcome.type !== 'text') throw new Error(outcome.reason);
    expect(outcome.pages).toBeGreaterThanOrEqual(PAGES);
    const chapters = outcome.chunks.map(({ body }) => /Chapter (\d+)/.exec(body)?.[1]).filter(Boolean);
    expect(chapters).toEqual(Array.from({ length: PAGES }, (_, n) => String(n + 1)));
    delays.push(delay.max / 1e6);
  }
  console.log(`late by ${delays.map((ms) => ms.toFixed(1)).join(', ')} ms`);
  expect(Math.min(...delays)).toBeLessThan(LATE_MS);
});
