// A whole installation of LibreChat 0.8 is imported by its command; its people sign in as they did there and go on.
import { startFakeIdentity } from '@parley/scripts/fake-identity';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { authenticatorCode } from '../../support/accounts/authenticator-app.ts';
import { soon, withApp } from '../../support/browser/app-fixture.ts';
import {
  answered,
  composer,
  conversation,
  conversations,
  lastMessage,
  messages,
  openNewChat,
  send,
  thread,
  visit,
} from '../../support/browser/chat.ts';
import { runCommand } from '../../support/command.ts';
import { createFolder } from '../../support/folders.ts';
import {
  BOBS_SECRET,
  CAROLS_SUBJECT,
  chatIds,
  company,
  COMPANY_PASSWORD,
  DAVES_ID,
  oldSecrets,
  writeCompany,
} from '../../support/installation/company.ts';

const identity = await startFakeIdentity();
const secrets = { CREDS_KEY: 'c'.repeat(64), JWT_SECRET: 'j'.repeat(64), JWT_REFRESH_SECRET: 'r'.repeat(64) };
const settings = { ...identity.env, ...secrets, DATA_DIR: createFolder(), OPENAI_MODELS: 'gpt-4o' };
const stage = withApp(settings);
afterAll(() => identity.close());

beforeAll(async () => {
  identity.introduce('carol', { id: CAROLS_SUBJECT, name: 'Carol', login: 'carol', email: 'carol@example.com' });
  identity.introduce('dave', { id: DAVES_ID, name: 'Dave', login: 'dave', email: 'dave@example.com' });
  const folder = createFolder();
  const keys = oldSecrets();
  await writeCompany(folder, await company(keys));
  const { database } = stage.app;
  if (database.kind !== 'socket') throw new Error('The database of the run has a socket.');
  const env = { ...settings, ...keys };
  const { code, stdout, stderr } = await runCommand(['import-librechat', folder], database.database, env);
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toMatch(/^users +5 +5 +0 +0$/m);
});

test('a person with a password finds chats, folder and prompts, and the agent answers from its file', async () => {
  const { page } = await stage.visitor();
  await page.goto('/login');
  await enterPassword(page, 'alice');
  await composer(page).waitFor();
  const folders = page.getByRole('region', { name: 'Folders' });
  await folders.getByRole('button', { name: 'Office', exact: true }).click();
  await expectChats(page, ['Plan of the move', 'Lunch and the handbook']);
  await folders.getByRole('link', { name: 'Plan of the move' }).click();
  await thread(page).getByText('Answer on: Plan of the move.').waitFor();

  await openNewChat(page);
  await composer(page).pressSequentially('/offer');
  await page.getByRole('option', { name: 'Offer' }).click();
  await soon(() => composer(page).inputValue()).toBe('Write an offer.');
  await composer(page).fill('');

  await conversation(page, 'Lunch and the handbook').getByRole('link').click();
  await thread(page).getByText('Answer on: Lunch and the handbook.').waitFor();
  await expectAnswerOfHelper(page);
});

test('a person with a second factor enters a code, and goes on with the agent that another shares', async () => {
  const { page, tolerated } = await stage.visitor();
  // The browser's own words for the answer that asks for the code.
  tolerated.push(/status of 403/);
  await page.goto('/login');
  await enterPassword(page, 'bob');
  await page.getByLabel('Code of your authenticator app').fill(authenticatorCode(BOBS_SECRET));
  await page.keyboard.press('Enter');
  await composer(page).waitFor();
  await expectChats(page, ['Budget of the year', 'Where to eat']);
  await composer(page).pressSequentially('/');
  const offered = page.getByRole('listbox', { name: 'Suggestions' });
  await offered.getByRole('option', { name: 'Summary' }).waitFor();
  expect(await offered.getByRole('option', { name: 'Offer' }).count()).toBe(0);
  await composer(page).fill('');

  await conversation(page, 'Where to eat').getByRole('link').click();
  await thread(page).getByText('Answer on: Where to eat.').waitFor();
  await expectAnswerOfHelper(page);
});

test.each([
  ['carol', 'OpenID', 'Letters to suppliers'],
  ['dave', 'Facebook', 'Routes of the vans'],
])('%s signs in by %s, which confirms no address, to the chats that they had', async (name, site, title) => {
  const { page, tolerated } = await stage.visitor();
  await page.goto('/login');
  await page.getByRole('link', { name: `Continue with ${site}` }).click();
  await page.getByRole('link', { name, exact: true }).click();
  await composer(page).waitFor();
  await expectChats(page, [title]);
  await conversation(page, title).getByRole('link').click();
  await thread(page).getByText(`Answer on: ${title}.`).waitFor();
  tolerated.push(/status of 404/);
  for (const id of [chatIds.alice, chatIds.temporary]) await expectMissing(page, id);
});

test('a temporary chat is in no list and still one at its address; one that had ended is gone', async () => {
  const { page, tolerated } = await stage.visitor();
  await page.goto('/login');
  await enterPassword(page, 'erin');
  await composer(page).waitFor();
  await expectChats(page, ['Garden plants']);
  await visit(page, `/c/${chatIds.temporary}`);
  await thread(page).getByText('Answer on: Present for Alice.').waitFor();
  // It lasts as long as it was to last there, however often it is opened and left.
  const notice = page.getByTestId('temporary-notice');
  await notice.getByText(/^This chat doesn't appear in lists or searches\. It is deleted on /).waitFor();
  await conversation(page, 'Garden plants').getByRole('link').click();
  await thread(page).getByText('Answer on: Garden plants.').waitFor();
  await page.goto(`/c/${chatIds.temporary}`);
  await send(page, 'Which flowers?');
  await soon(() => messages(page).count()).toBe(4);
  await answered(page);
  await notice.getByText(/It is deleted on /).waitFor();

  tolerated.push(/status of 404/);
  await expectMissing(page, chatIds.over);
});

async function expectMissing(page: Page, id: string): Promise<void> {
  await visit(page, `/c/${id}`);
  await page.getByText('Chat not found').waitFor();
  expect(await messages(page).count()).toBe(0);
}

async function enterPassword(page: Page, name: string): Promise<void> {
  await page.getByLabel('Email', { exact: true }).fill(`${name}@example.com`);
  await page.getByLabel('Password', { exact: true }).fill(COMPANY_PASSWORD);
  await page.getByRole('button', { name: 'Continue', exact: true }).click();
}

/** These, and no others. */
async function expectChats(page: Page, titles: string[]): Promise<void> {
  for (const title of titles) await conversation(page, title).waitFor();
  expect(await conversations(page).count()).toBe(titles.length);
}

/** Asks in the open chat what only the agent's file says. */
async function expectAnswerOfHelper(page: Page): Promise<void> {
  await page.getByRole('textbox', { name: 'Message Handbook helper' }).waitFor();
  await send(page, 'When does the canteen open? [[cite]]');
  await soon(() => messages(page).count()).toBe(4);
  await answered(page);
  await lastMessage(page)
    .getByRole('paragraph')
    .getByText(/canteen opens at eleven/)
    .waitFor();
}
