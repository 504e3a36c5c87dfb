// `npm run picture`: draws the README's picture anew, from the page as it is today and the seeded conversations.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { signInAs } from './bench/browser/browser-visit.ts';
import { launchBrowser } from './browser.ts';
import { root } from './build-stamps.mjs';
import { build } from './build.ts';
import { people, talks } from './seed/conversations.ts';
import { startServer } from './server-process.ts';

const PICTURE = join(root, '.github/screenshot.png');
const SIZE = { width: 1280, height: 860 };

await build();
const folder = mkdtempSync(join(tmpdir(), 'parley-picture-'));
const settings = { DATA_DIR: folder, PORT: '0' };
execFileSync(process.execPath, [join(root, 'scripts/install.mjs'), 'seed'], { env: { ...process.env, ...settings } });
const server = await startServer(folder, settings);
const browser = await launchBrowser();
try {
  const context = await signInAs(people[0].email, browser, server.url);
  const page = await context.newPage();
  await page.setViewportSize(SIZE);
  await page.goto('/');
  await page.getByRole('link', { name: talks[0]?.title ?? '' }).click();
  await page.getByRole('table').waitFor();
  await page.evaluate(() => document.fonts.ready.then(() => undefined));
  await page.screenshot({ path: PICTURE, animations: 'disabled' });
  console.log(`Drew ${PICTURE}.`);
} finally {
  await browser.close();
  await server.end('SIGTERM');
  rmSync(folder, { recursive: true, force: true });
}
