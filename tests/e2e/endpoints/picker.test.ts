// Whom a chat talks to, and what becomes of it when that is changed.
import { appendFileSync } from 'node:fs';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Locator, Page } from 'playwright-core';
import { afterAll, expect, test } from 'vitest';
import { someOf, testInFullRun } from '../../support/extent.ts';
import { expectAccessible } from '../../support/browser/axe.ts';
import {
  answered,
  apiOf,
  ask,
  composer,
  holdAnswer,
  lastMessage,
  messages,
  openId,
  openNewChat,
  thread,
} from '../../support/browser/chat.ts';
import { LONG_NAME, MANY, severalEndpoints } from '../../support/browser/several-endpoints.ts';
import { focused } from '../../support/browser/sidebar.ts';
import { soon, withApp } from '../../support/browser/app-fixture.ts';

const SQUARE =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><rect width="8" height="8" fill="teal"/></svg>';

const elsewhere = createServer(({ url }, response) => {
  response.writeHead(url === '/square.svg' ? 200 : 404, { 'content-type': 'image/svg+xml' });
  response.end(SQUARE);
}).listen(0, '127.0.0.1');
await once(elsewhere, 'listening');
const { port } = elsewhere.address() as AddressInfo;
afterAll(() => void elsewhere.close());

const ICONS = {
  There: `http://127.0.0.1:${port}/square.svg`,
  Here: '/icon.svg',
  Inline: `data:image/svg+xml;base64,${Buffer.from(SQUARE).toString('base64')}`,
  Broken: '/assets/nothing.png',
};

/** The browser's own words for the image that is not there. */
const NOT_THERE = /404 \(Not Found\)/;

const stage = withApp(withPictures());

async function openChat(): Promise<Page> {
  const { page, tolerated } = await stage.open('alice');
  tolerated.push(NOT_THERE);
  await openNewChat(page);
  return page;
}

testInFullRun('the first chat has the first model of the first endpoint', async () => {
  const page = await openChat();
  await picker(page).getByText('gpt-3.5-turbo').waitFor();
});

testInFullRun('models are found by typing, whatever the case, in a very long list', async () => {
  const page = await openChat();
  await openPicker(page);
  await page.keyboard.type('LARGE');
  await soon(() => options(page).allInnerTexts()).toEqual(['mistral-large']);
  await page.keyboard.press('Control+a');
  await page.keyboard.type('many');
  await soon(() => options(page).count()).toBe(MANY.length);
  await page.keyboard.type('-19');
  await soon(() => options(page).count()).toBe(11);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await picker(page).getByText('many-190').waitFor();
  await soon(() => focused(page)).toMatch(/^Message/);
  await openPicker(page);
  await page.keyboard.type('xyzzy');
  await page.getByText('No model has that in its name.').waitFor();
  await page.keyboard.press('Escape');
});

test('options outside the view have their height reserved, so none moves under the pointer', async () => {
  const page = await openChat();
  await openPicker(page);
  await page.keyboard.type('many');
  await soon(() => options(page).count()).toBe(MANY.length);
  const list = page.getByRole('listbox', { name: 'Providers and models' });
  const before = await list.evaluate((box) => box.scrollHeight);
  await list.evaluate(async (box) => {
    const end = box.scrollHeight - box.clientHeight;
    for (box.scrollTop = 0; box.scrollTop < end - 1; box.scrollTop += box.clientHeight)
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  });
  expect(await list.evaluate((box) => box.scrollHeight)).toBe(before);
  await page.keyboard.press('Escape');
});

test('Enter selects the match of what was typed, even before the list has caught up', async () => {
  const page = await openChat();
  await openPicker(page);
  // Two keys within one turn of the page: no list of many is drawn between them.
  await page.evaluate(`(async () => {
    const box = document.activeElement;
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set.call(box, 'many-7');
    box.dispatchEvent(new Event('input', { bubbles: true }));
    await null;
    box.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', code: 'Enter', bubbles: true, cancelable: true }));
  })()`);
  await picker(page).getByText('many-7', { exact: true }).waitFor();
  await soon(() => focused(page)).toMatch(/^Message/);
});

test('an arrow key continues from the best match as soon as it is shown', async () => {
  const page = await openChat();
  await openPicker(page);
  await page.evaluate(`(async () => {
    const box = document.activeElement;
    const list = document.getElementById(box.getAttribute('aria-controls'));
    const press = (key) =>
      box.dispatchEvent(new KeyboardEvent('keydown', { key, code: key, bubbles: true, cancelable: true }));
    const shown = new Promise((resolve) => {
      new MutationObserver(() => {
        if (list.querySelectorAll('[role=option]').length === 11) resolve();
      }).observe(list, { childList: true, subtree: true });
    });
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set.call(box, 'many-19');
    box.dispatchEvent(new Event('input', { bubbles: true }));
    await shown;
    press('ArrowDown');
  })()`);
  await page.keyboard.press('Enter');
  await picker(page).getByText('many-190', { exact: true }).waitFor();
});

testInFullRun('model metadata stands beside its name, and endpoints that need a user key are marked', async () => {
  const page = await openChat();
  await openPicker(page);
  await page.keyboard.type('claude-3');
  const option = page.getByRole('option', { name: /^claude-3-opus.*accepts images.*200K tokens of context/ });
  await option.waitFor();
  await page.keyboard.press('Control+a');
  await page.keyboard.type('mine');
  await page.getByTestId('endpoint-item-Mine').getByText('Needs your own key').waitFor();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
});

test('what the marks mean and the keys do is said on demand, while the search keeps the focus', async () => {
  const page = await openChat();
  await openPicker(page);
  const sentence = page.getByText('Shift + Enter adds a model to the favorites');
  const explain = page.getByRole('button', { name: 'Marks and keys', expanded: false });
  await explain.waitFor();
  expect(await sentence.count()).toBe(0);
  await explain.click();
  await sentence.waitFor();
  await expectAccessible(page);
  await page.keyboard.type('claude-3');
  await page.getByRole('option', { name: /^claude-3-opus/ }).waitFor();
  await page.keyboard.press('Escape');
});

test('favourites are on top, set by pointer and keyboard, and stored', async () => {
  const page = await openChat();
  await openPicker(page);
  await page.keyboard.type('mistral-large');
  await soon(() => options(page).count()).toBe(1);
  await page.keyboard.press('Shift+Enter');
  await favourites(page).getByRole('option', { name: 'mistral-large' }).waitFor();
  await expectAccessible(page);
  await page.keyboard.press('Control+a');
  await page.keyboard.type('many-7');
  const many = page.getByRole('option', { name: /^many-7 / });
  await many.getByTestId('favourite').click();
  await favourites(page).getByRole('option', { name: 'many-7' }).waitFor();
  await page.keyboard.press('Escape');

  // The account has them, for a browser that knows nothing of them.
  const { settings } = await apiOf(stage.app, 'alice');
  await soon(async () => (await settings.list.query()).favouriteModels).toHaveLength(2);
  await page.evaluate(() => localStorage.removeItem('favouriteModels'));
  await page.reload();
  await composer(page).waitFor();
  await openPicker(page);
  await soon(() => favourites(page).getByRole('option').count()).toBe(2);
  await favourites(page).getByRole('option', { name: 'mistral-large' }).click();
  await picker(page).getByText('mistral-large').waitFor();
  await openPicker(page);
  // What is read before a change and arrives after it does not undo it.
  const before = await holdAnswer(page, /settings\.list/);
  await settings.set.mutate({ pasteAsFile: false });
  await before.isRead;
  const readAgain = page.waitForResponse(/settings\.list/);
  await favourites(page).getByRole('option', { name: 'many-7' }).getByTestId('favourite').click();
  await readAgain;
  await before.release();
  expect(await favourites(page).getByRole('option').count()).toBe(1);
  // The option that Enter would take is the same one, though the list above it has shrunk.
  await page.keyboard.press('Enter');
  await picker(page).getByText('mistral-large').waitFor();
  await openPicker(page);
  await favourites(page).getByTestId('favourite').click();
  await favourites(page).waitFor({ state: 'detached' });
  // What was picked last stands at the top, and not in its group again.
  await page.getByRole('group', { name: 'Recent' }).getByRole('option', { name: 'mistral-large' }).waitFor();
  expect(await page.getByRole('option', { name: 'mistral-large' }).count()).toBe(1);
  await page.keyboard.press('Escape');
});

testInFullRun('the name of an endpoint selects the model used last there', async () => {
  const page = await openChat();
  await pick(page, 'mistral-large', 'Mistral');
  await ask(page, 'Owls');
  await answered(page);
  await openPicker(page);
  await page.keyboard.type('openai');
  await page.getByTestId('endpoint-item-openAI').click();
  await page.getByRole('button', { name: 'Start a new chat' }).click();
  await page.waitForURL('**/c/new');
  await picker(page).getByText('OpenAI').waitFor();
  await openPicker(page);
  await page.keyboard.type('mistral');
  await page.getByTestId('endpoint-item-Mistral').click();
  await picker(page).getByText('mistral-large').waitFor();
});

testInFullRun('a very long name is truncated', async () => {
  const page = await openChat();
  await pick(page, LONG_NAME, 'Mistral');
  const desk = page.viewportSize() ?? { width: 1280, height: 720 };
  await page.setViewportSize({ width: 390, height: 844 });
  await soon(() =>
    picker(page)
      .boundingBox()
      .then((box) => (box ? box.x + box.width : 999)),
  ).toBeLessThan(390);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  await page.setViewportSize(desk);
});

test('another model of the provider keeps the conversation; another provider asks where, and the draft goes along', async () => {
  const page = await openChat();
  await pick(page, 'gpt-3.5-turbo', 'openAI');
  await ask(page, 'Herons');
  await answered(page);
  const conversationId = openId(page);
  await pick(page, 'gpt-4', 'openAI');
  expect(openId(page)).toBe(conversationId);
  await ask(page, 'More of them');
  await answered(page);
  await soon(() => messages(page).count()).toBe(4);
  await lastMessage(page).getByText('· gpt-4').waitFor();

  await composer(page).fill('Half a thought');
  await choose(page, 'mistral-tiny', 'Mistral');
  await question(page).waitFor();
  await soon(() => focused(page)).toBe('Continue here');
  await expectAccessible(page);
  const always = question(page).getByRole('checkbox', { name: 'Always do this' });
  expect(await always.evaluate((box) => getComputedStyle(box).borderRadius), 'a circle would be a radio').toBe('6px');
  await page.keyboard.press('Escape');
  await question(page).waitFor({ state: 'detached' });
  await picker(page).getByText('gpt-4').waitFor();

  await choose(page, 'mistral-tiny', 'Mistral');
  await question(page).getByRole('button', { name: 'Start a new chat' }).click();
  await page.waitForURL('**/c/new');
  await picker(page).getByText('mistral-tiny').waitFor();
  await soon(() => composer(page).inputValue()).toBe('Half a thought');

  await page.goBack();
  await messages(page).nth(3).waitFor();
  await picker(page).getByText('gpt-4').waitFor();
  await soon(() => composer(page).inputValue()).toBe('');
  await choose(page, 'mistral-tiny', 'Mistral');
  await soon(() => focused(page)).toBe('Continue here');
  await page.keyboard.press('Enter');
  await picker(page).getByText('mistral-tiny').waitFor();
  expect(openId(page)).toBe(conversationId);
  stage.app.provider.clear();
  await ask(page, 'Still more of them');
  await answered(page);
  expect(openId(page)).toBe(conversationId);
  await lastMessage(page).getByText('That is all.').waitFor();
  const asked = await stage.app.provider.waitForRequest(({ path }) => path.endsWith('/chat/completions'));
  expect(asked.body).toMatchObject({ model: 'mistral-tiny' });
  expect(JSON.stringify(asked.body)).toContain('Herons');
  await page.reload();
  await thread(page).getByText('Still more of them').first().waitFor();
  await picker(page).getByText('mistral-tiny').waitFor();
  await setModular(page);
  await pick(page, 'gpt-4', 'openAI');
  expect(openId(page)).toBe(conversationId);
  await soon(() => question(page).count()).toBe(0);
});

test.each(someOf(['There', 'Here', 'Inline'] as const))(
  'a configured endpoint icon, %s, is shown in the picker, on the landing and beside an answer',
  async (name) => {
    const page = await openChat();
    await openPicker(page);
    await soon(() => isShown(images(page.getByTestId(`endpoint-item-${name}`), name))).toBe(true);
    await page.getByTestId(`endpoint-item-${name}`).click();
    await soon(() => isShown(images(page.locator('main'), name))).toBe(true);
    await ask(page, `Hello ${name}`);
    await answered(page);
    await soon(() => isShown(images(messages(page), name))).toBe(true);
  },
);

testInFullRun('an endpoint icon that fails to load is replaced by the default one', async () => {
  const page = await openChat();
  await openPicker(page);
  const label = page.getByTestId('endpoint-item-Broken');
  await label.locator('svg').waitFor();
  await soon(() => label.locator('img').count()).toBe(0);
});

function picker(page: Page): Locator {
  return page.locator('#new-conversation-menu');
}

function options(page: Page): Locator {
  return page.getByRole('option').getByTestId('model-name');
}

function favourites(page: Page): Locator {
  return page.getByRole('group', { name: 'Favorites' });
}

async function openPicker(page: Page): Promise<void> {
  await picker(page).click();
  await page.getByRole('combobox').waitFor();
  await page.getByRole('option').first().waitFor();
}

/** Chooses a model from its endpoint's group. */
async function pick(page: Page, model: string, endpoint: string): Promise<void> {
  await choose(page, model, endpoint);
  await picker(page).getByText(model, { exact: true }).waitFor();
}

/** The same, where a question may come before. */
async function choose(page: Page, model: string, endpoint: string): Promise<void> {
  await openPicker(page);
  await page.keyboard.type(model);
  const group = page.getByRole('group').filter({ has: page.getByTestId(`endpoint-item-${endpoint}`) });
  await group.getByTestId('model-name').getByText(model, { exact: true }).click();
}

function question(page: Page): Locator {
  return page.getByRole('group', { name: /is from another provider/ });
}

async function openSettings(page: Page): Promise<Locator> {
  await page.getByTestId('nav-user').click();
  await page.getByRole('menuitem', { name: 'Settings' }).click();
  const dialog = page.getByRole('dialog', { name: 'Settings' });
  await dialog.waitFor();
  return dialog;
}

async function setModular(page: Page): Promise<void> {
  const dialog = await openSettings(page);
  await dialog.getByRole('tab', { name: 'Beta features' }).click();
  await dialog.getByLabel('Switch providers within a chat').selectOption('Continue the chat');
  await soon(() => page.evaluate(() => localStorage.getItem('modularChat'))).toBe('true');
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
}

function images(where: Locator, name: keyof typeof ICONS): Locator {
  return where.locator(`img[src="${ICONS[name]}"]`).last();
}

/** Loaded, not only there. */
async function isShown(ownImage: Locator): Promise<boolean> {
  if ((await ownImage.count()) === 0) return false;
  return ownImage.evaluate((image: HTMLImageElement) => image.complete && image.naturalWidth > 0);
}

/** The server's environment: several endpoints, and one for each kind of image. */
function withPictures(): Record<string, string> {
  const env = severalEndpoints();
  const entry = ([name, icon]: [string, string]) => `    - name: ${name}
      apiKey: fake
      baseURL: \${OPENAI_REVERSE_PROXY}
      iconURL: '${icon}'
      models: { default: ['fake:echo'] }
`;
  appendFileSync(env.CONFIG_PATH ?? '', Object.entries(ICONS).map(entry).join(''));
  return env;
}
