// The panel beside the chat: the strip of icons that opens it, its width by pointer and by keys, what is remembered, how it
// is hidden, and the drawer it becomes.
import { randomUUID } from 'node:crypto';
import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { isAskedAbout } from '../../support/exchange.ts';
import { expectAccessible } from '../../support/browser/axe.ts';
import {
  apiOf,
  answered,
  ask,
  composer,
  lastMessage,
  modelPicker,
  openNewChat,
  openThread,
  thread,
} from '../../support/browser/chat.ts';
import { focused } from '../../support/browser/keyboard.ts';
import {
  showByMenu,
  showSidePanel,
  sidePanel as panel,
  sideStrip,
  stripIcon,
} from '../../support/browser/side-panel.ts';
import { shiftsWhile } from '../../support/browser/layout-shifts.ts';
import { soon, withApp } from '../../support/browser/app-fixture.ts';
import { themes, inFullRun, testInFullRun } from '../../support/extent.ts';

const stage = withApp();

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
  const { right, width } = await panel(page).evaluate((element) => ({
    right: element.getBoundingClientRect().right,
    width: element.parentElement?.getBoundingClientRect().width ?? 0,
  }));
  const { x = 0, width: thickness = 0 } = (await edge(page).boundingBox()) ?? {};
  await page.mouse.move(x + thickness / 2, 450);
  await page.mouse.down();
  await page.mouse.move(right - width * part, 450, { steps: 4 });
  await page.mouse.up();
}

test('an icon opens the panel with model and parameters, whose changes reach the provider, and closes it', async () => {
  const page = await openFirst();
  await soon(() => names(sideStrip(page))).toEqual(['Parameters', 'Attach files', 'Prompts', 'Hide panel']);
  expect(await panel(page).count()).toBe(0);
  // The header has no button beside an icon for the same.
  await page.getByTestId('presets-button').waitFor();
  expect(await page.getByTestId('params-button').count()).toBe(0);
  const { width = 0 } = (await sideStrip(page).boundingBox()) ?? {};
  expect(width).toBeGreaterThanOrEqual(48);
  expect(width).toBeLessThan(60);

  const icon = stripIcon(page, 'Parameters');
  await icon.hover();
  await soon(() => page.getByTestId('tooltip').innerText()).toBe('Parameters');
  await icon.press('Enter');
  await soon(() => share(page)).toBe(20);
  await soon(() => icon.getAttribute('aria-expanded')).toBe('true');
  expect(await icon.getAttribute('aria-controls')).toBe(await panel(page).getAttribute('id'));
  expect(await focused(page)).toBe('Parameters');
  await soon(() => stored(page, 'newUser')).toBe(false);
  await panel(page).getByRole('textbox', { name: 'Temperature' }).fill('0.2');
  await modelPicker(panel(page)).click();
  await page.getByRole('option').filter({ hasText: 'fake:echo' }).first().click();
  await ask(page, 'Beside the panel');
  await answered(page);
  const { body } = stage.app.provider.requests.findLast(isAskedAbout('Beside the panel')) ?? {};
  expect(body).toMatchObject({ temperature: 0.2, model: 'fake:echo' });
  await panel(page).getByRole('button', { name: 'Close side panel' }).press('Enter');
  await soon(() => focused(page)).toBe('Parameters: 1 changed');
  expect(await page.getByTestId('params-button').count()).toBe(0);
  await icon.click();
  await openNewChat(page);
  await panel(page).getByRole('textbox', { name: 'Temperature' }).waitFor();
  await icon.click();
  await panel(page).waitFor({ state: 'detached' });
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
  await soon(async () => (await sideStrip(page).boundingBox())?.x).toBe(0);
  await press('ArrowRight', 21);
  await press('ArrowLeft', 20);
  await page.evaluate(() => document.documentElement.setAttribute('dir', 'ltr'));
});

test('its panel, its width and whether it is open are remembered over a reload, which does not move the chat', async () => {
  const page = await openFresh();
  await drawTo(page, 0.33);
  await soon(() => drawnShare(page)).toBeCloseTo(33, 0);
  const drawn = await drawnShare(page);
  await stripIcon(page, 'Attach files').press('Enter');
  await panel(page).getByRole('heading', { name: 'Attach files' }).waitFor();
  await soon(() => stripIcon(page, 'Parameters').getAttribute('aria-expanded')).toBe('false');
  await soon(() => stored(page, 'react-resizable-panels:layout')).toEqual([
    expect.closeTo(67, 0),
    expect.closeTo(33, 0),
  ]);
  expect(await stored(page, 'react-resizable-panels:collapsed')).toBe(false);
  expect(await storedText(page, 'side:active-panel')).toBe('files');

  const shifts = await shiftsWhile(page, async () => {
    await page.reload();
    await panel(page).getByRole('heading', { name: 'Attach files' }).waitFor();
    await page.getByTestId('presets-button').waitFor();
  });
  expect(shifts).toBeLessThan(0.02);
  await soon(() => drawnShare(page)).toBeCloseTo(drawn, 0);
  await stripIcon(page, 'Attach files').press('Enter');
  await panel(page).waitFor({ state: 'detached' });
  expect(await stored(page, 'react-resizable-panels:collapsed')).toBe(true);

  await page.reload();
  await stripIcon(page, 'Attach files').waitFor();
  expect(await panel(page).count()).toBe(0);
  await stripIcon(page, 'Parameters').press('Enter');
  await panel(page).getByRole('textbox', { name: 'Temperature' }).waitFor();
  await soon(() => drawnShare(page)).toBeCloseTo(drawn, 0);
  expect(await storedText(page, 'side:active-panel')).toBe('parameters');
});

test('a prompt of its list is inserted into the message box', async () => {
  const page = await openFirst();
  const api = await apiOf(stage.app, 'alice');
  await api.prompts.save.mutate({
    id: randomUUID(),
    title: 'Herons',
    command: 'herons',
    body: 'Where do herons sleep?',
  });
  await showSidePanel(page, 'Prompts');
  await panel(page)
    .getByRole('button', { name: /^Herons/ })
    .click();
  await soon(() => composer(page).inputValue()).toBe('Where do herons sleep?');
  await expectAccessible(page);
  await panel(page).getByRole('link', { name: 'Manage prompts' }).click();
  await page.getByRole('heading', { name: 'Prompts', level: 1 }).waitFor();
  await page.goBack();
  await composer(page).fill('');
});

test('“Hide panel” hides it whole, and the setting and Undo bring it back', async () => {
  const page = await openFresh();
  await sideStrip(page).getByRole('button', { name: 'Hide panel' }).press('Enter');
  await sideStrip(page).waitFor({ state: 'detached' });
  expect(await panel(page).count()).toBe(0);
  await soon(() => focused(page)).toMatch(/^Message/);
  expect(await stored(page, 'fullPanelCollapse')).toBe(true);
  await page.reload();
  await page.getByTestId('params-button').waitFor();
  expect(await sideStrip(page).count()).toBe(0);
  expect(await page.getByTestId('convo-menu-button').count()).toBe(0);

  await page.keyboard.press('Control+,');
  const settings = page.getByRole('dialog', { name: 'Settings' });
  await settings.getByRole('searchbox', { name: 'Search settings' }).fill('panel');
  const hidden = settings.getByTestId('hideSidePanel');
  await soon(() => hidden.isChecked()).toBe(true);
  // Its track covers it.
  await hidden.press('Space');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await settings.waitFor({ state: 'detached' });
  await panel(page).getByRole('button', { name: 'Close side panel' }).waitFor();
  expect(await stored(page, 'fullPanelCollapse')).toBe(false);
  await soon(() => page.getByTestId('params-button').count()).toBe(0);

  await sideStrip(page).getByRole('button', { name: 'Hide panel' }).press('Enter');
  await page.getByTestId('toast').getByRole('button', { name: 'Undo' }).click();
  await panel(page).waitFor();
});

test('an artifact stands in its place until it is closed, and the palette opens it again', async () => {
  const page = await openFresh();
  const drawing = '```svg\n<svg xmlns="http://www.w3.org/2000/svg"><circle r="9"/></svg>\n```';
  await openThread(stage.app, 'alice', page, ['Draw a dot', drawing]);
  await panel(page).waitFor();
  const artifact = page.getByTestId('artifact-pane');
  const show = async () => {
    await lastMessage(page).getByRole('button', { name: 'Preview' }).click();
    await artifact.waitFor();
    expect(await panel(page).count()).toBe(0);
    expect(await sideStrip(page).count()).toBe(0);
    await page.getByTestId('params-button').waitFor();
  };
  await show();
  await page.keyboard.press('Escape');
  await panel(page).waitFor();
  await show();
  await choosePanel(page);
  await panel(page).waitFor();
  expect(await artifact.count()).toBe(0);
});

test('the palette opens and closes it', async () => {
  const page = await openFirst();
  // A new chat takes the focus once it is there.
  await soon(() => focused(page)).toMatch(/^Message/);
  await choosePanel(page);
  await soon(() => share(page)).toBe(20);
  await choosePanel(page);
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

test('on a small screen it is a drawer with a mask, and a click on the mask hides it whole', async () => {
  const page = await openFresh();
  await page.setViewportSize({ width: 768, height: 900 });
  await panel(page).getByRole('button', { name: 'Close side panel' }).waitFor();
  await page.setViewportSize({ width: 767, height: 900 });
  await panel(page).waitFor({ state: 'hidden' });
  expect(await sideStrip(page).count()).toBe(0);
  await soon(() => composer(page).isVisible()).toBe(true);

  await showSidePanel(page);
  const drawer = page.getByRole('dialog', { name: 'Side panel' });
  expect(await drawer.evaluate((element) => getComputedStyle(element, '::backdrop').backgroundColor)).toMatch(
    /^rgba?\(/,
  );
  await drawer.getByRole('textbox', { name: 'Temperature' }).fill('0.6');
  // A busy browser reports very late that it has closed it.
  await page.evaluate(`addEventListener('close', (event) => event.stopPropagation(), { capture: true, once: true })`);
  await page.keyboard.press('Escape');
  await drawer.waitFor({ state: 'hidden' });
  await soon(() => focused(page)).toBe('More');

  // Wide again, it is as it was left there.
  await page.setViewportSize({ width: 1440, height: 900 });
  await panel(page).getByRole('button', { name: 'Close side panel' }).waitFor();
  await page.setViewportSize({ width: 767, height: 900 });
  await showSidePanel(page);
  await page.mouse.click(60, 500);
  await drawer.waitFor({ state: 'hidden' });
  await soon(() => focused(page)).toBe('More');
  expect(await stored(page, 'fullPanelCollapse')).toBe(true);

  await page.setViewportSize({ width: 1440, height: 900 });
  await soon(() => panel(page).count()).toBe(0);
  expect(await sideStrip(page).count()).toBe(0);
  await showByMenu(page);
  await soon(() => focused(page)).toBe('Close side panel');
  await sideStrip(page).waitFor();
});

testInFullRun('a setting removes it with what opens it', async () => {
  const page = await openFresh();
  const api = await apiOf(stage.app, 'alice');
  await api.settings.set.mutate({ hideSidePanel: true });
  await panel(page).waitFor({ state: 'detached' });
  await soon(() => sideStrip(page).count()).toBe(0);
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

/** Opens or closes it by the palette. */
async function choosePanel(page: Page): Promise<void> {
  await page.keyboard.press('Control+k');
  await soon(() => focused(page)).toMatch(/^Search chats and commands/);
  await page.keyboard.type('side panel');
  await page.getByRole('option', { name: 'Open or close the side panel', selected: true }).waitFor();
  await page.keyboard.press('Enter');
}

/** The names of its buttons, from the top to the bottom. */
function names(within: Locator): Promise<(string | null)[]> {
  return within.getByRole('button').evaluateAll((all) => all.map((one) => one.getAttribute('aria-label')));
}

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
