// (b) What a browser loads, and how long that takes, until a signed-in user can type into a new chat.
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Browser, BrowserContext } from 'playwright-core';
import { launchBrowser } from '../../browser.ts';
import { root } from '../../build-stamps.mjs';
import { atMost, median, printFigures } from '../figures.ts';
import { openParley } from '../parley-server.ts';
import { COMPOSER, visitAs } from './browser-visit.ts';

/** 10 Mbit/s both ways and 40 ms, on a machine that is four times slower than this one. */
const NETWORK = { offline: false, latency: 40, downloadThroughput: 10e6 / 8, uploadThroughput: 10e6 / 8 };
const CPU_SLOWDOWN = 4;
const ROUNDS = 5;

interface Load {
  /** Milliseconds from the navigation until the element was there. */
  usableAt: number;
  /** The requests up to then. */
  requests: { path: string; transferred: number }[];
}

/** Prints the table and returns how many targets were missed. */
export async function benchPage(): Promise<number> {
  const parley = await openParley('http://127.0.0.1:9');
  const browser = await launchBrowser();
  try {
    const { url } = parley.server;
    const chat: Load[] = [];
    const signIn: Load[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      chat.push(await load(await returning(browser, url, `visitor${round}`), '/c/new', COMPOSER));
      signIn.push(await load(await browser.newContext({ baseURL: url }), '/login', '[data-testid="login-button"]'));
    }
    return report(chat, signIn);
  } finally {
    await browser.close();
    await parley.close();
  }
}

/** A known user with an empty cache. */
async function returning(browser: Browser, url: string, name: string): Promise<BrowserContext> {
  const before = await visitAs(name, browser, url);
  const page = await before.newPage();
  await page.goto('/c/new');
  await page.waitForSelector(COMPOSER);
  const storageState = await before.storageState();
  await before.close();
  return browser.newContext({ baseURL: url, storageState });
}

async function load(context: BrowserContext, path: string, selector: string): Promise<Load> {
  const page = await context.newPage();
  const devtools = await context.newCDPSession(page);
  await devtools.send('Network.enable');
  await devtools.send('Network.emulateNetworkConditions', NETWORK);
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN });
  await page.goto(path, { waitUntil: 'commit' });
  // The script renders the page, so an element that exists also handles input.
  const usable = await page.waitForFunction(
    (wanted) => document.querySelector(`${wanted}:not(:disabled)`) && performance.now(),
    selector,
    { polling: 'raf' },
  );
  const usableAt = Number(await usable.jsonValue());
  const requests = await page.evaluate(listRequests, usableAt);
  await context.close();
  return { usableAt, requests };
}

/** Runs in the page. */
function listRequests(until: number): Load['requests'] {
  const entries = [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')];
  return entries
    .filter((entry) => entry instanceof PerformanceResourceTiming && entry.startTime <= until)
    .map((entry) => ({
      path: new URL(entry.name).pathname,
      transferred: entry instanceof PerformanceResourceTiming ? entry.transferSize : 0,
    }));
}

function report(chat: Load[], signIn: Load[]): number {
  const usable = median(chat.map(({ usableAt }) => usableAt));
  const count = median(chat.map(({ requests }) => requests.length));
  const weight = median(chat.map(gzippedOf));
  const signInWeight = median(signIn.map(gzippedOf));
  return printFigures('(b) page: a signed-in new chat, cold, 10 Mbit/s, 40 ms, 4x slower CPU', [
    { name: 'JS and CSS, gzip', cells: { parley: kilobytes(weight) }, target: atMost(weight / 1000, 190, ' kB') },
    { name: 'JS and CSS, as transferred', cells: { parley: kilobytes(median(chat.map(transferredOf))) } },
    { name: 'requests until one can type', cells: { parley: String(count) }, target: atMost(count, 15, '') },
    { name: 'until one can type', cells: { parley: `${usable.toFixed(0)} ms` }, target: atMost(usable, 1100, ' ms') },
    {
      name: 'sign-in: JS and CSS, gzip',
      cells: { parley: kilobytes(signInWeight) },
      target: { words: 'less than a new chat', met: signInWeight < weight },
    },
  ]);
}

function isCode({ path }: Load['requests'][number]): boolean {
  return /\.(js|css)$/.test(path);
}

/** A preloaded file is listed twice but transferred once. */
function gzippedOf({ requests }: Load): number {
  const files = new Set(requests.filter(isCode).map(({ path }) => path));
  return [...files].reduce((sum, path) => sum + gzipped(path), 0);
}

function transferredOf({ requests }: Load): number {
  return requests.filter(isCode).reduce((sum, { transferred }) => sum + transferred, 0);
}

function gzipped(path: string): number {
  const file = join(root, 'web/dist', path);
  return existsSync(`${file}.gz`) ? statSync(`${file}.gz`).size : gzipSync(readFileSync(file)).length;
}

function kilobytes(bytes: number): string {
  return `${(bytes / 1000).toFixed(1)} kB`;
}
