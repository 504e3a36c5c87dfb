// MCP servers on the page of tools: one is added, one of its tools is switched off, and it is deleted again.
import type { Page } from 'playwright-core';
import { afterAll, test } from 'vitest';
import { startFakeMcpServer } from '../../../scripts/fake-tools/mcp-server.ts';
import { addButton, openTools } from '../../support/browser/add-menu.ts';
import { soon, withApp } from '../../support/browser/app-fixture.ts';
import { expectAccessible } from '../../support/browser/axe.ts';
import { ask, lastMessage, openId, openNewChat } from '../../support/browser/chat.ts';
import { focused, openByPalette } from '../../support/browser/keyboard.ts';
import { testInFullRun } from '../../support/extent.ts';
import { freePort } from '../../support/free-port.ts';

const header = { name: 'X-Key', value: 'right' };
const fake = await startFakeMcpServer({ auth: { type: 'header', ...header } });
const signedIn = await startFakeMcpServer({ auth: { type: 'oauth' } });
const domain = `http://localhost:${await freePort()}`;
const stage = withApp({
  MCP_USER_SERVERS: 'on',
  EGRESS_ALLOWED_HOSTS: '127.0.0.1',
  OPENAI_MODELS: 'gpt-4',
  DOMAIN_SERVER: domain,
  PORT: new URL(domain).port,
});

afterAll(() => Promise.all([fake.close(), signedIn.close()]));

test('a server is added with its header, a tool of it switched off, and it leaves the menu when it is deleted', async () => {
  const { page } = await stage.open('alice');
  await openNewChat(page);
  const servers = await openServers(page);
  const add = servers.getByRole('button', { name: 'Add a server' });
  await add.click();
  const form = servers.getByRole('form', { name: 'Add a server' });
  await form.getByRole('button', { name: 'Cancel' }).click();
  await form.waitFor({ state: 'detached' });
  await soon(() => focused(page)).toBe('Add a server');
  await page.keyboard.press('Enter');
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

  const echo = servers.getByRole('checkbox', { name: 'echo', exact: true });
  await soon(() => echo.isChecked()).toBe(true);
  await echo.press('Space');
  await soon(() => echo.isChecked()).toBe(false);
  await expectAccessible(page);
  await page.goBack();
  const menu = await openTools(page);
  const choice = menu.getByRole('switch', { name: 'Arithmetic' });
  await soon(() =>
    choice.getAttribute('aria-describedby').then((id) => page.locator(`[id="${id}"]`).innerText()),
  ).toMatch(/^add, picture/);
  await menu.getByText('12 of 13 tools').waitFor();
  await menu.getByRole('button', { name: 'Tools of Arithmetic' }).click();
  const adding = menu.getByRole('checkbox', { name: 'add', exact: true });
  await adding.press('Space');
  await menu.getByText('11 of 13 tools').waitFor();
  await adding.press('Space');
  await menu.getByText('12 of 13 tools').waitFor();
  await choice.press('Space');
  await page.getByRole('button', { name: 'Switch off Arithmetic' }).waitFor();
  await page.keyboard.press('Escape');

  await openServers(page);
  await servers.getByRole('button', { name: /^Arithmetic/ }).click();
  await soon(() => echo.isChecked()).toBe(false);
  await servers.getByRole('button', { name: 'Delete' }).click();
  await servers.getByRole('button', { name: 'Confirm' }).click();
  await servers.getByText('You have not added a server yet.').waitFor();
  await soon(() => focused(page)).toBe('Add a server');
  await page.goBack();
  await addButton(page).waitFor();
  await page.getByRole('button', { name: 'Switch off Arithmetic' }).waitFor({ state: 'detached' });
});

testInFullRun(
  'a server is signed in to from the answer that needs it, and the answer goes on in another browser',
  async () => {
    const { page, context } = await stage.open('bob');
    await openNewChat(page);
    const servers = await openServers(page);
    await servers.getByRole('button', { name: 'Add a server' }).click();
    const form = servers.getByRole('form', { name: 'Add a server' });
    await form.getByLabel('Name', { exact: true }).fill('Mail');
    await form.getByLabel('Address').fill(signedIn.url);
    await form.getByLabel('By signing in').check();
    await page.keyboard.press('Enter');
    await form.waitFor({ state: 'detached' });
    await page.goBack();

    const menu = await openTools(page);
    await menu.getByText('Mail wants you to sign in.').waitFor();
    await menu.getByRole('link', { name: 'Open the sign-in page' }).waitFor();
    await expectAccessible(page);
    await menu.getByRole('switch', { name: 'Mail' }).press('Space');
    await page.keyboard.press('Escape');
    await ask(page, 'What came? [[call-tool:mcp_Mail_sign_in_first {}]]');
    const card = (of = page) => of.getByTestId('sign-in');
    await card().waitFor();
    await page.reload();
    await card().getByRole('link', { name: 'Open the sign-in page' }).focus();
    const [popup] = await Promise.all([context.waitForEvent('page'), page.keyboard.press('Enter')]);
    await popup.getByText('You are signed in to Mail.').waitFor();
    await popup.close();

    const { page: phone } = await stage.openElsewhere('bob', { viewport: { width: 390, height: 844 } });
    await phone.goto(`/c/${openId(page)}`);
    await card(phone).waitFor();
    await expectAccessible(phone);
    await soon(() => card(phone).getByRole('button', { name: 'Continue' }).isEnabled()).toBe(true);
    // As when its person comes back to this page: the card sees by itself that they have signed in.
    await page.evaluate("document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))");
    for (const one of [phone, page]) {
      await card(one).waitFor({ state: 'detached' });
      await lastMessage(one).getByText('That was it.').waitFor();
    }
    await page.getByRole('button', { name: 'Tools: 1 on' }).click();
    await soon(() => menu.innerText()).toMatch(/add, picture/);
    await soon(() => menu.getByRole('link', { name: 'Open the sign-in page' }).count()).toBe(0);
    await page.keyboard.press('Escape');
  },
);

/** The servers on the page of tools. */
async function openServers(page: Page) {
  await openByPalette(page, 'All tools');
  return page.getByRole('region', { name: 'Tool servers (MCP)' });
}
