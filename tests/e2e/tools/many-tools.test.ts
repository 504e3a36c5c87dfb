// A server with more tools than a model is offered at once: a person chooses among them, and an assistant has its own choice.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { afterAll, expect, test } from 'vitest';
import { startPlainServer } from '../../integration/mcp/plain-server.ts';
import { openTools } from '../../support/browser/add-menu.ts';
import { soon, withApp } from '../../support/browser/app-fixture.ts';
import { expectAccessible } from '../../support/browser/axe.ts';
import { apiOf, openNewChat } from '../../support/browser/chat.ts';
import { focused } from '../../support/browser/keyboard.ts';
import { createFolder } from '../../support/folders.ts';

const VERBS = ['add', 'create', 'delete', 'get', 'list', 'merge', 'push', 'search', 'update'];
const THINGS =
  'branch comment commit file gist issue label notification project pull_request release repository tag'.split(' ');
/** 117, by the alphabet. */
const tools = VERBS.flatMap((verb) => THINGS.map((thing) => [verb, thing] as const)).map(([verb, thing]) => ({
  name: `${verb}_${thing}`,
  description: `${verb} a ${thing.replace('_', ' ')} of a repository that the signed-in person may see`,
  inputSchema: { type: 'object', properties: {} },
}));

const server = await startPlainServer({ many: { 'tools/list': { result: { tools } } } });
afterAll(() => server.close());

const MODEL = 'gpt-4-1106-preview';
const CONFIG_PATH = join(createFolder(), 'parley.json');
const mcpServers = { github: { url: server.urlOf('many') } };
writeFileSync(CONFIG_PATH, JSON.stringify({ version: '1.0.7', mcpServers }));
const stage = withApp({ CONFIG_PATH, OPENAI_MODELS: 'gpt-4', ASSISTANTS_API_KEY: 'fake', ASSISTANTS_MODELS: MODEL });

const countIn = (choice: Locator) => choice.getByRole('status').first().innerText();

test('a person searches the tools of a server, takes none and then some of them, by keyboard alone', async () => {
  const { page } = await stage.open('alice');
  await openNewChat(page);
  const api = await apiOf(stage.app, 'alice');
  await api.mcp.refresh.mutate({ id: 'github' });
  const menu = await openTools(page);
  await menu.getByText('117 tools').waitFor();
  await menu.getByRole('button', { name: 'Tools of github' }).press('Enter');
  const choice = menu.getByRole('region', { name: 'Tools of github' });
  await expectAccessible(page);
  await choice.getByRole('button', { name: 'None' }).press('Enter');
  await soon(() => countIn(choice)).toBe('0 of 117 tools');
  const search = choice.getByRole('textbox', { name: 'Search the tools of github' });
  await search.fill('pull_request');
  await soon(() => choice.getByRole('checkbox').count()).toBe(9);
  await search.press('ArrowDown');
  await soon(() => focused(page)).toBe('add_pull_request');
  await page.keyboard.press('ArrowDown');
  await soon(() => focused(page)).toBe('create_pull_request');
  await page.keyboard.press('Space');
  await soon(() => countIn(choice)).toBe('1 of 117 tools');
  await choice.getByRole('button', { name: 'All' }).press('Enter');
  await soon(() => countIn(choice)).toBe('9 of 117 tools');
  await search.fill('no such tool');
  await choice.getByText('No tool matches').waitFor();
  await page.keyboard.press('Escape');
  const [seen] = await api.mcp.list.query();
  expect(seen?.tools.filter(({ isOn }) => isOn).map(({ name }) => name)).toEqual(
    VERBS.map((verb) => `${verb}_pull_request`),
  );
});

test('the search of the menu finds tools of a server by what they do, and shows these', async () => {
  const { page } = await stage.open('carol');
  await openNewChat(page);
  const api = await apiOf(stage.app, 'carol');
  await api.mcp.refresh.mutate({ id: 'github' });
  const menu = await openTools(page);
  const search = menu.getByRole('textbox', { name: 'Search tools' });
  await search.fill('merge a pull request');
  const choice = menu.getByRole('region', { name: 'Tools of github' });
  await soon(() => choice.getByRole('checkbox').count()).toBe(1);
  await choice.getByText('merge a pull request of a repository').waitFor();
  await expectAccessible(page);
  await choice.getByRole('checkbox', { name: 'merge_pull_request' }).press('Space');
  await search.fill('PULL request');
  await soon(() => countIn(choice)).toBe('116 of 117 tools');
  await soon(() => choice.getByRole('checkbox').count()).toBe(9);
  await search.fill('github');
  await menu.getByText('116 of 117 tools').waitFor();
  expect(await choice.count()).toBe(0);
  await page.keyboard.press('Escape');
});

test('an assistant uses some of the tools that its person uses', async () => {
  const { page } = await stage.open('bob');
  await openNewChat(page);
  const api = await apiOf(stage.app, 'bob');
  await api.mcp.refresh.mutate({ id: 'github' });
  await page.locator('#new-conversation-menu').click();
  await page.getByRole('option', { name: 'New assistant' }).click();
  const builder = page.getByRole('main');
  await builder.getByRole('textbox', { name: 'Name' }).fill('Reviewer');
  await builder.getByRole('button', { name: 'Add tools' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add tools' });
  await dialog.getByRole('switch', { name: 'github' }).press('Space');
  await dialog.getByRole('button', { name: 'Tools of github' }).press('Enter');
  const choice = dialog.getByRole('region', { name: 'Tools of github' });
  await choice.getByRole('button', { name: 'None' }).press('Enter');
  await choice.getByRole('checkbox', { name: 'get_pull_request' }).press('Space');
  await soon(() => countIn(choice)).toBe('1 of 117 tools');
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await builder.getByTestId('save-assistant').click();
  await page.waitForURL('**/assistants/asst_*');
  const [made] = (await api.assistants.list.query({})).assistants;
  expect(made?.tools).toEqual([
    { type: 'function', function: { name: 'mcp:github', parameters: { tools: ['get_pull_request'] } } },
  ]);
  // Their own choice stays.
  const [seen] = await api.mcp.list.query();
  expect(seen?.tools.filter(({ isOn }) => isOn)).toHaveLength(117);
});
