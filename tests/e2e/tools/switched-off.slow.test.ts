// A server whose operator has switched tools off: no screen offers any.
import { expect, test } from 'vitest';
import { addButton } from '../../support/browser/add-menu.ts';
import { soon, withApp } from '../../support/browser/app-fixture.ts';
import { sidePanel, showSidePanel } from '../../support/browser/side-panel.ts';
import { answered, ask, lastMessage, openNewChat } from '../../support/browser/chat.ts';

const MODEL = 'gpt-4-1106-preview';
const stage = withApp({ TOOLS: 'off', ASSISTANTS_API_KEY: 'fake', ASSISTANTS_MODELS: MODEL });

test('neither the message box, the header, the parameters, the settings nor an assistant offers tools', async () => {
  const { page } = await stage.open('alice');
  const tools = page.getByRole('menuitem', { name: /^Tools/ });
  await openNewChat(page);
  await addButton(page).click();
  await page.getByRole('menuitem', { name: 'Attach files' }).waitFor();
  await soon(() => tools.count()).toBe(0);
  await page.keyboard.press('Escape');
  await page.locator('#new-conversation-menu').first().click();
  await page.getByTestId('endpoint-item-gptPlugins').click();
  await showSidePanel(page);
  const params = sidePanel(page);
  await params.getByRole('slider', { name: 'Top P' }).waitFor();
  await soon(() => params.getByText('Agent settings').count()).toBe(0);
  await params.getByRole('button', { name: 'Close side panel' }).press('Enter');
  await soon(() => page.getByTestId('plugin-bar').count()).toBe(0);
  await ask(page, 'Compute [[echo]]');
  await answered(page);
  await soon(() => lastMessage(page).getByTestId('step').count()).toBe(0);
  await soon(() => tools.count()).toBe(0);

  await page.getByTestId('nav-user').click();
  await page.getByRole('menuitem', { name: 'Settings' }).click();
  const settings = page.getByRole('dialog', { name: 'Settings' });
  await soon(() => settings.getByRole('tab').allInnerTexts()).toEqual([
    'General',
    'Beta features',
    'Data controls',
    'Account',
    'Profile',
    'Appearance',
    'Chat',
    'Keyboard',
    'Keys',
    'Chats and files',
    'Usage',
    'Security',
    'About',
  ]);
  await settings.getByRole('searchbox').fill('plugin');
  await settings.getByText('No setting has these words.').waitFor();
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await page.goto('/tools');
  await page.getByText('No tools are available here.').waitFor();

  await openNewChat(page);
  await page.locator('#new-conversation-menu').first().click();
  await page.getByRole('option', { name: 'New assistant' }).click();
  const builder = page.getByRole('main');
  await builder.getByRole('heading', { name: 'New assistant' }).waitFor();
  await builder.getByRole('region', { name: 'Knowledge' }).waitFor();
  await soon(() => builder.getByRole('button', { name: 'Add an API' }).count()).toBe(0);
  await builder.getByRole('button', { name: 'Add tools' }).click();
  const list = page.getByRole('dialog', { name: 'Add tools' });
  // It is what a model sees, and no tool that it calls.
  await list.getByRole('switch', { name: 'Seeing pictures' }).waitFor();
  expect(await list.getByRole('switch').count()).toBe(1);
});
