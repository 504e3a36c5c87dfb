// Artifacts that people ask for every day, written as models write them: each is drawn and acts.
import { readFileSync } from 'node:fs';
import type { FrameLocator, Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { soon, withApp } from '../../support/browser/app-fixture.ts';
import { answered, ask, lastMessage, openNewChat } from '../../support/browser/chat.ts';
import { textSteps, scriptedStream } from '@parley/scripts/fake-provider/scenario';
import { openArtifact, run } from './run-script.ts';

/** What pages ask for and do not get, such as letters by address, sensors and a policy, and the software that draws. */
const stage = withApp(undefined, [
  /Content Security Policy|Permissions policy|dompurify|WebGL|GPU|sandbox|not on the shelf|\$ is not defined/,
]);

const FOLDER = new URL('../../fixtures/artifacts/', import.meta.url);
const readArtifact = (file: string) => readFileSync(new URL(`${file}.txt`, FOLDER), 'utf8').trimEnd();

interface Acting {
  /** The document of the program. */
  inside: FrameLocator;
  page: Page;
}

interface Usual {
  file: string;
  act: (acting: Acting) => Promise<void>;
}

const USUAL: Record<string, Usual> = {
  'a landing page with Tailwind and letters by address': {
    file: 'landing.html',
    async act({ inside }) {
      const cta = inside.getByRole('button', { name: 'Get started' });
      // A color of its configuration, a rounding, and a padding that its own rule for all elements does not take away.
      await soon(() => styleOf(cta, 'background-color')).toBe('rgb(15, 118, 110)');
      expect(await styleOf(cta, 'padding-left')).toBe('32px');
      expect(Number.parseFloat(await styleOf(cta, 'border-top-left-radius'))).toBeGreaterThan(100);
      expect(await styleOf(inside.locator('header'), 'background-image')).toContain('linear-gradient');
      await soon(() => inside.locator('svg.lucide').count()).toBe(4);
      await cta.click();
      await inside.getByText('Welcome aboard!').waitFor();
      await inside.getByRole('button', { name: 'Menu' }).click();
      await inside.getByText('All features').waitFor();
    },
  },
  'a chart by its script tag': {
    file: 'chart.html',
    async act({ inside }) {
      const canvas = inside.locator('canvas');
      await soon(() => countColor(canvas, [54, 162, 235])).toBeGreaterThan(1_000);
      await inside.getByRole('button', { name: 'Add quarter' }).click();
      await inside.getByText('Quarters: 5').waitFor();
    },
  },
  'a scene in three dimensions by an import map': {
    file: 'three.html',
    async act({ inside }) {
      const canvas = inside.locator('canvas');
      await soon(async () => Number(await inside.locator('#frames').innerText())).toBeGreaterThan(3);
      await soon(() => countBetween(canvas, [150, 0, 0], [255, 120, 255])).toBeGreaterThan(500);
      await canvas.click();
      await soon(() => countBetween(canvas, [0, 150, 0], [120, 255, 255])).toBeGreaterThan(500);
    },
  },
  'a dashboard with charts and icons': {
    file: 'dashboard.jsx',
    async act({ inside }) {
      await inside.locator('.recharts-line path').first().waitFor();
      expect(await inside.locator('svg.lucide').count()).toBe(4);
      await soon(() => styleOf(inside.getByRole('button', { name: 'Line' }), 'padding-left')).toBe('16px');
      await inside.getByRole('button', { name: 'Bar' }).click();
      await soon(() => inside.locator('.recharts-bar-rectangle').count()).toBe(4);
    },
  },
  'a page of settings with components': { file: 'settings.tsx', act: actOnSettings },
  'a list of things to do with a form': {
    file: 'todo.jsx',
    async act({ inside }) {
      const field = inside.getByPlaceholder('Add a task...');
      await field.fill('Feed the herons');
      await field.press('Enter');
      await inside.getByText('2 items left').waitFor();
      await field.fill('Mend the boat');
      await inside.getByRole('button', { name: 'Add' }).click();
      await inside.getByText('3 items left').waitFor();
      await inside.getByRole('button', { name: 'Toggle Feed the herons' }).click();
      await inside.getByText('2 items left').waitFor();
    },
  },
  'a game that keeps its best score': {
    file: 'game.html',
    async act({ inside, page }) {
      const canvas = inside.locator('canvas');
      await soon(() => countColor(canvas, [0, 255, 0])).toBe(400);
      await canvas.click();
      await page.keyboard.press('ArrowRight');
      await page.keyboard.press('ArrowRight');
      await inside.getByText('Score: 2 | Best: 2').waitFor();
      await inside.getByRole('button', { name: 'Restart' }).click();
      await inside.getByText('Score: 0 | Best: 2').waitFor();
    },
  },
  'a sketch of p5': {
    file: 'sketch.html',
    async act({ inside }) {
      const canvas = inside.locator('canvas');
      await soon(() => countColor(canvas, [255, 204, 0])).toBeGreaterThan(1_000);
      await canvas.click({ position: { x: 40, y: 40 } });
      await soon(() => countColor(canvas, [255, 0, 100])).toBeGreaterThan(300);
    },
  },
  'a chart of D3 by its script tag and by import': {
    file: 'd3.html',
    async act({ inside }) {
      await soon(() => inside.locator('rect.bar').count()).toBe(4);
      await inside.getByRole('button', { name: 'Update' }).click();
      await soon(() => inside.locator('rect.bar').count()).toBe(6);
    },
  },
  'a chart of D3 within React': {
    file: 'd3.jsx',
    async act({ inside }) {
      await soon(() => inside.locator('circle').count()).toBe(5);
      await inside.getByRole('button', { name: 'Add bubble' }).click();
      await soon(() => inside.locator('circle').count()).toBe(6);
    },
  },
  'a table that is read from 5,000 lines': {
    file: 'rows.html',
    async act({ inside }) {
      await inside.getByText('5000 rows, 0 errors').waitFor();
      await inside.getByRole('cell', { name: 'Customer, 4999' }).waitFor();
      await inside.getByPlaceholder('Filter customers').fill('4999');
      await inside.getByText('1 rows, 0 errors').waitFor();
    },
  },
  'a form with a handler': {
    file: 'form.html',
    async act({ inside }) {
      await inside.getByLabel('Name').fill('Alice');
      await inside.getByLabel('Email').fill('alice@example.com');
      await inside.getByLabel('Email').press('Enter');
      await inside.getByText('Thank you, Alice!').waitFor();
      await inside.getByText('Form submitted successfully!').waitFor();
      await inside.getByRole('button', { name: 'OK' }).click();
      await soon(() => inside.getByLabel('Name').inputValue()).toBe('');
    },
  },
  'React in a page, with a diagram': {
    file: 'babel.html',
    async act({ inside }) {
      await inside.getByRole('button', { name: 'Increment' }).click();
      await inside.getByText('Count: 1').waitFor();
      await inside.locator('.mermaid svg').waitFor();
    },
  },
};

test.each(Object.entries(USUAL))('%s is drawn and acts', async (name, { file, act }) => {
  const { page } = await stage.open('alice');
  const [, kind = ''] = file.split('.');
  const pane = await openArtifact(stage.app, page, name.replaceAll(/[^a-z]+/gi, ' '), kind, readArtifact(file));
  await run(pane);
  await act({ inside: pane.frameLocator('iframe[src="/artifact/frame.html"]'), page });
  await pane.getByText('Sealed: it has no network access, and what it saves is lost when it is closed.').waitFor();
  // A picture by an address is told; nothing else is missing.
  const faults = await pane.locator('[data-bad]').allInnerTexts();
  expect(faults.filter((one) => !one.includes('https://github.com/shadcn.png'))).toEqual([]);
});

async function actOnSettings({ inside, page }: Acting): Promise<void> {
  await inside.getByLabel('Name').fill('Bob');
  const save = inside.getByRole('button', { name: 'Save changes' });
  expect(await save.isDisabled()).toBe(true);
  await inside.getByText('Accept terms').click();
  await inside.getByRole('button', { name: 'FREE plan' }).click();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await save.click();
  await inside.getByRole('alert').getByText('Bob on pro').waitFor();
  const remove = inside.getByRole('button', { name: 'Delete account' });
  await soon(() => styleOf(remove, 'background-color')).toBe('rgb(220, 38, 38)');

  await inside.getByRole('button', { name: 'Actions' }).click();
  await inside.getByRole('menuitem', { name: 'Archive' }).click();
  await inside.getByRole('alert').getByText('Archived').waitFor();
  await remove.click();
  await inside.getByRole('dialog').getByText('This cannot be undone.').waitFor();
  await inside.getByRole('button', { name: 'Yes, delete' }).click();
  await page.keyboard.press('Escape');
  await inside.getByRole('dialog').waitFor({ state: 'detached' });
  await inside.getByText('Account deleted').waitFor();
  await inside.getByRole('button', { name: 'Help' }).hover();
  await inside.getByRole('tooltip').getByText('Ask support').waitFor();
  await inside.getByRole('button', { name: 'Is it accessible?' }).click();
  await inside.getByText('Yes, it is.').waitFor();
  await inside.getByRole('slider').press('ArrowRight');
  await soon(() => inside.getByRole('progressbar').getAttribute('aria-valuenow')).toBe('31');
  await inside.getByRole('button', { name: 'Open panel' }).click();
  await inside.getByRole('button', { name: 'Close' }).click();
  await inside.getByRole('tab', { name: 'Account' }).press('ArrowRight');
  await inside.getByRole('switch').click();
  await inside.getByText('You will hear from us').waitFor();
}

test('a script tag that a program makes loads its library, whatever the program has changed before', async () => {
  const { page } = await stage.open('alice');
  const source = `<title>Later</title>\n<p id="said">Waits</p>\n<script>
    const put = (src) => new Promise((resolve, reject) => {
      const script = document.createElement('script');
      Object.assign(script, { src, onload: resolve, onerror: reject });
      document.head.append(script);
    });
    const VERSION = '7';
    const FOLDER = 'https://cdn.jsdelivr.net/npm/chart.js@4.4.0';
    const { split, startsWith } = String.prototype, { exec } = RegExp.prototype, Address = URL;
    String.prototype.split = String.prototype.startsWith = RegExp.prototype.exec = window.URL = () => { throw new Error('changed'); };
    const coming = [put('https://unpkg.com/papaparse@5.4.1/papaparse.min.js'), put(\`https://d3js.org/d3.v\${VERSION}.min.js\`), put(FOLDER + '/dist/chart.umd.js')];
    Object.assign(String.prototype, { split, startsWith });
    RegExp.prototype.exec = exec;
    window.URL = Address;
    Promise.all(coming).then(() => { said.textContent = [typeof Papa.parse, typeof d3.select, typeof Chart].join(); });
    </script>\n${'<p>more</p>\n'.repeat(15)}`;
  const { pane } = await run(await openArtifact(stage.app, page, 'one that loads later', 'html', source));
  const inside = pane.frameLocator('iframe[src="/artifact/frame.html"]');
  await inside.getByText('function,function,function').waitFor();
});

test('a picture, a table of 5,000 rows and a report are shown without being run', async () => {
  const { page } = await stage.open('alice');
  const drawing = await openArtifact(stage.app, page, 'a logo', 'svg', readArtifact('logo.svg'));
  await drawing.frameLocator('iframe').frameLocator('iframe').locator('circle').first().waitFor();

  const rows = Array.from({ length: 5_000 }, (_, n) => `${n + 1},"Customer, ${n + 1}",${n * 3}`);
  const table = await openArtifact(stage.app, page, 'rows', 'csv', ['id,customer,total', ...rows].join('\n'));
  await table.getByRole('cell', { name: 'Customer, 3', exact: true }).waitFor();
  await table.getByRole('cell', { name: 'Customer, 3', exact: true }).hover();
  await soon(async () => {
    await page.mouse.wheel(0, 1_000_000);
    return table.getByRole('cell', { name: 'Customer, 5000' }).count();
  }).toBe(1);

  const report = `# Quarterly report\n\n## Summary\n\nRevenue **grew** by 12 %.\n\n| Quarter | Revenue |\n| --- | ---: |\n| Q1 | 120 |\n| Q2 | 190 |\n\n- [x] Reviewed\n- [ ] Sent\n\n> Costs fell.\n\n$$E = mc^2$$\n`;
  const read = await openArtifact(stage.app, page, 'a report', 'markdown id=report', report);
  await read.getByRole('heading', { name: 'Summary' }).waitFor();
  await read.getByRole('cell', { name: '190' }).waitFor();
  await read.locator('.katex').first().waitFor();
});

test('a C4 diagram and a Gantt chart are drawn in their answer', async () => {
  const { page } = await stage.open('alice');
  const c4 =
    '```mermaid\nC4Context\n  title System Context\n  Person(customer, "Customer", "Buys things")\n  System(shop, "Web Shop", "Sells things")\n  Rel(customer, shop, "Uses")\n```';
  const gantt =
    '```mermaid\ngantt\n  title Project plan\n  dateFormat YYYY-MM-DD\n  section Build\n  Design :a1, 2026-01-01, 10d\n  Code :after a1, 20d\n```';
  stage.app.provider.script('plans', {
    about: 'plans',
    script: () => scriptedStream(textSteps(`${c4}\n\nAnd\n\n${gantt}`)),
  });
  await openNewChat(page);
  await ask(page, 'Draw the plans [[plans]]');
  await answered(page);
  const frames = lastMessage(page).locator('iframe[data-drawn]');
  await soon(() => frames.count()).toBe(2);
  await lastMessage(page).frameLocator('iframe').first().getByText('Web Shop').waitFor();
  await lastMessage(page).frameLocator('iframe').last().getByText('Design').waitFor();
});

test('what is not on the shelf is named, on the card and beside the program, with what there is', async () => {
  const { page } = await stage.open('alice');
  const app = `import { query } from "@/lib/db";\nexport default function Orders() { return <p>{query()}</p>; }\n${'// more\n'.repeat(15)}`;
  const own = await openArtifact(stage.app, page, 'an app', 'tsx', app);
  await soon(() => lastMessage(page).locator('[data-artifact]').innerText()).toContain(
    "uses @/lib/db, which isn't available here",
  );
  await run(own);
  await own.getByText(/It uses @\/lib\/db, which isn't available here\. Available: React, Tailwind CSS, /).waitFor();

  const old = `<title>Old</title>\n<script src="https://code.jquery.com/jquery-3.6.0.min.js"></script>\n<script src="https://cdn.jsdelivr.net/npm/chart.js@2.9.4"></script>\n<script>$('p').hide()</script>\n${'<p>more</p>\n'.repeat(15)}`;
  const pane = await openArtifact(stage.app, page, 'an old page', 'html', old);
  const card = lastMessage(page).locator('[data-artifact]');
  await soon(() => card.innerText()).toContain("uses jquery, which isn't available here");
  expect(await card.innerText()).toContain('written for Chart.js 2; 4 is used here');
  await run(pane);
  await pane.getByText(/It uses jquery, which isn't available here\. Available: React, /).waitFor();
});

test('an artifact of a page that has just been loaded is never shown as code', async () => {
  const { page } = await stage.open('alice');
  await openArtifact(stage.app, page, 'a cold one', 'html title=Cold', readArtifact('form.html'));
  // What draws cards arrives when the rest of the page is there.
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route(/\/assets\/parts-[^/]*\.js$/, async (route) => {
    await held;
    await route.continue();
  });
  await page.reload();
  const place = lastMessage(page).locator('[data-place]');
  await place.waitFor();
  expect(await lastMessage(page).locator('pre').count()).toBe(0);
  const reserved = (await place.boundingBox())?.height ?? 0;
  release();
  const card = lastMessage(page).locator('[data-artifact]');
  await card.waitFor();
  expect(Math.abs(((await card.boundingBox())?.height ?? 0) - reserved)).toBeLessThanOrEqual(2);
});

function styleOf(element: Locator, property: string): Promise<string> {
  return element.evaluate((one, name) => getComputedStyle(one).getPropertyValue(name), property);
}

type Color = readonly [red: number, green: number, blue: number];

/** How many pixels of a canvas have about this color. */
function countColor(canvas: Locator, [red, green, blue]: Color): Promise<number> {
  return countBetween(canvas, [red - 5, green - 5, blue - 5], [red + 5, green + 5, blue + 5]);
}

function countBetween(canvas: Locator, least: Color, most: Color): Promise<number> {
  return canvas.evaluate(
    (one, [least, most]) => {
      const { width, height } = one as HTMLCanvasElement;
      const copy = Object.assign(document.createElement('canvas'), { width, height });
      const drawing = copy.getContext('2d');
      drawing?.drawImage(one as HTMLCanvasElement, 0, 0);
      const data = drawing?.getImageData(0, 0, width, height).data ?? new Uint8ClampedArray();
      let count = 0;
      for (let at = 0; at < data.length; at += 4) {
        const isIn = [0, 1, 2].every(
          (n) => Number(data[at + n]) >= Number(least[n]) && Number(data[at + n]) <= Number(most[n]),
        );
        if (isIn) count++;
      }
      return count;
    },
    [least, most] as const,
  );
}
