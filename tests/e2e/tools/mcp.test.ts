// MCP servers in the settings: one is added, one of its tools is switched off, and it is deleted again.
import { afterAll, test } from 'vitest';
import { startFakeMcpServer } from '../../../scripts/fake-tools/mcp-server.ts';
import { soon, withApp } from '../../support/browser/app-fixture.ts';
import { expectAccessible } from '../../support/browser/axe.ts';
import { openNewChat } from '../../support/browser/chat.ts';
import { focused } from '../../support/browser/keyboard.ts';

const header = { name: 'X-Key', value: 'right' };
const fake = await startFakeMcpServer({ auth: { type: 'header', ...header } });
const stage = withApp({ MCP_USER_SERVERS: 'on', EGRESS_ALLOWED_HOSTS: fake.host });

afterAll(() => fake.close());

test('a server is added with its header, a tool of it switched off, and it leaves the menu when it is deleted', async () => {
  const { page } = await stage.open('alice');
  await openNewChat(page);
  await page.getByTestId('nav-user').click();
  await page.getByRole('menuitem', { name: 'Settings' }).click();
  const settings = page.getByRole('dialog', { name: 'Settings' });
  await settings.getByRole('tab', { name: 'Tools' }).click();
  const servers = settings.getByRole('region', { name: 'MCP servers' });
  const add = servers.getByRole('button', { name: 'Add a server' });
  await add.click();
  const form = servers.getByRole('form', { name: 'Add a server' });
  await form.locator('input[name=name]:focus').waitFor();
  await page.keyboard.press('Enter');
  await form.getByText('Enter a name of at most 64 characters.').waitFor();
  await expectAccessible(page);
  await form.getByLabel('Name', { exact: true }).fill('Arithmetic');
  await form.getByLabel('Address').fill(fake.url);
  await form.getByLabel('By a header').check();
  await form.getByLabel('Name of the header').fill(header.name);
  await form.getByLabel('Value of the header').fill(header.value);
  await page.keyboard.press('Enter');
  await servers.getByText('Connected, 13 tools').waitFor();
  await form.waitFor({ state: 'detached' });
  await soon(() => focused(page)).toMatch(/^Arithmetic/);

  const echo = servers.getByRole('switch', { name: 'echo', exact: true });
  await soon(() => echo.isChecked()).toBe(true);
  await echo.press('Space');
  await soon(() => echo.isChecked()).toBe(false);
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  const tools = page.getByRole('button', { name: 'Tools', exact: true });
  await tools.click();
  const menu = page.getByRole('dialog', { name: 'Tools' });
  const choice = menu.getByRole('switch', { name: 'Arithmetic' });
  await soon(() =>
    choice.getAttribute('aria-describedby').then((id) => page.locator(`[id="${id}"]`).innerText()),
  ).toMatch(/^add, picture/);
  await choice.press('Space');
  await page.getByRole('button', { name: 'Tools: 1 on' }).waitFor();
  await page.keyboard.press('Escape');

  await page.getByTestId('nav-user').click();
  await page.getByRole('menuitem', { name: 'Settings' }).click();
  await settings.getByRole('tab', { name: 'Tools' }).click();
  await servers.getByRole('button', { name: /^Arithmetic/ }).click();
  await soon(() => echo.isChecked()).toBe(false);
  await servers.getByRole('button', { name: 'Delete' }).click();
  await servers.getByRole('button', { name: 'Confirm' }).click();
  await servers.getByText('You have not added a server yet.').waitFor();
  await soon(() => focused(page)).toBe('Add a server');
  await page.keyboard.press('Escape');
  await tools.waitFor();
});
