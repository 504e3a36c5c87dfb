// The picture that an operator gives an endpoint, wherever its mark is drawn.
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { afterAll, expect, test } from 'vitest';
import { answered, ask, messages, openNewChat } from './chat.ts';
import { soon, withApp } from './stage.ts';

const SQUARE =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><rect width="8" height="8" fill="teal"/></svg>';

const elsewhere = createServer(({ url }, response) => {
  response.writeHead(url === '/square.svg' ? 200 : 404, { 'content-type': 'image/svg+xml' });
  response.end(SQUARE);
}).listen(0, '127.0.0.1');
await once(elsewhere, 'listening');
const { port } = elsewhere.address() as AddressInfo;
const folder = mkdtempSync(join(tmpdir(), 'parley-yaml-'));
afterAll(() => {
  elsewhere.close();
  rmSync(folder, { recursive: true, force: true });
});

const ICONS = {
  There: `http://127.0.0.1:${port}/square.svg`,
  Here: '/icon.svg',
  Inline: `data:image/svg+xml;base64,${Buffer.from(SQUARE).toString('base64')}`,
  Broken: '/assets/nothing.png',
};

/** The browser's own words for the picture that is not there. */
const NOT_THERE = /404 \(Not Found\)/;

const stage = withApp(withIcons());

test.each(['There', 'Here', 'Inline'] as const)(
  '%s: shown in the picker, on the landing and beside an answer',
  async (name) => {
    const { page, tolerated } = await stage.open('alice');
    tolerated.push(NOT_THERE);
    await openNewChat(page);
    await openPicker(page);
    await soon(() => isShown(pictures(page.getByTestId(`endpoint-item-${name}`), name))).toBe(true);
    await page.getByTestId(`endpoint-item-${name}`).click();
    await soon(() => isShown(pictures(page.locator('main'), name))).toBe(true);
    await ask(page, `Hello ${name}`);
    await answered(page);
    await soon(() => isShown(pictures(messages(page), name))).toBe(true);
  },
);

test('one that cannot be loaded gives way to the usual mark', async () => {
  const { page, tolerated } = await stage.open('bob');
  tolerated.push(NOT_THERE);
  await openNewChat(page);
  await openPicker(page);
  const label = page.getByTestId('endpoint-item-Broken');
  await label.locator('svg').waitFor();
  expect(await label.locator('img').count()).toBe(0);
});

function pictures(where: Locator, name: keyof typeof ICONS): Locator {
  return where.locator(`img[src="${ICONS[name]}"]`).last();
}

/** Loaded, not only there. */
async function isShown(picture: Locator): Promise<boolean> {
  if ((await picture.count()) === 0) return false;
  return picture.evaluate((image: HTMLImageElement) => image.complete && image.naturalWidth > 0);
}

async function openPicker(page: Page): Promise<void> {
  await page.locator('#new-conversation-menu').click();
  await page.getByRole('option').first().waitFor();
}

function withIcons(): Record<string, string> {
  const entry = ([name, icon]: [string, string]) => `    - name: ${name}
      apiKey: fake
      baseURL: \${OPENAI_REVERSE_PROXY}
      iconURL: '${icon}'
      models: { default: ['fake:echo'] }
`;
  const path = join(folder, 'parley.yaml');
  writeFileSync(path, `version: 1.0.7\nendpoints:\n  custom:\n${Object.entries(ICONS).map(entry).join('')}`);
  return { CONFIG_PATH: path };
}
