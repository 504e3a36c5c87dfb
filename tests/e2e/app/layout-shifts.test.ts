// Nothing that is read moves when something else arrives: every screen and section, on a wide window and a phone, while
// the server's answers come late. What moves is counted as the browser counts it; it is no time.
import type { Page, Request } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { withApp } from '../../support/browser/app-fixture.ts';
import { composer, openNewChat, openThread } from '../../support/browser/chat.ts';

const stage = withApp();

/** Later than what the browser allows to move after a press. */
const LATE_MS = 700;
const MOST = 0.02;
const QUIET_MS = 500;
const STEP_MS = 50;

const SETTINGS = [
  'General',
  'Beta features',
  'Data controls',
  'Account',
  'Profile',
  'Appearance',
  'Chat',
  'Keyboard',
  'Keys',
  'Chats and files',
  'Usage',
  'Security',
  'About',
];

describe.each([
  ['a wide window', { width: 1440, height: 900 }],
  ['a phone', { width: 390, height: 844 }],
])('on %s', (_where, viewport) => {
  test.each([
    [
      'screens',
      [
        '/c/new',
        '/assistants',
        '/assistants/new',
        '/tools',
        '/prompts',
        '/schedules',
        '/schedules/new',
        '/projects',
        '/nowhere',
      ],
    ],
    ['rooms of administrators', ['overview', 'providers', 'tools', 'people'].map((name) => `/admin/${name}`)],
    ['other rooms of administrators', ['groups', 'usage', 'audit', 'retention'].map((name) => `/admin/${name}`)],
  ])('no part of these moves what is on them: %s', async (_what, paths) => {
    const { page, tolerated } = await stage.openElsewhere('alice', { viewport });
    tolerated.push(/Failed to load resource/);
    await openThread(stage.app, 'alice', page, ['How much is this?', 'Not much.']);
    const shifts = await watch(page);
    const moved: Record<string, unknown> = {};
    for (const path of [...paths, ...(paths.includes('/c/new') ? [new URL(page.url()).pathname] : [])]) {
      await page.goto(path);
      await note(shifts, path, moved);
    }
    expect(moved).toEqual({});
  });

  test.each([SETTINGS.slice(0, 6), SETTINGS.slice(6)])(
    'no section of the settings moves what is on it: %s to %s',
    async (...names) => {
      const { page } = await stage.openElsewhere('alice', { viewport });
      await openNewChat(page);
      const shifts = await watch(page);
      await shifts.settled();
      await shifts.taken();
      const moved: Record<string, unknown> = {};
      await page.keyboard.press('Control+,');
      const settings = page.getByRole('dialog', { name: 'Settings' });
      await settings.waitFor();
      await note(shifts, 'the settings', moved);
      const isNarrow = viewport.width < 768;
      for (const name of names) {
        const entry = isNarrow
          ? settings.getByRole('button', { name, exact: true })
          : settings.getByRole('tab', { name, exact: true });
        await entry.click();
        await note(shifts, name, moved);
        if (isNarrow) await settings.getByRole('button', { name: 'All settings' }).click();
      }
      expect(moved).toEqual({});
    },
  );

  test('no dialog moves what is on it or below it', async () => {
    const { page } = await stage.openElsewhere('alice', { viewport });
    await openThread(stage.app, 'alice', page, ['How much is this?', 'Not much.']);
    const shifts = await watch(page);
    await shifts.settled();
    await shifts.taken();
    const moved: Record<string, unknown> = {};
    for (const keys of ['Control+k', 'Control+/', 'Control+f']) {
      await page.keyboard.press(keys);
      await note(shifts, keys, moved);
      await page.keyboard.press('Escape');
    }
    expect(moved).toEqual({});
  });

  test('the chips of the message box and a diagram do not move the chat', async () => {
    const { page } = await stage.openElsewhere('bob', { viewport });
    const diagram = '```mermaid\nflowchart TD\n  A[Heron] --> B[Pond]\n  B --> C[Fish]\n  C --> D[Lunch]\n```';
    await openThread(stage.app, 'bob', page, [
      'Draw',
      `Before\n\n${diagram}\n\n${'After that, more words follow.\n\n'.repeat(4)}`,
    ]);
    await page.locator('iframe[data-drawn=true]').waitFor();
    // Its height is stored a moment later.
    await page.waitForFunction(() => localStorage.getItem('diagramHeights'));
    const shifts = await watch(page);
    await page.reload();
    await page.locator('iframe[data-drawn=true]').waitFor();
    await shifts.settled();
    const moved = {};
    await note(shifts, 'the chat', moved);
    expect(moved).toEqual({});
    await composer(page).waitFor();
  });
});

type Shifts = Awaited<ReturnType<typeof watch>>;

/** Keeps what has moved too far since it was looked at last. */
async function note(shifts: Shifts, name: string, moved: Record<string, unknown>): Promise<void> {
  await shifts.settled();
  const seen = await shifts.taken();
  if (seen.sum > MOST) moved[name] = seen;
}

/** Delays all answers from now on, and counts what moves without a press. */
async function watch(page: Page) {
  const open = new Set<Request>();
  // A page that is left hears of no answer any more.
  page.on('framenavigated', (frame) => frame === page.mainFrame() && open.clear());
  page.on('request', (request) => open.add(request));
  page.on('requestfinished', (request) => open.delete(request));
  page.on('requestfailed', (request) => open.delete(request));
  await page.route('**/trpc/**', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, LATE_MS));
    await route.continue().catch(() => undefined);
  });
  await page.addInitScript(observe);
  await page.evaluate(observe);
  return {
    /** Waits until nothing has been asked for during a while, and what has come is drawn. */
    async settled() {
      for (let quiet = 0; quiet < QUIET_MS; quiet = open.size === 0 ? quiet + STEP_MS : 0)
        await page.waitForTimeout(STEP_MS);
      await page.evaluate(async () => {
        for (let frame = 0; frame < 10; frame++) await new Promise(requestAnimationFrame);
      });
    },
    taken: () =>
      page.evaluate(() => {
        const { shifts } = window as unknown as { shifts: { value: number; moved: string[] }[] };
        const seen = shifts.splice(0);
        return { sum: seen.reduce((sum, { value }) => sum + value, 0), moved: seen.flatMap(({ moved }) => moved) };
      }),
  };
}

/** Runs in the page. */
function observe(): void {
  if ('shifts' in window) return;
  const shifts: { value: number; moved: string[] }[] = [];
  Object.assign(window, { shifts });
  interface Shift extends PerformanceEntry {
    value: number;
    hadRecentInput: boolean;
    sources: { node: Node | null; previousRect: DOMRect; currentRect: DOMRect }[];
  }
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as Shift[]) {
      if (entry.hadRecentInput) continue;
      const moved = entry.sources.map(({ node, previousRect: from, currentRect: to }) => {
        const element = node instanceof Element ? node : node?.parentElement;
        return `${element?.tagName} ${element?.className} ${Math.round(from.y)}+${Math.round(from.height)} to ${Math.round(to.y)}+${Math.round(to.height)}: ${element?.textContent?.slice(0, 40)}`;
      });
      shifts.push({ value: entry.value, moved });
    }
  }).observe({ type: 'layout-shift', buffered: true });
}
