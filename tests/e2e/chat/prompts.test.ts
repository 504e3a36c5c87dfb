// A prompt is written in the settings and inserted with `/`; its fields are filled in above the message box.
import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { expectAccessible } from '../../support/browser/axe.ts';
import { soon, withApp } from '../../support/browser/app-fixture.ts';
import { answered, apiOf, composer, messages, openNewChat } from '../../support/browser/chat.ts';

const stage = withApp();

const list = (page: Page) => page.getByRole('listbox', { name: 'Suggestions' });
const marked = (page: Page) => list(page).getByRole('option', { selected: true });
const form = (page: Page) => page.getByRole('form', { name: 'Weekly report' });

test('a prompt with fields is written, found by its command, filled in and sent, and shared with another', async () => {
  const { page } = await stage.open('alice');
  await openNewChat(page);
  const settings = await openPrompts(page);
  await settings.getByText('You have no prompts yet.').waitFor();
  await settings.getByRole('button', { name: 'New prompt' }).press('Enter');
  await settings.getByRole('textbox', { name: 'Title' }).fill('Weekly report');
  await soon(() => settings.getByRole('textbox', { name: 'Command' }).inputValue()).toBe('weekly-report');
  await settings
    .getByRole('textbox', { name: 'Text' })
    .fill('Report {{topic!}} in a {{tone|choice:friendly,formal}} tone. [[plain]]');
  await settings.getByText('Asks for topic and tone each time.').waitFor();
  await expectAccessible(page);
  await page.reload();
  await (await openPrompts(page)).getByRole('button', { name: 'Save' }).click();
  await settings.getByText('/weekly-report').waitFor();
  await settings.getByRole('button', { name: 'Share with everybody here: Weekly report' }).click();
  await settings.getByText('shared with everybody here').waitFor();
  await expectAccessible(page);
  await page.keyboard.press('Escape');

  await composer(page).click();
  await page.keyboard.type('/week');
  await soon(() => marked(page).innerText()).toContain('Weekly report');
  await page.keyboard.press('Enter');
  await form(page).waitFor();
  await expectAccessible(page);
  await page.keyboard.press('Control+Enter');
  expect(await form(page).count()).toBe(1);
  await page.keyboard.type('herons');
  await form(page).getByLabel('tone').selectOption('formal');
  await page.keyboard.press('Control+Enter');
  await soon(() => messages(page).first().innerText()).toContain('Report herons in a formal tone.');
  await answered(page);
  expect(await composer(page).inputValue()).toBe('');

  const { page: other } = await stage.open('bob');
  await openNewChat(other);
  await composer(other).pressSequentially('/report');
  await list(other).getByRole('option', { name: 'Weekly report' }).click();
  await form(other).getByLabel('topic').fill('{{tone}}');
  await form(other).getByRole('button', { name: 'Insert' }).click();
  await soon(() => composer(other).inputValue()).toBe('Report {{tone}} in a friendly tone. [[plain]]');
  await soon(() => composer(other).evaluate((box) => document.activeElement === box)).toBe(true);
  await composer(other).fill('');
});

test('a prompt is changed, has its earlier text, is deleted, comes back and goes to a file', async () => {
  const { page } = await stage.open('alice');
  const { presets } = await apiOf(stage.app, 'alice');
  await presets.save.mutate({
    title: 'Polite',
    endpoint: 'openAI',
    model: 'gpt-4',
    settings: { promptPrefix: 'Be polite.' },
  });
  await openNewChat(page);
  await page.reload();
  const settings = await openPrompts(page);
  const [chosen] = await Promise.all([
    page.waitForEvent('filechooser'),
    settings.getByRole('button', { name: 'Import' }).click(),
  ]);
  const content = JSON.stringify([{ command: '/Greet', title: 'Greeting', content: 'Hello, {{me}}!' }]);
  await chosen.setFiles({ name: 'prompts.json', mimeType: 'application/json', buffer: Buffer.from(content) });
  await settings.getByText('/greet').waitFor();
  await settings.getByRole('button', { name: 'Edit Greeting' }).click();
  await settings.getByRole('textbox', { name: 'Text' }).fill('Good morning, {{me}}!');
  await settings.getByRole('button', { name: 'Save' }).click();
  await settings.getByRole('button', { name: 'Edit Greeting' }).click();
  await settings.getByText('One earlier version').click();
  await settings.getByRole('button', { name: 'Use this text' }).click();
  await soon(() => settings.getByRole('textbox', { name: 'Text' }).inputValue()).toBe('Hello, {{me}}!');
  await settings.getByRole('button', { name: 'Save' }).click();
  await settings.getByRole('button', { name: 'Delete Greeting' }).click();
  await settings.getByText('/greet').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Undo' }).click();
  await settings.getByText('/greet').waitFor();
  await settings.getByRole('button', { name: 'Delete Greeting' }).click();
  await settings.getByText('/greet').waitFor({ state: 'detached' });
  await page.getByRole('tab', { name: 'Chats and files' }).click();
  await page.getByRole('button', { name: 'Open Recently deleted' }).click();
  const trash = page.getByRole('dialog', { name: 'Recently deleted' });
  await trash.getByText(/^Prompt · deleted/).waitFor();
  await trash.getByRole('button', { name: 'Restore \u2068Greeting\u2069' }).click();
  await trash.getByText('Nothing was deleted recently.').waitFor();
  await page.keyboard.press('Escape');
  await trash.waitFor({ state: 'detached' });
  await page.getByRole('tab', { name: 'Prompts' }).click();
  await settings.getByRole('button', { name: 'Edit Greeting' }).click();
  await settings.getByLabel('Preset').selectOption('Polite');
  await settings.getByText('Tools', { exact: true }).click();
  await settings.getByRole('switch', { name: 'Calculator' }).press('Space');
  await settings.getByText('Tools (1)').waitFor();
  await expectAccessible(page);
  await settings.getByRole('button', { name: 'Save' }).click();
  await settings.getByText('/greet').waitFor();
  const [saved] = await Promise.all([
    page.waitForEvent('download'),
    settings.getByRole('button', { name: 'Export' }).click(),
  ]);
  expect(saved.suggestedFilename()).toBe('prompts.json');
  await page.keyboard.press('Escape');

  await composer(page).pressSequentially('/greet');
  await soon(() => marked(page).innerText()).toContain('Greeting');
  await page.keyboard.press('Tab');
  await soon(() => composer(page).inputValue()).toBe('Hello, alice example!');
  const line = page.getByRole('group', { name: 'Use with this prompt: preset \u2068Polite\u2069 and Calculator?' });
  await line.waitFor();
  await expectAccessible(page);
  const calculator = page.getByRole('button', { name: 'Switch off Calculator' });
  expect(await calculator.count()).toBe(0);
  await line.getByRole('button', { name: 'Use' }).click();
  await line.waitFor({ state: 'detached' });
  await calculator.click();
  await calculator.waitFor({ state: 'detached' });
  await composer(page).fill('');

  // Agreed once, they come without the question.
  await composer(page).pressSequentially('/greet');
  await soon(() => marked(page).innerText()).toContain('Greeting');
  await page.keyboard.press('Tab');
  await calculator.waitFor();
  expect(await line.count()).toBe(0);
  await composer(page).fill('');
});

async function openPrompts(page: Page): Promise<Locator> {
  await page.getByTestId('nav-user').click();
  await page.getByRole('menuitem', { name: 'Settings' }).click();
  const dialog = page.getByRole('dialog', { name: 'Settings' });
  await dialog.getByRole('tab', { name: 'Prompts' }).click();
  return dialog.getByRole('tabpanel', { name: 'Prompts' });
}
