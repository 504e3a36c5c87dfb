// An administrator sets tools up and switches them, by mouse and keyboard, and the pages of others follow.
import { afterAll, expect, test } from 'vitest';
import { startFakeMcpServer } from '../../../scripts/fake-tools/mcp-server.ts';
import { startPluginUpstreams } from '../../../scripts/fake-tools/plugin-upstreams.ts';
import { openTools } from '../../support/browser/add-menu.ts';
import { soon, withApp } from '../../support/browser/app-fixture.ts';
import { expectAccessible } from '../../support/browser/axe.ts';
import { openNewChat } from '../../support/browser/chat.ts';

const upstreams = await startPluginUpstreams();
const server = await startFakeMcpServer({ auth: { type: 'header', name: 'X-Key', value: 'right' } });
const stage = withApp({
  OPENAI_MODELS: 'gpt-4',
  TAVILY_BASE_URL: upstreams.url,
  WOLFRAM_APP_ID: 'of-the-operator',
  EGRESS_ALLOWED_HOSTS: '127.0.0.1',
});

afterAll(() => Promise.all([upstreams.close(), server.close()]));

test('a key is tried and saved, a tool switched off, a tool server added and removed, and other pages follow', async () => {
  const { page } = await stage.open('alice');
  await page.goto('/admin/tools');
  const row = (name: string) => page.getByRole('listitem').filter({ has: page.getByText(name, { exact: true }) });
  const dialog = page.getByRole('dialog');
  await row('Web search').getByText('Enter the key of a web search service below', { exact: false }).waitFor();
  await row('Wolfram').getByText('from the environment').waitFor();
  await expectAccessible(page);
  const { page: other } = await stage.open('bob');
  await openNewChat(other);
  const menu = await openTools(other);
  await menu.getByText('Calculator', { exact: true }).waitFor();

  await page.getByRole('button', { name: 'Set up Tavily Search' }).click();
  await dialog.locator('input:focus').waitFor();
  await page.keyboard.press('Enter');
  await dialog.getByText('Fill this in.').waitFor();
  await page.keyboard.type('fake:refuse-me');
  await dialog.getByRole('button', { name: 'Try it' }).click();
  await dialog.getByText('Tavily Search refuses the key.').waitFor();
  await dialog.getByText('The key … is not valid').waitFor();
  await expectAccessible(page);
  await dialog.getByLabel('Tavily API key', { exact: true }).fill('right');
  await dialog.getByRole('button', { name: 'Try it' }).click();
  await dialog.getByText('Tavily Search answers.').waitFor();
  await dialog.getByLabel('Tavily API key', { exact: true }).press('Enter');
  await dialog.waitFor({ state: 'detached' });
  await row('Web search').getByText('Asks Tavily.').waitFor();

  const calculator = page.getByRole('switch', { name: 'Calculator' });
  await calculator.press('Space');
  await soon(() => calculator.isChecked()).toBe(false);
  await menu.getByText('Calculator', { exact: true }).waitFor({ state: 'detached' });

  await page.getByRole('button', { name: 'Add a tool server' }).click();
  await dialog.getByLabel('Name', { exact: true }).fill('ours');
  await dialog.getByLabel('Address').fill(server.url);
  await dialog.getByLabel('Headers', { exact: false }).fill('X-Key: right');
  await dialog.getByRole('button', { name: 'Try it' }).click();
  await dialog.getByText('Tools found: echo', { exact: false }).waitFor();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.waitFor({ state: 'detached' });
  await row('ours').getByText('on', { exact: true }).waitFor();
  await menu.getByText('ours', { exact: true }).waitFor();

  await page.getByRole('button', { name: 'Set up ours' }).press('Enter');
  await dialog.getByLabel('Address').waitFor();
  expect(await dialog.getByLabel('Headers', { exact: false }).inputValue()).toBe('');
  await dialog.getByRole('button', { name: 'Remove' }).click();
  await dialog.getByText('Its headers are deleted', { exact: false }).waitFor();
  await dialog.locator('button:focus').waitFor();
  await page.keyboard.press('Enter');
  await row('ours').waitFor({ state: 'detached' });
  await menu.getByText('ours', { exact: true }).waitFor({ state: 'detached' });

  await page.goto('/admin/audit');
  await page.getByText('removed the tool server', { exact: false }).waitFor();
  await page.getByText('saved the key of', { exact: false }).waitFor();
  await other.goto('/admin/tools');
  await other.getByText('Only administrators of this server can see this page.').waitFor();
});
