// Assistants: built on their page with knowledge and an API, chosen, asked, and deleted.
import { randomUUID } from 'node:crypto';
import { startFakeProvider } from '@parley/scripts/fake-provider';
import type { Page } from 'playwright-core';
import { afterAll, expect, test } from 'vitest';
import { soon, withApp } from '../../support/browser/app-fixture.ts';
import { apiClient } from '../../support/browser/api-client.ts';
import { picture, textFile } from '../../support/browser/attachments.ts';
import { expectAccessible } from '../../support/browser/axe.ts';
import { sidePanel, stripIcon } from '../../support/browser/side-panel.ts';
import { testInFullRun } from '../../support/extent.ts';
import {
  answered,
  apiOf,
  composer,
  conversation,
  lastMessage,
  messages,
  openNewChat,
  send,
} from '../../support/browser/chat.ts';
import { message, reference } from '../../integration/transfer/files.ts';

const MODEL = 'gpt-4-1106-preview';

const provider = await startFakeProvider();
afterAll(() => provider.close());

const stage = withApp({
  OPENAI_MODELS: 'gpt-4o',
  ASSISTANTS_API_KEY: 'fake',
  ASSISTANTS_BASE_URL: `${provider.url}/v1`,
  ASSISTANTS_MODELS: MODEL,
  EGRESS_ALLOWED_HOSTS: new URL(provider.url).host,
});

const spec = (server: string) =>
  JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'Models', version: '1' },
    servers: [{ url: server }],
    paths: { '/v1/models': { get: { operationId: 'listModels', responses: {} } } },
  });

const toast = (page: Page, text: string) => page.getByTestId('toast').getByText(text);

test('an assistant is built with a file, an API and an image, answers, and is deleted', async () => {
  const { page } = await stage.open('alice');
  await openNewChat(page);
  await page.locator('#new-conversation-menu').click();
  await page.getByRole('option', { name: 'New assistant' }).click();
  const builder = page.getByRole('main');
  await builder.getByRole('heading', { name: 'New assistant' }).waitFor();
  await builder.getByRole('button', { name: 'Add an API' }).click();
  await builder.getByText('Save the assistant before you add an API.').waitFor();
  await builder.getByRole('textbox', { name: 'Name' }).fill('Sea guide');
  await builder.getByRole('textbox', { name: 'Description' }).fill('Knows every harbour');
  await builder.getByRole('textbox', { name: 'Instructions' }).fill('Answer like a pilot.');
  await builder.getByRole('button', { name: 'Add a starter' }).click();
  await builder.getByRole('textbox', { name: 'Chat starter 1' }).fill('Where is the harbour?');
  await builder.getByLabel('Upload Photo').setInputFiles(await picture('face.png'));
  await addFile(page, 'harbours.txt', 'The harbour is in the north.');
  await builder.getByRole('button', { name: 'Model gpt-4o OpenAI' }).click();
  await page.getByRole('option', { name: MODEL }).click();
  await builder.getByRole('button', { name: `Model ${MODEL} Assistants` }).waitFor();
  const preview = builder.getByRole('complementary', { name: 'Preview' });
  await preview.getByText('Where is the harbour?').waitFor();
  await expectAccessible(page);

  // What is not saved yet outlives the page.
  await page.reload();
  await soon(() => builder.getByRole('textbox', { name: 'Name' }).inputValue()).toBe('Sea guide');
  await addFile(page, 'harbours.txt', 'The harbour is in the north.');
  await builder.getByLabel('Upload Photo').setInputFiles(await picture('face.png'));
  await builder.getByTestId('save-assistant').click();
  await toast(page, 'Sea guide was created.').waitFor();
  await page.waitForURL('**/assistants/asst_*');
  await builder.getByRole('heading', { name: 'Sea guide' }).waitFor();
  await soon(() => builder.locator('button[aria-label="Picture of the assistant"] img').getAttribute('src')).toMatch(
    /^\/images\//,
  );
  await builder.getByRole('button', { name: 'Remove harbours.txt' }).waitFor();
  await addFile(page, 'piers.txt', 'Pier one is closed.');
  await builder.getByRole('button', { name: 'Remove piers.txt' }).click();
  await builder.getByRole('button', { name: 'Remove piers.txt' }).waitFor({ state: 'detached' });

  // It is tried in a chat that is in no list.
  await preview.getByRole('button', { name: 'Try it' }).click();
  await page.getByRole('textbox', { name: 'Message Sea guide' }).waitFor();
  await page.getByTestId('temporary-notice').waitFor();
  await page.goBack();
  await builder.getByRole('textbox', { name: 'Description' }).fill('Knows each harbour');
  await preview.getByText('Knows each harbour').waitFor();
  await builder.getByText('Unsaved changes stay in this browser.').waitFor();
  await builder.getByRole('button', { name: 'Add an API' }).click();
  const document = builder.getByRole('textbox', { name: 'OpenAPI document' });
  await document.fill('{"openapi": "3.1.0"}');
  await builder.getByText('Could not find a valid URL in `servers`').waitFor();
  await soon(() => builder.getByTestId('save-action').isDisabled()).toBe(true);
  await document.fill(spec(provider.url));
  await builder.getByText('OpenAPI spec is valid.').waitFor();
  await builder.getByRole('button', { name: 'Back to the assistant' }).click();
  await builder.getByRole('button', { name: 'Add an API' }).click();
  await soon(() => document.inputValue()).toBe(spec(provider.url));
  await builder.getByRole('checkbox', { name: 'get /v1/models listModels' }).waitFor();
  await builder.getByRole('button', { name: 'None' }).click();
  const auth = page.getByRole('dialog', { name: 'Authentication' });
  await soon(() => auth.getByRole('radio', { name: 'OAuth' }).isDisabled()).toBe(true);
  await auth.getByRole('radio', { name: 'API key' }).check();
  await auth.getByRole('button', { name: 'Save' }).click();
  await auth.getByText('Enter the API key.').waitFor();
  await auth.getByRole('textbox', { name: 'API key' }).fill('harbour-secret');
  await auth.getByRole('radio', { name: 'Bearer' }).check();
  await expectAccessible(page);
  await auth.getByRole('button', { name: 'Save' }).click();
  await builder.getByTestId('save-action').click();
  await toast(page, 'The action was saved.').waitFor();
  const trying = builder.getByRole('region', { name: 'Try it' });
  await trying.getByRole('button', { name: 'Try it' }).click();
  await trying.getByText(/^GET http.*\/v1\/models/).waitFor();
  await trying.getByText('Reply 200').waitFor();
  await expectAccessible(page);
  expect(await trying.innerText()).not.toContain('harbour-secret');
  await builder.getByRole('button', { name: 'Back to the assistant' }).click();
  await soon(() => builder.getByRole('textbox', { name: 'Description' }).inputValue()).toBe('Knows each harbour');
  await builder.getByTestId('save-assistant').click();
  await toast(page, 'Sea guide was saved.').waitFor();

  await builder.getByRole('button', { name: 'Start a chat' }).click();
  await page.getByRole('paragraph').filter({ hasText: 'Knows each harbour' }).waitFor();
  await page.locator('#new-conversation-menu').getByText('Sea guide').waitFor();
  await page.getByRole('button', { name: 'Where is the harbour?' }).click();
  await soon(() => composer(page).inputValue()).toBe('Where is the harbour?');
  await page.getByRole('textbox', { name: 'Message Sea guide' }).waitFor();
  await send(page, 'Where is the harbour?');
  await answered(page);
  await soon(() => messages(page).count()).toBe(2);
  await lastMessage(page).locator('img[src^="/images/"]').waitFor();
  const chat = page.url();

  await page.getByTestId('nav-user').click();
  await page.getByRole('menuitem', { name: 'Assistants' }).click();
  await page.getByRole('link', { name: 'Edit Sea guide' }).click();
  await builder.getByRole('button', { name: new URL(provider.url).hostname }).click();
  await builder.getByRole('button', { name: 'Delete action' }).click();
  const asking = page.getByRole('dialog', { name: 'Delete action' });
  await asking.getByText('Are you sure you want to delete this action?').waitFor();
  await asking.getByRole('button', { name: 'Delete' }).click();
  await toast(page, 'The action was deleted.').waitFor();
  await builder.getByRole('button', { name: 'Delete assistant' }).click();
  const deleting = page.getByRole('dialog', { name: 'Delete assistant' });
  await deleting.getByText(/^Sea guide is deleted for everyone/).waitFor();
  await deleting.getByRole('button', { name: 'Delete' }).click();
  await toast(page, 'Sea guide was deleted.').waitFor();
  await builder.getByText('You have none yet.').waitFor();
  await expectAccessible(page);
  await page.goto(chat);
  await page.getByText('This assistant was deleted.').waitFor();
  await soon(() => composer(page).isDisabled()).toBe(true);
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Bring it back' }).click();
  await soon(() => composer(page).isDisabled()).toBe(false);
});

test('the side panel has the builder only where assistants answer, and saves beside the chat', async () => {
  const { page } = await stage.open('bob');
  const api = await apiOf(stage.app, 'bob');
  await api.assistants.create.mutate({ name: 'Pilot', endpoint: 'openAI', model: 'gpt-4o' });
  await openNewChat(page);
  await stripIcon(page, 'Prompts').waitFor();
  expect(await stripIcon(page, 'Assistant builder').count()).toBe(0);
  await page.reload();
  await page.locator('#new-conversation-menu').click();
  await page.getByRole('option', { name: /Pilot/ }).first().click();
  await stripIcon(page, 'Assistant builder').press('Enter');
  const description = sidePanel(page).getByRole('textbox', { name: 'Description' });
  await description.fill('Knows every harbor');
  await expectAccessible(page);
  await sidePanel(page).getByTestId('save-assistant').click();
  await toast(page, 'Pilot').waitFor();
  expect(new URL(page.url()).pathname).toBe('/c/new');
  expect((await api.assistants.list.query({})).assistants).toMatchObject([{ description: 'Knows every harbor' }]);

  await page.locator('#new-conversation-menu').click();
  await page
    .getByRole('option', { name: /gpt-4o/ })
    .first()
    .click();
  await stripIcon(page, 'Assistant builder').waitFor({ state: 'detached' });
  await sidePanel(page).getByRole('textbox', { name: 'Temperature' }).waitFor();
  await stripIcon(page, 'Parameters').press('Enter');
});

test('on a phone the form and a document have room, and from right to left the way back points back', async () => {
  const { page } = await stage.openElsewhere('erin', { viewport: { width: 390, height: 844 } });
  await page.goto('/assistants/new');
  await page.getByRole('textbox', { name: 'Name' }).fill('A'.repeat(120));
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  await page.getByTestId('save-assistant').click();
  await page.getByRole('button', { name: 'Delete assistant' }).waitFor();
  await page.getByRole('button', { name: 'Add an API' }).click();
  const text = page.getByRole('textbox', { name: 'OpenAPI document' });
  await soon(async () => ((await text.boundingBox())?.height ?? 0) >= 200).toBe(true);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  // The build writes directions as languages.
  await page.locator('html').evaluate((html) => html.setAttribute('lang', 'ar'));
  const back = page.getByRole('button', { name: 'Back to the assistant' });
  expect(await back.locator('svg').evaluate((svg) => getComputedStyle(svg).scale)).toBe('-1 1');
});

testInFullRun(
  'a conversation that was imported with an assistant of elsewhere says so, and goes on with another one',
  async () => {
    const { page } = await stage.open('erin');
    const { headers } = await apiClient(stage.app, 'erin');
    const sailing = reference(
      'sailing',
      [message('q', null, 'Which way?'), message('a', 'q', 'North.', { isCreatedByUser: false, sender: 'Pilot' })],
      { title: 'Sailing', endpoint: 'assistants', options: { model: MODEL, assistant_id: 'asst_of_elsewhere' } },
    );
    const imported = await fetch(`${stage.app.url}/api/import`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify([sailing]),
    });
    expect(await imported.text()).toContain('"imported"');
    const made = { name: 'Mate', model: MODEL, instructions: 'Answer like a mate.' };
    await (await apiOf(stage.app, 'erin')).assistants.create.mutate(made);
    await openNewChat(page);
    await conversation(page, 'Sailing').getByRole('link').first().click();
    await messages(page).getByText('North.').waitFor();
    await page.getByText('The assistant of this chat is no longer available.').waitFor();
    await soon(() => composer(page).isDisabled()).toBe(true);
    await expectAccessible(page);
    await page.locator('#new-conversation-menu').click();
    await page.keyboard.type('mat');
    await page.getByRole('option', { name: 'Mate' }).click();
    await send(page, 'And now?');
    await answered(page);
    await lastMessage(page).getByText('Mate', { exact: true }).first().waitFor();
  },
);

testInFullRun(
  'an assistant is given a plugin that needs a key, and shared with everybody, who cannot change it',
  async () => {
    const { page: hers } = await stage.open('carol');
    const made = { name: 'Pilot', model: MODEL, instructions: 'Answer like a pilot.' };
    const { assistantId } = await (await apiOf(stage.app, 'carol')).assistants.create.mutate(made);
    await hers.goto(`/assistants/${assistantId}`);
    const tools = hers.getByRole('dialog', { name: 'Add tools' });
    await openTools(hers, 'wolfram');
    await tools.getByRole('button', { name: 'Set up Wolfram' }).click();
    // Escape leaves the form, the next one the tools.
    await tools.getByRole('button', { name: 'Save' }).waitFor();
    await hers.keyboard.press('Escape');
    await tools.getByPlaceholder('Search tools').waitFor();
    await hers.keyboard.press('Escape');
    await tools.waitFor({ state: 'detached' });
    await openTools(hers, 'wolfram');
    await tools.getByRole('button', { name: 'Set up Wolfram' }).click();
    await tools
      .getByLabel(/App ?ID/i)
      .first()
      .fill('harbour-key');
    await expectAccessible(hers);
    await tools.getByRole('button', { name: 'Save' }).click();
    await tools.getByPlaceholder('Search tools').waitFor();
    // The form of the plugin is in the dialog of another form, which it must not send.
    await soon(() => toast(hers, 'Pilot was saved.').count()).toBe(0);
    await hers.keyboard.press('Escape');
    await hers.getByRole('button', { name: /^Remove Wolfram/ }).waitFor();
    await hers.getByRole('switch', { name: 'Share with everybody here' }).check({ force: true });
    await hers.getByTestId('save-assistant').click();
    await toast(hers, 'Pilot was saved.').waitFor();
    await expectAccessible(hers);

    const { page: his } = await stage.open('dave');
    await his.goto(`/assistants/${assistantId}`);
    await his.getByText(/^Pilot is shared by carol/).waitFor();
    await soon(() => his.getByTestId('save-assistant').count()).toBe(0);
    await expectAccessible(his);
    await his.getByRole('button', { name: 'Start a chat' }).click();
    await his.getByText('by carol').first().waitFor();
    await send(his, 'Which way?');
    await answered(his);
    await lastMessage(his).getByText('Pilot', { exact: true }).first().waitFor();
  },
);

async function addFile(page: Page, name: string, text: string): Promise<void> {
  await page
    .getByLabel('Add files', { exact: true })
    .and(page.locator('input'))
    .setInputFiles([textFile(name, text)]);
  await page.getByRole('button', { name: `Remove ${name}` }).waitFor();
}

/** Opens the list of tools and searches in it. */
async function openTools(page: Page, text: string): Promise<void> {
  await page.getByRole('button', { name: 'Add tools' }).click();
  await page.getByRole('dialog', { name: 'Add tools' }).getByPlaceholder('Search tools').fill(text);
}

test('an assistant gets the files of a project by a tick, which is saved with it', async () => {
  const { page } = await stage.open('dave');
  const { folders, assistants } = await apiOf(stage.app, 'dave');
  const folder = await folders.create.mutate({ id: randomUUID(), name: 'Harbours' });
  await page.goto('/assistants/new');
  const builder = page.getByRole('main');
  await builder.getByRole('textbox', { name: 'Name' }).fill('Pilot');
  const sources = builder.getByRole('group', { name: 'Files of projects and sets' });
  const project = sources.getByRole('checkbox', { name: 'Harbours' });
  await project.focus();
  await page.keyboard.press('Space');
  await expectAccessible(page);
  await builder.getByTestId('save-assistant').click();
  await toast(page, 'Pilot was created.').waitFor();
  const list = await assistants.list.query();
  expect(list.assistants).toMatchObject([{ name: 'Pilot', sources: [{ kind: 'folder', id: folder.id }] }]);
  await page.reload();
  await soon(() => project.isChecked()).toBe(true);
  await project.click();
  await builder.getByTestId('save-assistant').click();
  await soon(async () => (await assistants.list.query()).assistants[0]?.sources).toEqual([]);
});
