// A newcomer on a server with an OpenAI key alone: an assistant with a file and a tool server, from its making to its
// deletion and back.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, test } from 'vitest';
import { startFakeMcpServer } from '../../../scripts/fake-tools/mcp-server.ts';
import { soon, withApp } from '../../support/browser/app-fixture.ts';
import { textFile } from '../../support/browser/attachments.ts';
import { expectAccessible } from '../../support/browser/axe.ts';
import { answered, lastMessage, openNewChat, send } from '../../support/browser/chat.ts';
import { createFolder } from '../../support/folders.ts';

const tools = await startFakeMcpServer();
const CONFIG_PATH = join(createFolder(), 'parley.json');
writeFileSync(
  CONFIG_PATH,
  JSON.stringify({ version: '1.0.7', mcpServers: { Harbour: { type: 'streamable-http', url: tools.url } } }),
);
afterAll(() => tools.close());

const stage = withApp({ CONFIG_PATH, OPENAI_MODELS: 'gpt-4', EGRESS_ALLOWED_HOSTS: '127.0.0.1' });

const LOGBOOK = 'The ferry to Norwick leaves from the northern harbour.';

test('a newcomer makes an assistant with a file and a tool server, shares it, deletes it and takes that back', async () => {
  const { page } = await stage.open('alice');
  await openNewChat(page);
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog').getByRole('combobox').fill('new assist');
  await page.getByRole('option', { name: 'New assistant' }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('textbox', { name: 'Name' }).fill('Sea guide');
  await page.getByRole('textbox', { name: 'Instructions' }).fill('Answer like a pilot.');
  await page.getByRole('button', { name: 'Model gpt-4 OpenAI' }).waitFor();
  const file = textFile('harbours.txt', LOGBOOK);
  await page.getByLabel('Add files', { exact: true }).and(page.locator('input')).setInputFiles([file]);
  await page.getByRole('button', { name: 'Add tools' }).click();
  const list = page.getByRole('dialog', { name: 'Add tools' });
  await list.getByRole('switch', { name: 'Harbour' }).check({ force: true });
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Remove Harbour', exact: true }).waitFor();
  await page.getByRole('switch', { name: 'Share with everybody here' }).check({ force: true });
  await page.getByTestId('save-assistant').click();
  await page.getByRole('heading', { name: 'Sea guide' }).waitFor();

  await page.getByRole('button', { name: 'Start a chat' }).click();
  await askWithSource(page);
  await send(page, 'And the sum? [[call-tool:mcp_Harbour_add {"a":2,"b":3} => It is 5.]]');
  const card = lastMessage(page).getByTestId('approval');
  await card.getByText(new URL(tools.url).host).waitFor();
  await card.getByRole('button', { name: 'Allow', exact: true }).click();
  await lastMessage(page).getByText('It is 5.').waitFor();

  const { page: other, tolerated } = await stage.open('bob');
  // The file stays its owner's: a reader sees the words that are quoted, and not the page around them.
  tolerated.push(/404 \(Not Found\) \S*files\.passage/);
  await openNewChat(other);
  await other.locator('#new-conversation-menu').click();
  await other.keyboard.type('sea');
  await other.getByRole('option', { name: /^Sea guide by alice/ }).click();
  await other.getByTestId('landing-title').getByText('Sea guide').waitFor();
  await askWithSource(other);

  await page.getByTestId('nav-user').click();
  await page.getByRole('menuitem', { name: 'Assistants' }).click();
  await page.getByRole('link', { name: 'Edit Sea guide' }).click();
  await page.getByRole('button', { name: 'Delete assistant' }).click();
  await page.getByRole('dialog', { name: 'Delete assistant' }).getByRole('button', { name: 'Delete' }).click();
  await page.getByText('You have none yet.').waitFor();
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByRole('heading', { name: 'Sea guide' }).waitFor();
  await page.getByRole('button', { name: 'Remove harbours.txt' }).waitFor();
  await page.getByRole('button', { name: 'Remove Harbour', exact: true }).waitFor();
});

/** Asks what the file of the assistant knows, and looks at the source of the answer. */
async function askWithSource(page: Page): Promise<void> {
  await page.getByRole('textbox', { name: 'Message Sea guide' }).waitFor();
  await send(page, 'From which harbour leaves the ferry to Norwick? [[cite]]');
  await answered(page);
  const mark = lastMessage(page)
    .getByRole('paragraph')
    .getByRole('button', { name: /^Source \d: harbours.txt/ });
  await mark.click();
  const passage = page.getByRole('dialog', { name: 'harbours.txt' });
  await soon(() => passage.innerText()).toContain('The ferry to Norwick leaves from the northern harbour.');
  await page.keyboard.press('Escape');
  await passage.waitFor({ state: 'detached' });
}
