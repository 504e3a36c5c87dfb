// Finds a Chromium for tests and benches: an installed one, or Debian's.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chromium, type Browser } from 'playwright-core';

/** The headless shell comes first: it draws the same pages with a fifth less CPU. */
const CANDIDATES = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** No sandbox, because tests also run as root; no background traffic, because they also run offline. */
const ARGUMENTS = [
  '--no-sandbox',
  '--disable-gpu',
  // Pages that draw in three dimensions do so without a graphics card, too.
  '--enable-unsafe-swiftshader',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // As on desktops, which the shell leaves out: a frame without an origin has a process of its own.
  '--site-per-process',
];

/** Installs Debian's Chromium if there is none and this user may. Throws a sentence on failure. */
export function ensureBrowser(): string {
  const found = findBrowser();
  if (found) return found;
  console.log('Installing Chromium for the browser tests.');
  aptGet('update');
  // Older releases have no package of the shell alone.
  if (!install('chromium-headless-shell')) install('chromium');
  const installed = findBrowser();
  if (!installed) throw new Error('The browser tests need Chromium: install it, or set CHROME_PATH to where it is.');
  return installed;
}

function install(browser: string): boolean {
  return aptGet('install', '-y', '--no-install-recommends', browser, 'fonts-noto-core');
}

function aptGet(...args: string[]): boolean {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  return spawnSync('apt-get', args, { stdio: ['ignore', 'ignore', 'inherit'], env }).status === 0;
}

/** `more` arguments follow the ordinary ones. */
export function launchBrowser(more: readonly string[] = []): Promise<Browser> {
  return chromium.launch({ executablePath: ensureBrowser(), args: [...ARGUMENTS, ...more] });
}

function findBrowser(): string | undefined {
  return [process.env.CHROME_PATH ?? '', ...CANDIDATES].find((path) => path !== '' && existsSync(path));
}
