// A prompt is written on its page and inserted with `/`; its fields are filled in above the message box.
import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { expectAccessible } from '../../support/browser/axe.ts';
import { soon, withApp } from '../../support/browser/app-fixture.ts';
import { openByPalette } from '../../support/browser/keyboard.ts';
import { answered, apiOf, composer, messages, openNewChat } from '../../support/browser/chat.ts';

const stage = withApp();

const list = (page: Page) => page.getByRole('listbox', { name: 'Suggestions' });
const marked = (page: Page) => list(page).getByRole('option', { selected: true });
const form = (page: Page) => page.getByRole('form', { name: 'Weekly report' });

test('a prompt with fields is written, found by its command, filled in and sent, and shared with another', async () => {
  const { page } = await stage.open('alice');
  await openNewChat(page);
  await openByPalette(page, 'Prompts');
  const room = page.getByRole('main');
  await room.getByText('You have no prompts yet.').waitFor();
  await room.getByRole('link', { name: 'New prompt' }).press('Enter');
  const title = room.getByRole('textbox', { name: 'Title' });
  await soon(() => title.evaluate((field) => field === document.activeElement)).toBe(true);
  await page.keyboard.type('Weekly report');
  await soon(() => room.getByRole('textbox', { name: 'Command' }).inputValue()).toBe('weekly-report');
  await room
    .getByRole('textbox', { name: 'Text' })
    .fill('Report {{topic!}} in a {{tone|choice:friendly,formal}} tone. [[plain]]');
  await room.getByText('Asks for topic and tone each time.').waitFor();
  await expectAccessible(page);
  // What is not saved stays, wherever its person goes meanwhile.
  await page.goBack();
  await title.waitFor({ state: 'detached' });
  await room.getByRole('link', { name: 'Weekly report Not saved' }).click();
  await page.reload();
  await room.getByRole('button', { name: 'Save' }).click();
  await page.waitForURL(/\/prompts\/[-0-9a-f]{36}$/);
  await room.getByRole('link', { name: 'Weekly report /weekly-report' }).waitFor();
  await room.getByText('Unsaved changes stay in this browser.').waitFor({ state: 'detached' });
  await room.getByRole('button', { name: 'Share with everybody here: Weekly report' }).click();
  await room.getByText('shared with everybody here').waitFor();
  await expectAccessible(page);
  await openNewChat(page);

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
  const room = await openPrompts(page);
  const [chosen] = await Promise.all([
    page.waitForEvent('filechooser'),
    room.getByRole('button', { name: 'Import' }).click(),
  ]);
  const content = JSON.stringify([{ command: '/Greet', title: 'Greeting', content: 'Hello, {{me}}!' }]);
  await chosen.setFiles({ name: 'prompts.json', mimeType: 'application/json', buffer: Buffer.from(content) });
  await room.getByText('/greet').waitFor();
  const greeting = room.getByRole('link', { name: /^Greeting/ });
  await greeting.click();
  await room.getByRole('textbox', { name: 'Text' }).fill('Good morning, {{me}}!');
  await room.getByRole('button', { name: 'Save' }).click();
  await room.getByText('One earlier version').click();
  await room.getByRole('button', { name: 'Use this text' }).click();
  await soon(() => room.getByRole('textbox', { name: 'Text' }).inputValue()).toBe('Hello, {{me}}!');
  await room.getByRole('button', { name: 'Save' }).click();
  await room.getByRole('button', { name: 'Discard changes' }).waitFor({ state: 'detached' });
  await room.getByRole('button', { name: 'Delete Greeting' }).click();
  await greeting.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Undo' }).click();
  await greeting.click();
  await room.getByRole('button', { name: 'Delete Greeting' }).click();
  await greeting.waitFor({ state: 'detached' });
  await page.keyboard.press('Control+,');
  await page.getByRole('tab', { name: 'Chats and files' }).click();
  await page.getByRole('button', { name: 'Open Recently deleted' }).click();
  const trash = page.getByRole('dialog', { name: 'Recently deleted' });
  await trash.getByText(/^Prompt · deleted/).waitFor();
  await trash.getByRole('button', { name: 'Restore \u2068Greeting\u2069' }).click();
  await trash.getByText('Nothing was deleted recently.').waitFor();
  await page.keyboard.press('Escape');
  await trash.waitFor({ state: 'detached' });
  await page.keyboard.press('Escape');
  await greeting.click();
  await room.getByLabel('Preset').selectOption('Polite');
  await room.getByText('Tools', { exact: true }).click();
  await room.getByRole('switch', { name: 'Calculator' }).press('Space');
  await room.getByText('Tools (1)').waitFor();
  await expectAccessible(page);
  await room.getByRole('button', { name: 'Save' }).click();
  await room.getByRole('button', { name: 'Discard changes' }).waitFor({ state: 'detached' });
  const [saved] = await Promise.all([
    page.waitForEvent('download'),
    room.getByRole('button', { name: 'Export' }).click(),
  ]);
  expect(saved.suggestedFilename()).toBe('prompts.json');
  await openNewChat(page);

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

test('a deletion that is undone before the list without the prompt arrives leaves the prompt in the list', async () => {
  const { page } = await stage.open('carol');
  const { prompts } = await apiOf(stage.app, 'carol');
  const fields = { title: 'Herons', body: 'Tell me about herons.', tags: [], presetId: null, tools: [] };
  await prompts.import.mutate({ prompts: [{ command: 'herons', ...fields }] });
  const room = await openPrompts(page);
  await room.getByRole('link', { name: /^Herons/ }).click();
  const remove = room.getByRole('button', { name: 'Delete Herons' });
  await remove.waitFor();

  // The server has answered without the prompt before it comes back, and the page hears of it afterwards.
  let isRead: () => void = () => {};
  const read = new Promise<void>((resolve) => (isRead = resolve));
  let release: () => void = () => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  await page.route(
    '**/trpc/*prompts.list*',
    async (route) => {
      const response = await route.fetch();
      isRead();
      await released;
      await route.fulfill({ response });
    },
    { times: 1 },
  );
  await remove.click();
  await read;
  await openNewChat(page);
  const restored = page.waitForResponse(/convos\.restore/);
  await page.getByRole('button', { name: 'Undo' }).click();
  await (await restored).finished();
  const answered = page.waitForResponse(/prompts\.list/);
  release();
  await (await answered).finished();
  await composer(page).pressSequentially('/herons');
  await list(page).getByRole('option', { name: 'Herons' }).waitFor();
  await composer(page).fill('');
});

test('a command inserts its prompt, however well others match', async () => {
  const { page } = await stage.open('dave');
  const { prompts } = await apiOf(stage.app, 'dave');
  const given = [
    { command: 'review', title: 'Code: look at it', body: 'Another text.' },
    { command: 'code-more', title: 'A', body: 'Another text.' },
    { command: 'code', title: 'Write a program', body: '<Box sx={{ margin }} /> in `{{x}}`, {{language}} \\{{x}}' },
  ];
  await prompts.import.mutate({ prompts: given });
  await openNewChat(page);
  await composer(page).pressSequentially('/code');
  await soon(() => marked(page).innerText()).toContain('Write a program');
  await page.keyboard.press('Enter');
  await soon(() => composer(page).inputValue()).toBe('<Box sx={{ margin }} /> in `{{x}}`, American English {{x}}');
  await composer(page).fill('');
});

test('fields of Open WebUI ask as they do there, and what is no prompt in a file is named', async () => {
  const { page } = await stage.open('erin');
  await openNewChat(page);
  const room = await openPrompts(page);
  const [chosen] = await Promise.all([
    page.waitForEvent('filechooser'),
    room.getByRole('button', { name: 'Import' }).click(),
  ]);
  const content = `{{platform | select:options=["LinkedIn","Mastodon"]:placeholder="Where":required}}
{{topic | text:placeholder="e.g., a new feature":required}}
{{length | number:min=1:max=300:default=5}}
{{tags | checkbox:label="Add hashtags":default=true}}
{{at | time}} {{constructor}}`;
  const file = JSON.stringify([
    { command: '/social', name: 'Social post', content },
    { command: '/empty', name: 'Empty one', content: '' },
  ]);
  await chosen.setFiles({ name: 'prompts.json', mimeType: 'application/json', buffer: Buffer.from(file) });
  await room.getByText('/social').waitFor();
  await page.getByText(/^Not added.*Empty one/).waitFor();
  await openNewChat(page);
  await composer(page).pressSequentially('/social');
  await soon(() => marked(page).innerText()).toContain('Social post');
  await page.keyboard.press('Enter');
  const fields = page.getByRole('form', { name: 'Social post' });
  await fields.waitFor();
  await expectAccessible(page);
  const platform = fields.getByLabel('platform');
  expect(await platform.inputValue()).toBe('');
  expect(await platform.locator('option').first().innerText()).toBe('Where');
  await platform.selectOption('Mastodon');
  expect(await fields.getByLabel('topic').getAttribute('placeholder')).toBe('e.g., a new feature');
  await fields.getByLabel('topic').fill('Herons');
  const length = fields.getByLabel('length');
  await length.fill('301');
  await fields.getByRole('button', { name: 'Insert' }).click();
  expect(await length.evaluate((input: HTMLInputElement) => input.validity.rangeOverflow)).toBe(true);
  await length.fill('20');
  expect(await fields.getByLabel('Add hashtags').inputValue()).toBe('Yes');
  await fields.getByLabel('at', { exact: true }).fill('12:30');
  await fields.getByLabel('constructor').fill('C');
  await fields.getByRole('button', { name: 'Insert' }).click();
  await soon(() => composer(page).inputValue()).toBe('Mastodon\nHerons\n20\nYes\n12:30 C');
  await composer(page).fill('');
});

test('on a phone there is the list or a prompt, and what was typed into one stays while another is open', async () => {
  const { page } = await stage.openElsewhere('frank', { viewport: { width: 390, height: 844 }, hasTouch: true });
  const { prompts } = await apiOf(stage.app, 'frank');
  const fields = { body: 'Tell me about {{birds}}.', tags: [], presetId: null, tools: [] };
  await prompts.import.mutate({
    prompts: [
      { command: 'herons', title: 'Herons', ...fields },
      { command: 'owls', title: 'Owls', ...fields },
    ],
  });
  await page.goto('/prompts');
  const room = page.getByRole('main');
  const row = (title: string) => room.getByRole('link', { name: new RegExp(`^${title}`) });
  const text = room.getByRole('textbox', { name: 'Text' });
  await row('Herons').click();
  await text.fill('Where do herons sleep?');
  expect(await row('Owls').count()).toBe(0);
  await expectAccessible(page);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  await room.getByRole('link', { name: 'Prompts' }).click();
  await row('Owls').click();
  await soon(() => text.inputValue()).toBe('Tell me about {{birds}}.');
  await page.goBack();
  await room.getByText('Not saved').waitFor();
  await row('Herons').click();
  await soon(() => text.inputValue()).toBe('Where do herons sleep?');
  await room.getByRole('button', { name: 'Discard changes' }).click();
  await soon(() => text.inputValue()).toBe('Tell me about {{birds}}.');
});

async function openPrompts(page: Page): Promise<Locator> {
  await page.goto('/prompts');
  await page.getByRole('heading', { name: 'Prompts', level: 1 }).waitFor();
  return page.getByRole('main');
}
