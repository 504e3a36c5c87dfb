// Whom a chat talks to, and what becomes of it when that is changed.
import type { Locator, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { expectAccessible } from './axe.ts';
import { answered, ask, composer, lastMessage, messages, openId, openNewChat } from './chat.ts';
import { LONG_NAME, MANY, severalEndpoints } from './several-endpoints.ts';
import { focused, notice } from './sidebar.ts';
import { soon, withApp } from './stage.ts';

const stage = withApp(severalEndpoints());

test('the first chat has the default model of the first endpoint', async () => {
  const { page } = await stage.open('zoe');
  await openNewChat(page);
  await picker(page).getByText('gpt-3.5-turbo').waitFor();
});

test('models are found by what is typed, whatever the case, also among very many', async () => {
  const { page } = await stage.open('alice');
  await openNewChat(page);
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
  await soon(() => focused(page)).toContain('many-190');
  await openPicker(page);
  await page.keyboard.type('xyzzy');
  await page.getByText('No model has that in its name.').waitFor();
  await page.keyboard.press('Escape');
});

test('Enter takes what has been typed, also when the list is behind the hands', async () => {
  const { page } = await stage.open('alice');
  await openNewChat(page);
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
  await soon(() => focused(page)).toContain('many-7');
});

test('an arrow pressed as soon as the list shows what was typed goes on from the best match', async () => {
  const { page } = await stage.open('alice');
  await openNewChat(page);
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

test('what is known of a model stands beside its name, and which endpoints want a key of one’s own', async () => {
  const { page } = await stage.open('alice');
  await openNewChat(page);
  await openPicker(page);
  await page.keyboard.type('claude-3');
  const option = page.getByRole('option', { name: 'claude-3-opus takes pictures 200K tokens of context' });
  await option.waitFor();
  await page.keyboard.press('Control+a');
  await page.keyboard.type('mine');
  await page.getByTestId('endpoint-item-Mine').getByText('Needs your own key').waitFor();
  await page.getByText('Anthropic is off: ANTHROPIC_API_KEY is not set').waitFor();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
});

test('favourites stand on top, by pointer and by key, and are kept', async () => {
  const { page } = await stage.open('bob');
  await openNewChat(page);
  await openPicker(page);
  await page.keyboard.type('mistral-large');
  await soon(() => options(page).count()).toBe(1);
  await page.keyboard.press('Shift+Enter');
  await favourites(page).getByRole('option', { name: 'mistral-large' }).waitFor();
  await expectAccessible(page);
  await page.keyboard.press('Control+a');
  await page.keyboard.type('many-7');
  const many = page.getByRole('option', { name: 'many-7', exact: true });
  await many.getByTestId('favourite').click();
  await favourites(page).getByRole('option', { name: 'many-7' }).waitFor();
  await page.keyboard.press('Escape');

  await page.reload();
  await composer(page).waitFor();
  await openPicker(page);
  expect(await favourites(page).getByRole('option').count()).toBe(2);
  await favourites(page).getByRole('option', { name: 'mistral-large' }).click();
  await picker(page).getByText('mistral-large').waitFor();
  await openPicker(page);
  await favourites(page).getByRole('option', { name: 'many-7' }).getByTestId('favourite').click();
  await soon(() => favourites(page).getByRole('option').count()).toBe(1);
  // The option that Enter would take is the same one, though the list above it has shrunk.
  await page.keyboard.press('Enter');
  await picker(page).getByText('mistral-large').waitFor();
});

test('another model of the endpoint keeps the conversation, another endpoint begins a new one', async () => {
  const { page } = await stage.open('carol');
  await openNewChat(page);
  await ask(page, 'Herons');
  await answered(page);
  const conversationId = openId(page);
  await pick(page, 'gpt-4', 'openAI');
  expect(openId(page)).toBe(conversationId);
  await ask(page, 'More of them');
  await answered(page);
  expect(await messages(page).count()).toBe(4);
  await lastMessage(page).getByText('· gpt-4').waitFor();

  await pick(page, 'mistral-tiny', 'Mistral');
  await page.waitForURL('**/c/new');
  await picker(page).getByText('mistral-tiny').waitFor();
});

test('where endpoints may be switched, the conversation goes on with the other one', async () => {
  const { page } = await stage.open('dora');
  await openNewChat(page);
  await ask(page, 'Herons');
  await answered(page);
  const conversationId = openId(page);
  await setModular(page);
  await pick(page, 'mistral-tiny', 'Mistral');
  expect(openId(page)).toBe(conversationId);
  stage.app.provider.clear();
  await ask(page, 'More of them');
  await answered(page);
  expect(await messages(page).count()).toBe(4);
  const asked = await stage.app.provider.waitForRequest(({ path }) => path.endsWith('/chat/completions'), 15_000);
  expect(asked.body).toMatchObject({ model: 'mistral-tiny' });
  expect(JSON.stringify(asked.body)).toContain('Herons');
  await page.reload();
  await messages(page).nth(3).waitFor();
  await picker(page).getByText('mistral-tiny').waitFor();
});

test('the name of an endpoint takes the model used last there', async () => {
  const { page } = await stage.open('erin');
  await openNewChat(page);
  await pick(page, 'mistral-large', 'Mistral');
  await ask(page, 'Owls');
  await answered(page);
  await openPicker(page);
  await page.keyboard.type('openai');
  await page.getByTestId('endpoint-item-openAI').click();
  await page.waitForURL('**/c/new');
  await picker(page).getByText('OpenAI').waitFor();
  await openPicker(page);
  await page.keyboard.type('mistral');
  await page.getByTestId('endpoint-item-Mistral').click();
  await picker(page).getByText('mistral-large').waitFor();
});

test('a very long name stays within its place', async () => {
  const { page } = await stage.openElsewhere('alice', { viewport: { width: 390, height: 844 } });
  await openNewChat(page);
  await pick(page, LONG_NAME, 'Mistral');
  await soon(() =>
    picker(page)
      .boundingBox()
      .then((box) => (box ? box.x + box.width : 999)),
  ).toBeLessThan(390);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
});

describe('the settings', () => {
  test('are in tabs, reached from the menu and the palette, by key as well', async () => {
    const { page } = await stage.open('frank');
    await openNewChat(page);
    await page.getByTestId('nav-user').click();
    await page.getByRole('menuitem', { name: 'Settings' }).click();
    const dialog = page.getByRole('dialog', { name: 'Settings' });
    await soon(() => dialog.getByRole('tab').allInnerTexts()).toEqual([
      'General',
      'Beta features',
      'Data controls',
      'Account',
    ]);
    await soon(() => focused(page)).toBe('General');
    await dialog.getByTestId('theme-selector').selectOption('dark');
    await soon(() => page.evaluate(() => localStorage.getItem('color-theme'))).toBe('dark');
    await expectAccessible(page);
    await dialog.getByTestId('theme-selector').selectOption('auto');
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

  test('clear all chats by two clicks; a click elsewhere takes the first one back', async () => {
    const { page } = await stage.open('gina');
    await openNewChat(page);
    await ask(page, 'Soon gone');
    await answered(page);
    const dialog = await openSettings(page);
    await dialog.getByRole('tab', { name: 'Data controls' }).click();
    await dialog.getByTestId('clear-convos-initial').click();
    await dialog.getByTestId('clear-convos-confirm').waitFor();
    await expectAccessible(page);
    await dialog.getByText('Clear all chats').click();
    await dialog.getByTestId('clear-convos-initial').click();
    await dialog.getByTestId('clear-convos-confirm').click();
    await notice(page, 'Conversation deleted').waitFor();
    await page.waitForURL('**/c/new');
    await page.keyboard.press('Escape');
    await page.getByText('Your conversations will appear here.').waitFor();
  });
});

function picker(page: Page): Locator {
  return page.locator('#new-conversation-menu');
}

function options(page: Page): Locator {
  return page.getByRole('option').locator('> span:first-child');
}

function favourites(page: Page): Locator {
  return page.getByRole('group', { name: 'Favourites' });
}

async function openPicker(page: Page): Promise<void> {
  await picker(page).click();
  await page.getByRole('combobox').waitFor();
  await page.getByRole('option').first().waitFor();
}

/** Chooses a model from its endpoint's group. */
async function pick(page: Page, model: string, endpoint: string): Promise<void> {
  await openPicker(page);
  await page.keyboard.type(model);
  const group = page.getByRole('group').filter({ has: page.getByTestId(`endpoint-item-${endpoint}`) });
  await group.getByRole('option').locator(`> span:text-is("${model}")`).click();
  await picker(page).getByText(model, { exact: true }).waitFor();
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
  await dialog.getByText('Switch endpoints in mid-conversation').click();
  await soon(() => page.evaluate(() => localStorage.getItem('modularChat'))).toBe('true');
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
}
