// A Chromium for tests and benches: one that is there, or Debian's.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chromium, type Browser } from 'playwright-core';

const CANDIDATES = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** No sandbox, because tests also run as root; nothing in the background, because they also run offline. */
const ARGUMENTS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Installs Debian's Chromium when there is none and this user may. Throws a sentence when that fails. */
export function ensureBrowser(): string {
  const found = findBrowser();
  if (found) return found;
  console.log('Installing Chromium for the browser tests.');
  for (const args of [['update'], ['install', '-y', '--no-install-recommends', 'chromium', 'fonts-noto-core']])
    spawnSync('apt-get', args, {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    });
  const installed = findBrowser();
  if (!installed) throw new Error('The browser tests need Chromium: install it, or set CHROME_PATH to where it is.');
  return installed;
}

export function launchBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: ensureBrowser(), args: ARGUMENTS });
}

function findBrowser(): string | undefined {
  return [process.env.CHROME_PATH ?? '', ...CANDIDATES].find((path) => path !== '' && existsSync(path));
}
