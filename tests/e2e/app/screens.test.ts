// Every screen in both themes, as a checker of accessibility and as an eye sees it.
import type { Locator, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { expectAccessible } from '../../support/browser/axe.ts';
import {
  answered,
  ask,
  composer,
  lastMessage,
  modelPicker,
  openNewChat,
  streaming,
  stopButton,
} from '../../support/browser/chat.ts';
import { choose, focused, notice } from '../../support/browser/sidebar.ts';
import { soon, withApp } from '../../support/browser/app-fixture.ts';
import { shiftsWhile } from '../../support/browser/layout-shifts.ts';
import { themes, testInFullRun } from '../../support/extent.ts';

const stage = withApp();

describe.each(themes)('in the %s theme', (colorScheme) => {
  test('the sign-in and registration pages have no accessibility violations', async () => {
    // A server without accounts has no sign-in.
    await stage.app.register(`first-${colorScheme}`);
    const { page, tolerated } = await stage.visitor({ colorScheme });
    tolerated.push(/status of 422/);
    await page.goto('/login');
    await page.getByLabel('Email', { exact: true }).fill('nobody@example.com');
    await page.getByLabel('Password', { exact: true }).fill('nine brown bottles');
    await page.getByRole('button', { name: 'Continue', exact: true }).click();
    await page.getByRole('alert').waitFor();
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Sign up' }).click();
    await page.getByLabel('Full name').fill('Al');
    await page.getByText('Name must be at least 3 characters').waitFor();
    await expectAccessible(page);
  });

  test('the chat has no accessibility violations on its landing, while streaming, finished, failed, in menus and dialogs', async () => {
    const { page } = await stage.open('alice');
    await page.emulateMedia({ colorScheme });
    await openNewChat(page);
    await page.getByTestId('landing-title').waitFor();
    await expectAccessible(page);

    await ask(page, 'Herons in flight [[markdown]]');
    await answered(page);
    await lastMessage(page).locator('.katex').first().waitFor();
    await expectAccessible(page);

    await ask(page, 'Go on [[never-ending]]');
    await streaming(page);
    await expectAccessible(page);
    await stopButton(page).click();
    await answered(page);

    await ask(page, 'Fail [[error-401]]');
    await answered(page);
    await lastMessage(page).getByRole('group').waitFor();
    await expectAccessible(page);

    await page.getByRole('button', { name: 'alice example' }).click();
    await page.getByRole('menuitem', { name: 'Log out' }).waitFor();
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await page.getByRole('menu').waitFor({ state: 'detached' });

    await modelPicker(page).click();
    await page.getByRole('option').first().waitFor();
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await page.getByRole('option').first().waitFor({ state: 'detached' });

    await choose(page, 'Herons in Flight', 'Delete');
    await page.getByRole('dialog').waitFor();
    await expectAccessible(page);
    await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
    await page.waitForURL('**/c/new');
    // Anyone who comes next finds it gone.
    await notice(page, 'Chat deleted').waitFor();
  });

  testInFullRun('the drawer on a phone has no accessibility violations', async () => {
    const viewport = { width: 390, height: 844 };
    const { page } = await stage.openElsewhere('alice', { colorScheme, viewport, isMobile: true, hasTouch: true });
    await openNewChat(page);
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Open sidebar' }).tap();
    await page.getByRole('navigation').waitFor();
    await soon(async () => (await page.getByRole('navigation').boundingBox())?.x).toBe(0);
    await expectAccessible(page);
  });
});

test('nothing moves while the first screen loads, and everything it preloads is used', async () => {
  const { page } = await stage.open('bob');
  const unused: string[] = [];
  page.on('console', (message) => message.text().includes('preload') && unused.push(message.text()));
  const shift = await shiftsWhile(page, async () => {
    await openNewChat(page);
    await modelPicker(page).waitFor();
  });
  expect(shift).toBeLessThan(0.01);
  await page.reload();
  await modelPicker(page).waitFor();
  expect(unused).toEqual([]);
});

test('on a phone, too, where the note of the demo comes later', async () => {
  const { page } = await stage.openElsewhere('carol', {
    viewport: { width: 390, height: 844 },
    isMobile: true,
    hasTouch: true,
  });
  await page.route(/endpoints\.list/, async (route) => {
    const response = await route.fetch();
    const body = await response.text();
    await route.fulfill({
      response,
      body: body.replaceAll('"openAI":', '"Demo":').replaceAll('"gpt-3.5-turbo"', '"parley-3.5"'),
    });
  });
  const shift = await shiftsWhile(page, async () => {
    await openNewChat(page);
    await page.getByText(/^This demo answers with prepared texts/).waitFor();
  });
  expect(shift).toBeLessThan(0.02);
});

test('the theme follows the system until one is chosen, and the choice applies before the first paint', async () => {
  const { page } = await stage.open('bob');
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.goto('/c/new');
  await composer(page).waitFor();
  expect(await scheme(page)).toBe('dark');
  await page.emulateMedia({ colorScheme: 'light' });
  await soon(() => scheme(page)).toBe('light');

  const dialog = await openSettings(page);
  await dialog.getByTestId('theme-selector').selectOption('dark');
  await soon(() => scheme(page)).toBe('dark');
  await soon(() => page.evaluate(() => localStorage.getItem('color-theme'))).toBe('dark');

  await page.addInitScript(() => {
    const seen = new Set<string>();
    Object.assign(window, { seen });
    const look = () => {
      if (document.body) seen.add(getComputedStyle(document.body).backgroundColor);
      requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  });
  await page.reload();
  await composer(page).waitFor();
  const dark = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const seen = await page.evaluate(() => [...(window as unknown as { seen: Set<string> }).seen]);
  expect(seen.filter((color) => color !== dark)).toEqual([]);

  await openSettings(page);
  await dialog.getByTestId('theme-selector').selectOption('system');
  await soon(() => scheme(page)).toBe('light');
  await soon(() => page.evaluate(() => localStorage.getItem('color-theme'))).toBe('system');
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
});

test('an empty chat greets its person around a message box in the middle, at the end on a phone, offers examples, and folds what is known of the model', async () => {
  const { page } = await stage.open('alice');
  await openNewChat(page);
  await soon(() => page.getByTestId('landing-title').innerText()).toMatch(/^Good (morning|afternoon|evening), alice$/);
  const example = page.getByText('Explain quantum computing');
  await soon(() => middle(composer(page))).toBeLessThan(500);
  expect(await middle(page.getByTestId('landing-title'))).toBeLessThan(await middle(composer(page)));
  expect(await middle(composer(page))).toBeLessThan(await middle(example));
  await page.setViewportSize({ width: 390, height: 844 });
  await soon(() => middle(composer(page))).toBeGreaterThan(650);
  expect(await middle(example)).toBeLessThan(await middle(composer(page)));
  await page.setViewportSize({ width: 1280, height: 720 });
  await soon(() => middle(composer(page))).toBeLessThan(500);
  await example.focus();
  await page.keyboard.press('Enter');
  await soon(() => composer(page).inputValue()).toBe('Explain quantum computing');
  await soon(() => focused(page)).toMatch(/^Message/);
  await composer(page).fill('');
  const about = page.getByTestId('about-model');
  await about.getByText('About this model').click();
  const headings = about.getByRole('heading', { level: 2 });
  await soon(() => headings.allInnerTexts()).toEqual(['gpt-3.5-turbo', 'Capabilities', 'Limitations']);
  await about.getByText('Context window: 16,375 tokens').waitFor();
  await about.getByText('List price: $1.50 for a million tokens read, $2.00 for a million written').waitFor();
  await about.getByText('uses tools').waitFor();
  await about.getByText('Knowledge up to September 2021').waitFor();
  await expectAccessible(page);
  await soon(() => page.locator('footer').innerText()).toBe(
    'Parley v0.10.0 · All AI conversations in one place. Pay per call and not per month.',
  );

  // The box glides to the end with the first question, and not with the next.
  await page.evaluate(() => {
    const glides: string[] = [];
    Object.assign(window, { glides });
    const { animate } = Element.prototype;
    Element.prototype.animate = function animateAndNote(...given) {
      if (this instanceof HTMLFormElement) glides.push(JSON.stringify(given[0]));
      return animate.apply(this, given);
    };
  });
  const glides = () => page.evaluate(() => (window as unknown as { glides: string[] }).glides);
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  await ask(page, 'Herons');
  await answered(page);
  await soon(glides).toEqual([expect.stringContaining('translateY(-')]);
  // It is there when it has glided.
  await soon(() => middle(composer(page))).toBeGreaterThan(600);
  await ask(page, 'More herons');
  await answered(page);
  expect(await glides()).toHaveLength(1);
  await openNewChat(page);
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await ask(page, 'Herons at rest');
  await answered(page);
  expect(await glides()).toHaveLength(1);
});

describe('the settings', () => {
  test('have sections, and open from the menu and the palette, by keyboard too', async () => {
    const { page } = await stage.open('bob');
    await openNewChat(page);
    await page.getByTestId('nav-user').click();
    await page.getByRole('menuitem', { name: 'Settings' }).click();
    const dialog = page.getByRole('dialog', { name: 'Settings' });
    await soon(() => dialog.getByRole('tab').allInnerTexts()).toEqual([
      'General',
      'Beta features',
      'Data controls',
      'Account',
      'Profile',
      'Appearance',
      'Chat',
      'Speech',
      'Memory',
      'Skills',
      'Personalization',
      'Notices',
      'Keyboard',
      'Keys',
      'Chats and files',
      'Usage',
      'Security',
      'About',
    ]);
    await soon(() => focused(page)).toBe('General');
    await dialog.getByTestId('theme-selector').selectOption('dark');
    await soon(() => page.evaluate(() => localStorage.getItem('color-theme'))).toBe('dark');
    await expectAccessible(page);
    await dialog.getByTestId('theme-selector').selectOption('system');
    await dialog.getByRole('tab', { name: 'General' }).focus();
    await page.keyboard.press('ArrowDown');
    await dialog.getByTestId('modularChat').waitFor();
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });

    await page.keyboard.press('Control+k');
    await page.getByRole('dialog', { name: 'Commands' }).getByRole('combobox').waitFor();
    await page.keyboard.type('settings');
    await page.keyboard.press('Enter');
    await dialog.waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
  });

  test('clear all chats after a confirming second click; a click elsewhere cancels', async () => {
    const { page } = await stage.open('bob');
    await openNewChat(page);
    await ask(page, 'Soon gone');
    await answered(page);
    const dialog = await openSettings(page);
    await dialog.getByTestId('clear-convos-initial').click();
    await dialog.getByTestId('clear-convos-confirm').waitFor();
    await expectAccessible(page);
    await dialog.getByText('Delete all chats').click();
    await dialog.getByTestId('clear-convos-initial').click();
    await dialog.getByTestId('clear-convos-confirm').click();
    await notice(page, 'Chat deleted').waitFor();
    await page.waitForURL('**/c/new');
    await page.keyboard.press('Escape');
    await page.getByText('Your chats will appear here.').waitFor();
  });
});

test('with reduced motion nothing is animated', async () => {
  const { page } = await stage.open('bob');
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await openNewChat(page);
  await ask(page, 'Go on [[never-ending]]');
  await streaming(page);
  const moving = await page.evaluate(() =>
    document
      .getAnimations()
      .filter(({ effect }) => Number(effect?.getComputedTiming().duration ?? 0) > 1)
      .map((animation) => (animation.effect as KeyframeEffect).target?.className),
  );
  expect(moving).toEqual([]);
  await stopButton(page).click();
  await answered(page);
});

function scheme(page: Page): Promise<string | null> {
  return page.evaluate(() => document.documentElement.getAttribute('data-mantine-color-scheme'));
}

async function openSettings(page: Page): Promise<Locator> {
  await page.getByTestId('nav-user').click();
  await page.getByRole('menuitem', { name: 'Settings' }).click();
  const dialog = page.getByRole('dialog', { name: 'Settings' });
  await dialog.waitFor();
  return dialog;
}

async function middle(element: Locator): Promise<number> {
  const box = await element.boundingBox();
  return box ? box.y + box.height / 2 : NaN;
}
