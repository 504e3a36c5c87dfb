// The header of a conversation, the frame before the session is known, tooltips and the offline page.
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { expectAccessible } from '../../support/browser/axe.ts';
import { answered, ask, composer, conversation, modelPicker, openNewChat, send } from '../../support/browser/chat.ts';
import { soon, withApp } from '../../support/browser/app-fixture.ts';
import { testInFullRun } from '../../support/extent.ts';

const stage = withApp();

test('a conversation has a title at once, is renamed in place, and has a menu', async () => {
  const { page } = await stage.open('heading');
  await openNewChat(page);
  const title = page.getByTestId('convo-title');
  await ask(page, 'Which herons stay here in winter? [[slow-title:6000]]');
  await soon(() => title.innerText()).toMatch(/^Which herons stay here in winter/);
  await answered(page);

  const model = modelPicker(page);
  const drawn = async () => [await model.innerText(), (await model.boundingBox())?.width];
  const before = await drawn();
  await title.click();
  const field = page.locator('header').getByRole('textbox', { name: 'Title' });
  await field.fill('Grey herons');
  expect(await drawn()).toEqual(before);
  await field.press('Enter');
  await soon(() => title.innerText()).toBe('Grey herons');
  await conversation(page, 'Grey herons').waitFor();
  await soon(() => page.title()).toBe('Grey herons · Parley');
  await title.click();
  await field.fill('No herons');
  await field.press('Escape');
  await soon(() => title.innerText()).toBe('Grey herons');

  const more = page.getByTestId('convo-menu-button');
  await more.hover();
  const tooltip = page.getByTestId('tooltip');
  await soon(() => tooltip.innerText()).toBe('This chat');
  await page.keyboard.press('Escape');
  await tooltip.waitFor({ state: 'hidden' });
  await more.click();
  // Below the name of some stand their keys.
  const names = async () => (await page.getByRole('menuitem').allInnerTexts()).map((name) => name.split('\n')[0]);
  await soon(names).toEqual([
    'Find in this chat',
    'Rename',
    'Export conversation',
    'Print…',
    'Fork',
    'Archive',
    'Delete',
  ]);
  await expectAccessible(page);
  await page.getByRole('menuitem', { name: 'Archive' }).click();
  await conversation(page, 'Grey herons').waitFor({ state: 'detached' });
});

test('on a phone, a title that is being renamed leaves the model in sight', async () => {
  const { page } = await stage.openElsewhere('heading', { viewport: { width: 390, height: 844 } });
  await openNewChat(page);
  await ask(page, 'Which herons stay here in winter?');
  await answered(page);
  await page.getByTestId('header-more').click();
  await page.getByRole('menuitem', { name: 'Rename' }).click();
  const field = page.locator('header').getByRole('textbox', { name: 'Title' });
  await soon(() => field.evaluate((input) => input === document.activeElement)).toBe(true);
  const model = await modelPicker(page).locator('text=gpt').first().boundingBox();
  const title = await field.boundingBox();
  expect(model?.y).toBeGreaterThanOrEqual((title?.y ?? 0) + (title?.height ?? 0));
  await expectAccessible(page);
});

test('a first question that is refused, and a temporary chat, have a heading that names them', async () => {
  const { page: refused, tolerated } = await stage.openElsewhere('heading');
  tolerated.push(/status of 500/);
  const heading = (page: Page) => page.getByRole('heading', { level: 1 });
  // No socket opens, so that the question goes as a request.
  await refused.routeWebSocket(/\/trpc\b/, () => new Promise<void>(() => {}));
  await refused.route('**/trpc/*messages.ask*', (route) => route.fulfill({ status: 500, body: '' }));
  await openNewChat(refused);
  await send(refused, 'Which owls hunt by day?');
  await refused.getByTestId('message-error').waitFor();
  await soon(() => heading(refused).innerText()).toBe('Which owls hunt by day?');

  const { page } = await stage.open('heading');
  await openNewChat(page);
  await page.getByTestId('temporary-toggle').click();
  await ask(page, 'Owls by day');
  await answered(page);
  await soon(() => heading(page).innerText()).toBe('Temporary chat');
});

test('tooltips are of one kind, and a name has one where it is cut', async () => {
  const { page } = await stage.open('heading');
  await openNewChat(page);
  const long = 'Where the grey herons of the old town sleep while it rains for days';
  for (const question of [long, 'Owls']) {
    await openNewChat(page);
    await ask(page, question);
    await answered(page);
    await page.getByTestId('convo-title').click();
    await page.locator('header').getByRole('textbox', { name: 'Title' }).fill(question);
    await page.keyboard.press('Enter');
    await conversation(page, question).waitFor();
    // It takes the focus one frame later, and a name with the focus has a tooltip, too.
    await page.getByTestId('convo-title').and(page.locator(':focus')).waitFor();
  }
  const tooltip = page.getByTestId('tooltip');
  await conversation(page, long)
    .getByRole('link')
    .hover({ position: { x: 40, y: 10 } });
  await soon(() => tooltip.innerText()).toBe(long);
  await conversation(page, 'Owls')
    .getByRole('link')
    .hover({ position: { x: 40, y: 10 } });
  await tooltip.waitFor({ state: 'hidden' });
  await modelPicker(page).hover();
  await soon(() => tooltip.innerText()).toMatch(/^Choose another model\s*Ctrl Shift M$/);
  await modelPicker(page).click();
  await page.getByRole('option').first().waitFor();
  await tooltip.waitFor({ state: 'hidden' });
  expect(await page.locator('[title]:not(iframe)').count()).toBe(0);
});

testInFullRun('the outlines of the frame stand while the session is checked', async () => {
  const { page } = await stage.openElsewhere('frame');
  await openNewChat(page);
  let answer: () => void = () => undefined;
  const held = new Promise<void>((resolve) => (answer = resolve));
  await page.route('**/trpc/auth.refresh*', async (route) => {
    await held;
    await route.continue();
  });
  await page.reload({ waitUntil: 'commit' });
  await page.getByTestId('frame-skeleton').waitFor();
  answer();
  await composer(page).waitFor();
  await soon(() => page.getByTestId('frame-skeleton').count()).toBe(0);
});

testInFullRun('without a connection a page of its own says what is kept, and the app returns by itself', async () => {
  const { page, context, tolerated } = await stage.openElsewhere('offline', { serviceWorkers: 'allow' });
  tolerated.push(/./);
  await openNewChat(page);
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  await context.setOffline(true);
  await page.reload();
  // A page that is loaded in this state takes itself to be online: as if only the server were down.
  await page.getByRole('heading', { name: 'The server cannot be reached' }).waitFor();
  await page.evaluate(() => {
    Object.defineProperty(navigator, 'onLine', { get: () => false });
    dispatchEvent(new Event('offline'));
  });
  await page.getByRole('heading', { name: 'You are offline' }).waitFor();
  expect(await page.evaluate(async () => (await caches.keys()).length)).toBe(1);
  await context.setOffline(false);
  await composer(page).waitFor();
});
