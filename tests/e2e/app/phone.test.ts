// What a small screen has no room for, and where it stands there.
import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { expectAccessible } from '../../support/browser/axe.ts';
import {
  action,
  answered,
  composer,
  lastMessage,
  messages,
  modelPicker,
  openNewChat,
  openThread,
  send,
  sendButton,
  stopButton,
  thread,
  visit,
} from '../../support/browser/chat.ts';
import { focused, notice, sidebar } from '../../support/browser/sidebar.ts';
import { testInFullRun } from '../../support/extent.ts';
import { showSidePanel, sideStrip } from '../../support/browser/side-panel.ts';
import { soon, withApp } from '../../support/browser/app-fixture.ts';

const stage = withApp();

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

test('the header has the title above the model, a new chat and one menu, which has all the rest', async () => {
  const { page } = await stage.openElsewhere('alice', PHONE);
  await openNewChat(page);
  await more(page).waitFor();
  await soon(() => controls(page)).toEqual(['Open sidebar', 'gpt-3.5-turbo', 'New chat', 'More']);
  await soon(() => page.getByTestId('convo-title').innerText()).toBe('New Chat');
  await more(page).tap();
  await soon(() => rows(page)).toEqual(['Make this a temporary chat', 'Parameters', 'Presets', 'Show side panel']);
  await page.keyboard.press('Escape');

  await ask(page);
  await answered(page);
  await action(lastMessage(page), 'Regenerate').tap();
  await lastMessage(page).getByText('2 / 2').waitFor();
  await answered(page);
  await soon(() => controls(page)).toEqual(['Open sidebar', 'gpt-3.5-turbo', 'New chat', 'More']);
  const [title, model] = [
    await box(page.getByTestId('convo-title')),
    await box(modelPicker(page).getByText('gpt-3.5')),
  ];
  expect(title.y + title.height).toBeLessThanOrEqual(model.y + 1);
  await more(page).tap();
  const ofChat = ['Branches of this chat', 'Parameters', 'Presets', 'Show side panel', 'Find in this chat'];
  const ofConvo = ['Rename', 'Export conversation', 'Print…', 'Share…', 'Fork', 'Archive', 'Delete'];
  await soon(() => rows(page)).toEqual([...ofChat, ...ofConvo]);
  await expectAccessible(page);
  await page.keyboard.press('Escape');

  const opens = { 'Show side panel': 'Side panel' };
  for (const row of ofChat) {
    await more(page).press('Enter');
    await page.getByRole('menuitem', { name: row }).press('Enter');
    const role = row === 'Find in this chat' ? 'search' : 'dialog';
    const opened = page.getByRole(role, { name: row in opens ? opens['Show side panel'] : row });
    await opened.waitFor();
    await soon(() => opened.evaluate((element) => element.contains(document.activeElement))).toBe(true);
    await page.keyboard.press('Escape');
    await opened.waitFor({ state: 'hidden' });
    await soon(() => focused(page)).toBe('More');
  }

  await more(page).press('Enter');
  await page.getByRole('menuitem', { name: 'Rename' }).press('Enter');
  const field = page.locator('header').getByRole('textbox', { name: 'Title' });
  await field.fill('Herons by night');
  await field.press('Enter');
  await soon(() => focused(page)).toBe('More');
  await more(page).tap();
  await page.getByRole('menu').getByText('Herons by night').waitFor();
  await page.keyboard.press('Escape');

  // Where a menu fits neither below nor above its button.
  const short = { width: 390, height: 520 };
  await page.setViewportSize(short);
  await page.getByRole('button', { name: 'Open sidebar' }).tap();
  await sidebar(page).getByRole('button', { name: 'More for' }).first().tap();
  for (const row of ['Rename', 'Delete']) {
    const place = () => box(page.getByRole('menuitem', { name: row, exact: true }));
    await soon(async () => (await place()).y).toBeGreaterThanOrEqual(0);
    await soon(async () => (await place()).y + (await place()).height).toBeLessThanOrEqual(short.height);
  }
});

test('a question with versions keeps clear of the image of its sender', async () => {
  const { page } = await stage.openElsewhere('alice', { ...PHONE, viewport: { width: 340, height: 720 } });
  await openNewChat(page);
  const long = 'Where do the herons of the northern lakes sleep when the winter is long and the ice is thick?';
  await openThread(stage.app, 'alice', page, [long, 'There.', long, 'Here.'], (n) => (n % 2 === 0 ? null : n - 1));
  const question = messages(page).first();
  await question.getByText('2 / 2').waitFor();
  const image = await box(question.getByText('AE', { exact: true }));
  const bubble = await box(question.getByText(long).locator('xpath=..'));
  expect(bubble.x + bubble.width).toBeLessThan(image.x);
});

test('a dialog of the user menu closes the drawer and returns the focus to its button', async () => {
  const { page } = await stage.openElsewhere('alice', PHONE);
  await openNewChat(page);
  await page.getByRole('button', { name: 'Open sidebar' }).tap();
  await page.getByTestId('nav-user').tap();
  await page.getByRole('menuitem', { name: 'Settings' }).tap();
  await page.getByRole('dialog', { name: 'Settings' }).waitFor();
  await soon(() => sidebar(page).isVisible()).toBe(false);
  const security = page.getByRole('dialog').getByRole('button', { name: 'Security' });
  await security.tap();
  await soon(() => focused(page)).toBe('Security');
  await page.getByRole('dialog').getByLabel('New password').waitFor();
  for (const name of ['Close', 'All settings', 'Show password']) {
    const { width, height } = await box(page.getByRole('dialog').getByRole('button', { name, exact: true }).first());
    expect(Math.min(width, height)).toBeGreaterThanOrEqual(44);
  }
  await page.getByRole('button', { name: 'All settings' }).tap();
  await soon(() => focused(page)).toBe('Security');
  expect((await box(security)).height).toBeGreaterThanOrEqual(44);
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await soon(() => focused(page)).toBe('Open sidebar');
});

test('the name of a setting is not squeezed by a wide control, which stands below it', async () => {
  const { page } = await stage.openElsewhere('alice', PHONE);
  await openNewChat(page);
  await page.getByRole('button', { name: 'Open sidebar' }).tap();
  await page.getByTestId('nav-user').tap();
  await page.getByRole('menuitem', { name: 'Settings' }).tap();
  const settings = page.getByRole('dialog', { name: 'Settings' });
  await settings.getByRole('button', { name: 'Beta features', exact: true }).tap();
  // What stands above them may still arrive, and moves them.
  const boxes = () =>
    Promise.all([
      box(settings.getByText('Switch providers within a chat')),
      box(settings.getByTestId('modularChat')),
      box(settings.getByRole('region', { name: 'Beta features' })),
    ]);
  await soon(async () => {
    const [name, control, panel] = await boxes();
    return control.y >= name.y + name.height && control.x + control.width <= panel.x + panel.width;
  }).toBe(true);
  const switched = await box(settings.getByText('Show formulas (LaTeX)'));
  expect((await box(settings.getByTestId('LaTeXParsing'))).x).toBeGreaterThan(switched.x + switched.width);
});

testInFullRun('the buttons of the message editor stand in one row, in German, too', async () => {
  const { page } = await stage.openElsewhere('bob', { ...PHONE, locale: 'de-DE' });
  await page.goto('/c/new');
  await page.locator('textarea').fill('Wo schlafen Reiher?');
  await page.getByTestId('send-button').tap();
  await page.getByRole('article').nth(1).getByText('three').waitFor();
  const question = page.getByRole('article').first();
  await action(question, 'Bearbeiten').tap();
  const boxes = await Promise.all(
    ['Speichern und senden', 'Speichern', 'Abbrechen'].map((name) =>
      box(page.getByRole('button', { name, exact: true })),
    ),
  );
  expect(new Set(boxes.map(({ y }) => y)).size).toBe(1);
  const frame = await box(question);
  for (const { x, width } of boxes) expect(x + width).toBeLessThanOrEqual(frame.x + frame.width);
});

testInFullRun('the buttons of the editor of a waiting question stand in one row', async () => {
  const { page } = await stage.openElsewhere('heidi', PHONE);
  await openNewChat(page);
  await composer(page).fill('Talk on [[never-ending]]');
  await page.getByTestId('send-button').tap();
  await stopButton(page).waitFor();
  await composer(page).fill('Where do herons sleep?');
  await page.getByTestId('send-button').tap();
  const queue = page.getByTestId('queue');
  await queue.getByRole('button', { name: 'Edit the question' }).tap();
  const [save, cancel] = await Promise.all(
    ['Save', 'Cancel'].map((name) => box(queue.getByRole('button', { name, exact: true }))),
  );
  expect(save?.y).toBe(cancel?.y);
  await stopButton(page).tap();
});

testInFullRun('the editor of the last message comes into view, also when the keyboard opens', async () => {
  const { page } = await stage.openElsewhere('erin', PHONE);
  await openNewChat(page);
  for (const _ of [1, 2, 3]) {
    await ask(page);
    await answered(page);
  }
  for (const index of [-1, -2]) {
    await page.setViewportSize(PHONE.viewport);
    const message = messages(page).nth(index);
    await thread(page).evaluate((log) => log.scrollTo({ top: log.scrollHeight }));
    await message.scrollIntoViewIfNeeded();
    await action(message, 'Edit').tap();
    const cancel = page.getByRole('button', { name: 'Cancel', exact: true });
    await cancel.waitFor();
    await soon(() => isInView(page, cancel)).toBe(true);
    await page.setViewportSize({ width: 390, height: 480 });
    await soon(() => isInView(page, cancel)).toBe(true);
    await cancel.tap();
  }
});

test('a notice stands below the header, and over nothing that is typed in or pressed', async () => {
  const { page } = await stage.openElsewhere('carol', PHONE);
  await openNewChat(page);
  await ask(page);
  await answered(page);
  await more(page).tap();
  await page.getByRole('menuitem', { name: 'Archive' }).tap();
  const archived = notice(page, 'archived');
  // With the pointer on it, it does not go before a slow machine has looked.
  await archived.hover();
  await soon(async () => {
    const [header, shown, form] = await Promise.all([
      box(page.locator('header').first()),
      box(archived),
      box(page.locator('main form')),
    ]);
    return shown.y >= header.y + header.height && shown.y + shown.height <= form.y;
  }).toBe(true);
});

test('a finger draws the sidebar in from its edge and out again, and leaves it where it turns back', async () => {
  const { page } = await stage.openElsewhere('frank', PHONE);
  await openNewChat(page);
  await more(page).waitFor();
  const nav = page.locator('[data-sidebar]');
  const isOpen = async () => (await nav.getAttribute('data-open')) !== null;
  const left = () => nav.evaluate((element) => Math.round(element.getBoundingClientRect().left));
  const finger = await fingerOn(page);
  await finger.down(30, 400);
  await finger.move(60, 402);
  await finger.move(150, 404);
  await soon(left).toBe(120 - 320);
  await finger.move(230, 404);
  await finger.up();
  await soon(isOpen).toBe(true);
  await soon(left).toBe(0);

  await finger.down(300, 400);
  await finger.move(280, 400);
  await finger.move(250, 402);
  await soon(left).toBe(-50);
  await finger.move(252, 402);
  await page.waitForTimeout(100);
  await finger.move(254, 402);
  await finger.up();
  await soon(left).toBe(0);
  expect(await isOpen()).toBe(true);
  await finger.down(300, 400);
  for (const x of [270, 200, 110]) {
    await finger.move(x, 402);
    // After a flick the browser takes the next tap for the end of it.
    await page.waitForTimeout(60);
  }
  await finger.up();
  await soon(isOpen).toBe(false);
  await soon(left).toBe(-320);

  // Not by one that scrolls up, nor by one that comes from the middle, nor by one that scrolls code.
  await composer(page).fill(`Say this:\n\n\`\`\`js\n${'herons '.repeat(40)}\n\`\`\`\n\nand stop [[echo]]`);
  await sendButton(page).tap();
  await soon(() => composer(page).inputValue()).toBe('');
  await answered(page);
  const code = await box(lastMessage(page).locator('pre').first());
  await finger.down(40, code.y + code.height / 2);
  for (const x of [60, 130, 250]) await finger.move(x, code.y + code.height / 2);
  await finger.up();
  expect(await isOpen()).toBe(false);
  await finger.down(30, 600);
  for (const y of [580, 500, 420]) await finger.move(34, y);
  await finger.up();
  await finger.down(150, 400);
  for (const x of [190, 260, 340]) await finger.move(x, 402);
  await finger.up();
  expect(await isOpen()).toBe(false);

  await page.evaluate(() => document.documentElement.setAttribute('dir', 'rtl'));
  await finger.down(365, 400);
  for (const x of [330, 250, 120]) await finger.move(x, 402);
  await finger.up();
  await soon(isOpen).toBe(true);
  await soon(left).toBe(390 - 320);
});

test('a conversation that is not there has no side panel and no menu of a chat', async () => {
  const { page, tolerated } = await stage.openElsewhere('dave', { viewport: { width: 1440, height: 900 } });
  tolerated.push(/status of 404/);
  await openNewChat(page);
  await showSidePanel(page);
  await page.goto('/c/00000000-0000-4000-8000-000000000000');
  await page.getByRole('heading', { name: 'Chat not found' }).waitFor();
  await soon(() => page.getByTestId('side-panel').count()).toBe(0);
  expect(await sideStrip(page).count()).toBe(0);
  expect(await page.getByTestId('presets-button').count()).toBe(0);
  await visit(page, '/c/new');
  await composer(page).waitFor();
});

/** One that touches the screen, as the browser gets it. */
async function fingerOn(page: Page) {
  const cdp = await page.context().newCDPSession(page);
  const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', touchPoints: { x: number; y: number }[]) =>
    cdp.send('Input.dispatchTouchEvent', { type, touchPoints });
  return {
    down: (x: number, y: number) => send('touchStart', [{ x, y }]),
    move: (x: number, y: number) => send('touchMove', [{ x, y }]),
    up: () => send('touchEnd', []),
  };
}

/** Enter breaks the line here. */
test('at 400 % zoom the answer has the room, and the box takes at most a third unless one writes in it', async () => {
  const { page } = await stage.openElsewhere('zoe', { viewport: { width: 320, height: 256 } });
  await openNewChat(page);
  const dock = () => page.locator('form', { has: composer(page) }).evaluate((form) => form.clientHeight);
  const room = () => thread(page).evaluate((log) => log.clientHeight);
  await soon(dock).toBeLessThanOrEqual(256 / 3);
  await send(page, 'Where do herons sleep?');
  await thread(page).waitFor();
  await answered(page);
  await composer(page).fill(Array.from({ length: 20 }, (_, n) => `Line ${n}`).join('\n'));
  await soon(room).toBeGreaterThanOrEqual(80);
  await expectAccessible(page);
  await composer(page).blur();
  await soon(dock).toBeLessThanOrEqual(256 / 3);
  await soon(room).toBeGreaterThanOrEqual(130);
  await sendButton(page).click();
  await soon(() => composer(page).inputValue()).toBe('');
});

async function ask(page: Page): Promise<void> {
  await composer(page).fill('Where do herons sleep?');
  await sendButton(page).tap();
  await soon(() => composer(page).inputValue()).toBe('');
}

function more(page: Page): Locator {
  return page.getByTestId('header-more');
}

function rows(page: Page): Promise<string[]> {
  return page.getByRole('menuitem').allInnerTexts();
}

/** The names of the visible buttons and links of the header. */
function controls(page: Page): Promise<string[]> {
  return page
    .locator('header')
    .first()
    .evaluate((header) =>
      [...header.querySelectorAll<HTMLElement>('button, a')]
        .filter((control) => control.checkVisibility())
        .map((control) => control.ariaLabel ?? control.innerText.trim()),
    );
}

/** Whether all of it is within the visible part of the thread. */
async function isInView(page: Page, element: Locator): Promise<boolean> {
  const [shown, { y, height }] = await Promise.all([box(thread(page)), box(element)]);
  return y >= shown.y && y + height <= shown.y + shown.height;
}

async function box(element: Locator): Promise<{ x: number; y: number; width: number; height: number }> {
  await element.waitFor();
  const found = await element.boundingBox();
  if (!found) throw new Error('It is not visible.');
  return found;
}
