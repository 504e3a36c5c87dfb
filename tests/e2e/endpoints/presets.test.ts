// Whom and how to ask, under a name.
import { readFile } from 'node:fs/promises';
import type { SavePreset } from '@parley/schema/settings/presets';
import type { Locator, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { expectAccessible } from '../../support/browser/axe.ts';
import { answered, apiOf, ask, composer, hold, messages, openId, openNewChat } from '../../support/browser/chat.ts';
import { pickOption } from '../../support/browser/pick-option.ts';
import { focused, notice } from '../../support/browser/sidebar.ts';
import { severalEndpoints } from '../../support/browser/several-endpoints.ts';
import { soon, withApp } from '../../support/browser/app-fixture.ts';
import { inFullRun, testInFullRun, themes } from '../../support/extent.ts';

const stage = withApp(severalEndpoints());

const POET = { title: 'Poet', endpoint: 'openAI', model: 'gpt-4', settings: { temperature: 0.3 } };
const SMALL = { title: 'Small', endpoint: 'Mistral', model: 'mistral-tiny', settings: { promptPrefix: 'Be brief.' } };

test('the settings of a chat are saved as a preset, edited and applied', async () => {
  const { page } = await stage.open('alice');
  await openNewChat(page);
  await openMenu(page);
  await menu(page).getByText('No presets yet').waitFor();
  await expectAccessible(page);
  await menu(page).getByRole('button', { name: 'Save as preset' }).click();
  const dialog = page.getByRole('dialog', { name: 'Save as preset' });
  const name = dialog.getByRole('textbox', { name: 'Name', exact: true });
  await soon(() => name.inputValue()).toBe('My Preset');
  await expectAccessible(page);
  // It gives way to what is written.
  await soon(() => name.evaluate((input) => input === document.activeElement)).toBe(true);
  await page.keyboard.type('Verse');
  await soon(() => name.inputValue()).toBe('Verse');
  await dialog.getByRole('textbox', { name: 'Custom instructions' }).fill('In verse.');
  await dialog.getByRole('button', { name: 'Save', exact: true }).click();
  await notice(page, 'Verse saved').waitFor();
  await dialog.waitFor({ state: 'detached' });
  await soon(() => focused(page)).toBe('Presets');

  await openMenu(page);
  await rowAction(page, 'Edit', 'Verse').click();
  const edit = page.getByRole('dialog', { name: 'Edit preset' });
  await pickOption(edit.getByLabel('Provider'), 'Mistral');
  await pickOption(edit.getByLabel('Model'), 'mistral-large');
  // What is saved is used also before the list has been fetched again.
  const release = await hold(page, /presets\.list/);
  await edit.getByRole('button', { name: 'Save', exact: true }).click();
  await edit.waitFor({ state: 'detached' });
  const { presets } = await apiOf(stage.app, 'alice');
  await soon(() => presets.list.query()).toMatchObject([
    { title: 'Verse', endpoint: 'Mistral', model: 'mistral-large', settings: { promptPrefix: 'In verse.' } },
  ]);

  await openMenu(page);
  await item(page, 'Verse').click();
  await notice(page, 'is in use').waitFor();
  await picker(page).getByText('mistral-large').waitFor();
  release();
  await openMenu(page);
  await soon(() => item(page, 'Verse').getAttribute('aria-current')).toBe('true');
  await page.keyboard.press('Escape');
});

test('new chats start with the default preset, also after a reload, until there is none', async () => {
  const { page } = await withPresets(POET, SMALL);
  await rowAction(page, 'Start new chats with', 'Poet').click();
  await notice(page, 'New chats start with').waitFor();
  await page.waitForURL('**/c/new');
  await picker(page).getByText('gpt-4').waitFor();
  await page.reload();
  await composer(page).waitFor();
  await picker(page).getByText('gpt-4').waitFor();
  await openMenu(page);
  await soon(() => titles(page)).toEqual(['Poet', 'Small']);
  await menu(page).getByText('Default', { exact: true }).waitFor();
  await page.keyboard.press('Escape');

  stage.app.provider.clear();
  await ask(page, 'Owls');
  await answered(page);
  const asked = await stage.app.provider.waitForRequest(({ path }) => path.endsWith('/chat/completions'));
  expect(asked.body).toMatchObject({ model: 'gpt-4', temperature: 0.3 });

  await openMenu(page);
  await rowAction(page, 'Start new chats with', 'Small').click();
  await page.waitForURL('**/c/new');
  await picker(page).getByText('mistral-tiny').waitFor();
  await openMenu(page);
  await soon(() => titles(page)).toEqual(['Small', 'Poet']);
  await rowAction(page, 'No longer start new chats with', 'Small').click();
  await notice(page, 'New chats no longer start with').waitFor();
  await page.keyboard.press('Escape');
  // This one was begun with it and stays so; what was used last is what the next ones start with.
  await page.reload();
  await picker(page).getByText('mistral-tiny').waitFor();
  await openNewChat(page);
  await picker(page).getByText('gpt-4').waitFor();
});

testInFullRun('a preset of the same endpoint applies to the open conversation, another one to a new chat', async () => {
  const { page } = await withPresets(POET, SMALL);
  await page.keyboard.press('Escape');
  await ask(page, 'Herons');
  await answered(page);
  const conversationId = openId(page);
  await openMenu(page);
  await item(page, 'Poet').click();
  await picker(page).getByText('gpt-4').waitFor();
  expect(openId(page)).toBe(conversationId);
  stage.app.provider.clear();
  await ask(page, 'In verse');
  await answered(page);
  await soon(() => messages(page).count()).toBe(4);
  const asked = await stage.app.provider.waitForRequest(({ path }) => path.endsWith('/chat/completions'));
  expect(asked.body).toMatchObject({ model: 'gpt-4', temperature: 0.3 });

  await openMenu(page);
  await item(page, 'Small').click();
  await page.waitForURL('**/c/new');
  await picker(page).getByText('mistral-tiny').waitFor();

  await page.goto(`/c/${conversationId}`);
  await picker(page).getByText('gpt-4').waitFor();
  const api = await apiOf(stage.app, 'alice');
  await api.settings.set.mutate({ modularChat: true });
  await soon(() => page.evaluate(() => localStorage.getItem('modularChat'))).toBe('true');
  await page.reload();
  await messages(page).first().waitFor();
  await openMenu(page);
  await item(page, 'Small').click();
  await picker(page).getByText('mistral-tiny').waitFor();
  expect(openId(page)).toBe(conversationId);
  await api.settings.set.mutate({ modularChat: null });
});

testInFullRun('a preset is exported to a file named by its title, and imported as a new one', async () => {
  const { page } = await withPresets({ ...POET, title: 'Poet: a/study' });
  await rowAction(page, 'Edit', 'Poet: a/study').click();
  const dialog = page.getByRole('dialog', { name: 'Edit preset' });
  const downloading = page.waitForEvent('download');
  await dialog.getByRole('button', { name: 'Export' }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toBe('Poet a study.json');
  const path = await download.path();
  expect(JSON.parse(await readFile(path, 'utf8'))).toEqual({
    presetId: null,
    title: 'Poet: a/study',
    endpoint: 'openAI',
    model: 'gpt-4',
    temperature: 0.3,
  });
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });

  await openMenu(page);
  await importFile(page, await readFile(path));
  await notice(page, 'imported').waitFor();
  await soon(() => titles(page)).toEqual(['Poet: a/study', 'Poet: a/study']);
  const api = await apiOf(stage.app, 'alice');
  const [imported, first] = await api.presets.list.query();
  expect(imported).toMatchObject({ endpoint: 'openAI', model: 'gpt-4', settings: { temperature: 0.3 } });
  expect(imported?.presetId).not.toBe(first?.presetId);

  await importFile(page, JSON.stringify([{ endpoint: 'openAI' }]));
  await notice(page, 'The preset could not be imported').waitFor();
  expect(await titles(page)).toHaveLength(2);

  await importFile(page, JSON.stringify({ endpoint: 'Elsewhere', temperature: 'hot' }));
  await item(page, 'New preset').waitFor();
  await menu(page).getByText('No provider').waitFor();
  await item(page, 'New preset').click();
  await notice(page, "isn't available here").waitFor();
});

testInFullRun('changes in one browser show in the open menu of another', async () => {
  const { page } = await withPresets(POET);
  const { page: other } = await stage.openElsewhere('alice');
  await openNewChat(other);
  await openMenu(other);
  await soon(() => titles(other)).toEqual(['Poet']);
  await menu(page).getByRole('button', { name: 'Save as preset' }).click();
  const dialog = page.getByRole('dialog', { name: 'Save as preset' });
  await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('From afar');
  await dialog.getByRole('button', { name: 'Save', exact: true }).click();
  await soon(() => titles(other)).toEqual(['From afar', 'Poet']);
  await (await apiOf(stage.app, 'alice')).presets.removeAll.mutate();
  await menu(other).getByText('No presets yet').waitFor();
});

test('one preset is deleted after a confirmation, and all are, and both can be undone', async () => {
  const { page } = await withPresets(POET, SMALL, { ...POET, title: 'Third' });
  await rowAction(page, 'Delete', 'Poet').click();
  await page.getByRole('dialog', { name: 'Delete preset?' }).getByRole('button', { name: 'Cancel' }).click();
  await soon(() => focused(page)).toBe('Presets');
  await openMenu(page);
  await soon(() => titles(page)).toEqual(['Third', 'Small', 'Poet']);
  await rowAction(page, 'Delete', 'Poet').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
  await openMenu(page);
  await soon(() => titles(page)).toEqual(['Third', 'Small']);
  await notice(page, 'Preset deleted').getByRole('button', { name: 'Undo' }).click();
  await openMenu(page);
  await soon(() => titles(page)).toEqual(['Third', 'Small', 'Poet']);
  await menu(page).getByRole('button', { name: 'Delete all' }).click();
  const question = page.getByRole('dialog', { name: 'Delete all presets?' });
  await question.waitFor();
  await expectAccessible(page);
  await question.getByRole('button', { name: 'Delete all' }).click();
  await openMenu(page);
  await menu(page).getByText('No presets yet').waitFor();
  await notice(page, '3 presets deleted').getByRole('button', { name: 'Undo' }).click();
  await openMenu(page);
  await soon(() => titles(page)).toEqual(['Third', 'Small', 'Poet']);
});

testInFullRun('presets work by keyboard, and the focus stays on the button that removes the default', async () => {
  const { page } = await withPresets(POET, SMALL);
  await page.keyboard.press('Escape');
  await menu(page).waitFor({ state: 'detached' });
  await soon(() => focused(page)).toBe('Presets');
  await page.keyboard.press('Enter');
  await item(page, 'Small').waitFor();
  await item(page, 'Small').focus();
  await page.keyboard.press('ArrowDown');
  await soon(() => focused(page)).toContain('Poet');
  await page.keyboard.press('ArrowDown');
  await soon(() => focused(page)).toContain('Small');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Enter');
  await picker(page).getByText('gpt-4').waitFor();
  await soon(() => focused(page)).toBe('Presets');

  await openMenu(page);
  await rowAction(page, 'Start new chats with', 'Poet').press('Enter');
  await menu(page).waitFor({ state: 'detached' });
  await openMenu(page);
  await rowAction(page, 'No longer start new chats with', 'Poet').press('Enter');
  await rowAction(page, 'Start new chats with', 'Poet').waitFor();
  expect(await focused(page)).toBe('Start new chats with \u2068Poet\u2069');
  await page.keyboard.press('Escape');
});

test('a preset that cannot be saved is reported, and nothing is lost', async () => {
  const { page, tolerated } = await stage.open('alice');
  tolerated.push(/status of 500|Failed to load resource/);
  await openNewChat(page);
  await page.route('**/trpc/*presets.save*', (route) => route.fulfill({ status: 500, body: '{}' }));
  await openMenu(page);
  await menu(page).getByRole('button', { name: 'Save as preset' }).click();
  const dialog = page.getByRole('dialog', { name: 'Save as preset' });
  await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('Kept');
  await dialog.getByRole('button', { name: 'Save', exact: true }).click();
  await notice(page, 'The preset could not be saved').waitFor();
  await soon(() => dialog.getByRole('textbox', { name: 'Name', exact: true }).inputValue()).toBe('Kept');
  await soon(() => focused(page)).toBe('Save');
  await page.keyboard.press('Escape');
});

describe.each(inFullRun(themes))('in the %s theme', (colorScheme) => {
  test('menu and dialog have no accessibility violations and fit a phone', async () => {
    await stage.open('alice');
    const api = await apiOf(stage.app, 'alice');
    await api.presets.removeAll.mutate();
    for (let n = 0; n < 12; n++)
      await api.presets.save.mutate({ ...POET, title: `${'A very long name '.repeat(8)}${n}` });
    const viewport = { width: 390, height: 844 };
    const { page } = await stage.openElsewhere('alice', { colorScheme, viewport, isMobile: true, hasTouch: true });
    await openNewChat(page);
    await page.getByTestId('header-more').tap();
    await page.getByRole('menuitem', { name: 'Presets' }).tap();
    await page
      .getByTestId(/^preset-item-/)
      .first()
      .waitFor();
    await expectAccessible(page);
    const box = await menu(page).boundingBox();
    expect(box?.height).toBeLessThanOrEqual(495);
    expect(box?.x).toBeGreaterThanOrEqual(0);
    expect([box?.x, box?.width], 'as far from one edge as from the other').toEqual([10, 370]);
    await menu(page).getByRole('button', { name: /^Edit/ }).first().tap();
    await page.getByRole('dialog', { name: 'Edit preset' }).waitFor();
    await expectAccessible(page);
  });
});

function menu(page: Page): Locator {
  return page.getByRole('dialog', { name: 'Presets', exact: true });
}

function item(page: Page, title: string): Locator {
  return menu(page)
    .getByTestId(/^preset-item-/)
    .filter({ hasText: title });
}

function rowAction(page: Page, verb: string, title: string): Locator {
  return menu(page).getByRole('button', { name: `${verb} \u2068${title}\u2069`, exact: true });
}

function picker(page: Page): Locator {
  return page.locator('#new-conversation-menu');
}

async function titles(page: Page): Promise<string[]> {
  const texts = await menu(page)
    .getByTestId(/^preset-item-/)
    .locator('[dir=auto]')
    .allInnerTexts();
  return texts;
}

async function openMenu(page: Page): Promise<void> {
  await page.getByTestId('presets-button').click();
  await menu(page).waitFor();
}

/** A chat as of a first visit, with these presets, the last one first in the list; and the list is open. */
async function withPresets(...presets: Partial<SavePreset>[]): Promise<{ page: Page }> {
  const { page } = await stage.open('alice');
  const api = await apiOf(stage.app, 'alice');
  await api.presets.removeAll.mutate();
  for (const preset of presets) await api.presets.save.mutate(preset);
  await page.evaluate(() => localStorage.clear()).catch(() => undefined);
  await page.goto('/c/new');
  await composer(page).waitFor();
  await openMenu(page);
  await soon(() => titles(page)).toEqual(presets.map(({ title }) => title).reverse());
  return { page };
}

async function importFile(page: Page, content: string | Buffer): Promise<void> {
  await menu(page)
    .locator('input[type=file]')
    .setInputFiles({ name: 'preset.json', mimeType: 'application/json', buffer: Buffer.from(content) });
}
