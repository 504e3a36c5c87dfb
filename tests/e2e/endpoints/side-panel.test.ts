// The panel beside the chat: where it is there, its width by pointer and by keys, what is remembered, and the drawer it becomes.
import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { isAskedAbout } from '../../support/exchange.ts';
import { expectAccessible } from '../../support/browser/axe.ts';
import { apiOf, answered, ask, composer, modelPicker, openNewChat, thread } from '../../support/browser/chat.ts';
import { focused } from '../../support/browser/keyboard.ts';
import { showSidePanel } from '../../support/browser/side-panel.ts';
import { soon, withApp } from '../../support/browser/app-fixture.ts';
import { themes, inFullRun, testInFullRun } from '../../support/extent.ts';

const stage = withApp();

function panel(page: Page): Locator {
  return page.getByTestId('side-panel');
}

function edge(page: Page): Locator {
  return page.getByRole('separator', { name: 'Width of the side panel' });
}

/** Percent of what the panel shares with the chat, as a screen reader gets it. */
async function share(page: Page): Promise<number> {
  return Number(await edge(page).getAttribute('aria-valuenow'));
}

/** The same as drawn. */
function drawnShare(page: Page): Promise<number> {
  return panel(page).evaluate((element) => {
    const both = element.parentElement?.getBoundingClientRect().width ?? 0;
    return Math.round((element.getBoundingClientRect().width / both) * 1000) / 10;
  });
}

function stored(page: Page, key: string): Promise<unknown> {
  return page.evaluate((name) => JSON.parse(localStorage.getItem(name) ?? 'null') as unknown, key);
}

/** As existing clients store it, without quotes. */
function storedText(page: Page, key: string): Promise<string | null> {
  return page.evaluate((name) => localStorage.getItem(name), key);
}

/** A new chat in a browser that remembers nothing. */
async function openFirst(options: { colorScheme?: 'light' | 'dark' } = {}): Promise<Page> {
  const { page } = await stage.open('alice');
  await page.emulateMedia(options);
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.evaluate(() => localStorage.clear()).catch(() => undefined);
  await page.goto('/c/new');
  return page;
}

/** The same with the panel open. */
async function openFresh(options: { colorScheme?: 'light' | 'dark' } = {}): Promise<Page> {
  const page = await openFirst(options);
  await showSidePanel(page);
  return page;
}

/** Draws the edge to where the panel would have a part of the width. */
async function drawTo(page: Page, part: number): Promise<void> {
  const { left, width } = await panel(page).evaluate((element) => {
    const both = element.parentElement?.getBoundingClientRect();
    return { left: both?.left ?? 0, width: both?.width ?? 0 };
  });
  const { x = 0, width: thickness = 0 } = (await edge(page).boundingBox()) ?? {};
  await page.mouse.move(x + thickness / 2, 450);
  await page.mouse.down();
  await page.mouse.move(left + width * (1 - part), 450, { steps: 4 });
  await page.mouse.up();
}

test('the panel is there only where it was opened, with model and parameters, and changes reach the provider', async () => {
  const page = await openFirst();
  await page.getByTestId('params-button').waitFor();
  await soon(() => panel(page).count()).toBe(0);

  await showSidePanel(page);
  await soon(() => focused(page)).toBe('Close side panel');
  await soon(() => share(page)).toBe(20);
  await soon(() => stored(page, 'newUser')).toBe(false);
  // The parameters stand in one place.
  await soon(() => page.getByTestId('params-button').count()).toBe(0);
  await panel(page).getByRole('textbox', { name: 'Temperature' }).fill('0.2');
  await modelPicker(panel(page)).click();
  await page.getByRole('option').filter({ hasText: 'fake:echo' }).first().click();
  await ask(page, 'Beside the panel');
  await answered(page);
  const { body } = stage.app.provider.requests.findLast(isAskedAbout('Beside the panel')) ?? {};
  expect(body).toMatchObject({ temperature: 0.2, model: 'fake:echo' });
  await panel(page).getByRole('button', { name: 'Close side panel' }).click();
  await page.getByRole('button', { name: 'Parameters: 1 changed' }).waitFor();
  await showSidePanel(page);
  await openNewChat(page);
  await soon(() => panel(page).count()).toBe(0);
});

test('its edge is moved between a fifth and two fifths of the width, by pointer and by keys', async () => {
  const page = await openFresh();
  await drawTo(page, 0.3);
  await soon(() => drawnShare(page)).toBeCloseTo(30, 0);
  await soon(() => share(page)).toBe(30);
  await drawTo(page, 0.8);
  await soon(() => share(page)).toBe(40);
  await soon(() => drawnShare(page)).toBeCloseTo(40, 0);
  await drawTo(page, 0.05);
  await soon(() => share(page)).toBe(20);
  const press = async (key: string, becomes: number) => {
    await edge(page).press(key);
    await soon(() => share(page)).toBe(becomes);
  };
  await press('ArrowLeft', 21);
  await press('ArrowRight', 20);
  await press('ArrowRight', 20);
  await press('End', 40);
  await press('ArrowLeft', 40);
  await press('Home', 20);
  expect(await focused(page)).toBe('Width of the side panel');

  await page.evaluate(() => document.documentElement.setAttribute('dir', 'rtl'));
  await soon(async () => (await panel(page).boundingBox())?.x).toBe(0);
  await press('ArrowRight', 21);
  await press('ArrowLeft', 20);
  await page.evaluate(() => document.documentElement.setAttribute('dir', 'ltr'));
});

test('closed, nothing of it is left but its width and its section, here and after a reload', async () => {
  const page = await openFresh();
  await drawTo(page, 0.33);
  await soon(() => drawnShare(page)).toBeCloseTo(33, 0);
  const drawn = await drawnShare(page);
  await panel(page).getByRole('button', { name: 'Attach files', exact: true }).click();
  await panel(page).getByRole('button', { name: 'Attach files', exact: true }).press('Enter');
  await panel(page).getByRole('button', { name: 'Attach files', exact: true, expanded: true }).waitFor();
  await soon(() => stored(page, 'react-resizable-panels:layout')).toEqual([
    expect.closeTo(67, 0),
    expect.closeTo(33, 0),
  ]);
  await soon(() => storedText(page, 'side:active-panel')).toBe('files');
  await panel(page).getByRole('button', { name: 'Close side panel' }).press('Enter');
  await panel(page).waitFor({ state: 'detached' });
  await soon(() => focused(page)).toBe('More');

  await page.reload();
  await composer(page).waitFor();
  await page.getByTestId('params-button').waitFor();
  expect(await panel(page).count()).toBe(0);
  await showSidePanel(page);
  await soon(() => drawnShare(page)).toBeCloseTo(drawn, 0);
  await soon(() => panel(page).getByRole('textbox', { name: 'Temperature' }).count()).toBe(0);
  await panel(page).getByRole('button', { name: 'Parameters', exact: true }).click();
  await panel(page).getByRole('textbox', { name: 'Temperature' }).waitFor();
  await soon(() => storedText(page, 'side:active-panel')).toBe('parameters');
});

test('the palette opens and closes it', async () => {
  const page = await openFirst();
  // A new chat takes the focus once it is there.
  await soon(() => focused(page)).toMatch(/^Message/);
  const choose = async () => {
    await page.keyboard.press('Control+k');
    await soon(() => focused(page)).toMatch(/^Search chats and commands/);
    await page.keyboard.type('side panel');
    await page.getByRole('option', { name: 'Open or close the side panel', selected: true }).waitFor();
    await page.keyboard.press('Enter');
  };
  await choose();
  await soon(() => share(page)).toBe(20);
  await choose();
  await panel(page).waitFor({ state: 'detached' });
});

testInFullRun('the line being read stays in place while the panel is opened and resized', async () => {
  const page = await openFirst();
  await ask(page, 'Something long [[long:9000]]');
  await answered(page);
  await thread(page).evaluate((element) => {
    element.scrollTop = element.scrollHeight / 2;
  });
  const height = () => thread(page).evaluate((element) => element.scrollHeight);
  const lines = () => thread(page).locator('p').count();
  // A long answer is drawn little by little; until then the same line has another number.
  await soon(async () => {
    const [drawn, high] = [await lines(), await height()];
    await page.waitForTimeout(500);
    return drawn === (await lines()) && high === (await height());
  }).toBe(true);
  const before = await height();
  const { index, top } = await lineInView(page);

  await showSidePanel(page);
  for (const part of [0.4, 0.35, 0.2]) {
    await drawTo(page, part);
    await soon(async () => Math.abs((await topOf(page, index)) - top)).toBeLessThan(3);
    // Lines did break anew, so that what is above did grow.
    if (part === 0.4) expect(await height()).toBeGreaterThan(before + 50);
  }
});

test('on a small screen it is a drawer with a mask, and a click on the mask closes it', async () => {
  const page = await openFresh();
  await page.setViewportSize({ width: 768, height: 900 });
  await panel(page).getByRole('button', { name: 'Close side panel' }).waitFor();
  await page.setViewportSize({ width: 767, height: 900 });
  await panel(page).waitFor({ state: 'hidden' });
  await soon(() => composer(page).isVisible()).toBe(true);

  await showSidePanel(page);
  const drawer = page.getByRole('dialog', { name: 'Side panel' });
  await drawer.getByRole('button', { name: 'Close side panel' }).waitFor();
  expect(await drawer.evaluate((element) => getComputedStyle(element, '::backdrop').backgroundColor)).toMatch(
    /^rgba?\(/,
  );
  await drawer.getByRole('textbox', { name: 'Temperature' }).fill('0.6');
  await page.mouse.click(60, 500);
  await drawer.waitFor({ state: 'hidden' });
  await soon(() => focused(page)).toBe('More');

  await showSidePanel(page);
  // A busy browser reports very late that it has closed it.
  await page.evaluate(`addEventListener('close', (event) => event.stopPropagation(), { capture: true, once: true })`);
  await page.keyboard.press('Escape');
  await drawer.waitFor({ state: 'hidden' });
  await soon(() => focused(page)).toBe('More');

  await page.setViewportSize({ width: 1440, height: 900 });
  await soon(() => panel(page).count()).toBe(0);
  await showSidePanel(page);
});

testInFullRun('a setting removes it with what opens it', async () => {
  const page = await openFresh();
  const api = await apiOf(stage.app, 'alice');
  await api.settings.set.mutate({ hideSidePanel: true });
  await panel(page).waitFor({ state: 'detached' });
  await page.getByTestId('params-button').waitFor();
  await soon(() => page.getByTestId('convo-menu-button').count()).toBe(0);
  await api.settings.set.mutate({ hideSidePanel: null });
  await panel(page).waitFor();
});

test.each(inFullRun(themes))('the panel has no accessibility violations: %s', async (colorScheme) => {
  const page = await openFresh({ colorScheme });
  await expectAccessible(page);
  await panel(page).getByRole('textbox', { name: 'Stop sequences' }).fill('END');
  await page.keyboard.press('Enter');
  await expectAccessible(page);
  await page.setViewportSize({ width: 600, height: 844 });
  await showSidePanel(page);
  await page.getByRole('dialog', { name: 'Side panel' }).waitFor();
  await expectAccessible(page);
});

interface Line {
  /** Which of the paragraphs. */
  index: number;
  top: number;
}

/** The first paragraph that begins in the view, and where. */
function lineInView(page: Page): Promise<Line> {
  return thread(page).evaluate((scroller) => {
    const edgeTop = scroller.getBoundingClientRect().top;
    const tops = [...scroller.querySelectorAll('p')].map((line) => line.getBoundingClientRect().top - edgeTop);
    const index = tops.findIndex((top) => top >= 0);
    return { index, top: tops[index] ?? 0 };
  });
}

function topOf(page: Page, index: number): Promise<number> {
  return thread(page).evaluate((scroller, at) => {
    const line = scroller.querySelectorAll('p')[at];
    return (line?.getBoundingClientRect().top ?? Infinity) - scroller.getBoundingClientRect().top;
  }, index);
}
