// Bing, which keeps conversations itself, as a person meets it.
import { startFakeProvider, type FakeProvider } from '@parley/scripts/fake-provider';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { freePort } from '../../support/free-port.ts';
import {
  action,
  answered,
  answerText,
  ask,
  lastMessage,
  messages,
  openNewChat,
  streaming,
  stopButton,
} from '../../support/browser/chat.ts';
import { showSidePanel, sidePanel } from '../../support/browser/side-panel.ts';
import { soon, withApp } from '../../support/browser/app-fixture.ts';

let bing: FakeProvider;
/** Where the fake Bing listens: fixed before the app starts. */
const PORT = await freePort();

beforeAll(async () => {
  bing = await startFakeProvider({ port: PORT });
});
afterAll(() => bing.close());

const stage = withApp({
  BINGAI_TOKEN: '_U=u-1',
  BINGAI_HOST: `http://127.0.0.1:${PORT}`,
  CHATGPT_TOKEN: 't-1',
  CHATGPT_REVERSE_PROXY: 'http://127.0.0.1:9/backend-api/conversation',
});

async function pick(page: Page, model: string): Promise<void> {
  await page.locator('#new-conversation-menu').click();
  await page.getByRole('option', { name: model }).click();
}

const suggestions = (page: Page) => lastMessage(page).getByRole('group', { name: 'Suggested questions' });

test('Bing answers, and a click asks one of its suggestions', async () => {
  const { page } = await stage.open('alice');
  await openNewChat(page);
  await pick(page, 'BingAI');
  await ask(page, 'How deep is a well? [[echo]]');
  await answered(page);
  await soon(() => answerText(page).first().innerText()).toBe('How deep is a well? [[echo]]');
  await lastMessage(page).getByText('BingAI', { exact: true }).waitFor();

  await suggestions(page).getByRole('button', { name: 'Why is that so?' }).click();
  await soon(() => messages(page).count()).toBe(4);
  await answered(page);
  await answerText(page).getByText('Why is that so?').first().waitFor();
  await soon(() => page.getByRole('group', { name: 'Suggested questions' }).count()).toBe(1);
  const chats = bing.requests.filter(({ path, scenario }) => path === '/sydney/ChatHub' && scenario !== 'title');
  expect(chats.at(-1)?.body).toMatchObject({ invocationId: '1' });

  await page.reload();
  await suggestions(page).getByRole('button', { name: 'Tell me more' }).waitFor();
});

test('the tone of a Sydney chat can be changed after its first question, by keyboard', async () => {
  const { page } = await stage.open('alice');
  await openNewChat(page);
  await pick(page, 'Sydney');
  await ask(page, 'Ahoy');
  await answered(page);
  await lastMessage(page).getByText('Sydney', { exact: true }).waitFor();
  await showSidePanel(page);
  const panel = sidePanel(page);
  await panel.getByRole('group', { name: 'System message' }).waitFor();
  await panel.getByRole('radio', { name: 'Creative' }).press('ArrowRight');
  await soon(() => panel.getByRole('radio', { name: 'Fast' }).isChecked()).toBe(true);
  await panel.getByRole('button', { name: 'Close side panel' }).press('Enter');
  await ask(page, 'And now?');
  await soon(() => messages(page).count()).toBe(4);
  await answered(page);
  const chats = bing.requests.filter(({ path, scenario }) => path === '/sydney/ChatHub' && scenario !== 'title');
  expect(chats.at(-1)?.body).toMatchObject({ arguments: [{ optionsSets: expect.arrayContaining(['galileo']) }] });
});

test('every tone fits the side panel', async () => {
  const { page } = await stage.open('alice');
  await openNewChat(page);
  await pick(page, 'BingAI');
  await showSidePanel(page);
  const panel = sidePanel(page);
  await panel.getByText('Precise', { exact: true }).click();
  await soon(() => panel.getByRole('radio', { name: 'Precise' }).isChecked()).toBe(true);
  const tones = panel.getByTestId('bing-select-dropdown');
  await soon(() => tones.evaluate((group) => group.scrollWidth <= group.clientWidth)).toBe(true);
  await page.getByRole('button', { name: 'Close side panel' }).click();
});

test('an image that Bing makes loads on request', async () => {
  const { page } = await stage.open('alice');
  await page
    .context()
    .route('https://www.bing.com/**', (route) => route.fulfill({ body: '<p>A fox.</p>', contentType: 'text/html' }));
  const frame = '<iframe role="presentation" src="https://www.bing.com/images/create?q=fox"></iframe>';
  await openNewChat(page);
  await pick(page, 'BingAI');
  await ask(page, `[[echo]] Here:\n\n${frame}`);
  await answered(page);
  await lastMessage(page).getByRole('button', { name: 'Show the picture from www.bing.com' }).click();
  await lastMessage(page).frameLocator('iframe').getByText('A fox.').waitFor();
  const drawn = lastMessage(page).getByTitle('A picture made by Bing');
  await soon(() => drawn.getAttribute('sandbox')).toBe('allow-scripts allow-same-origin allow-popups');
  await soon(() => drawn.getAttribute('referrerpolicy')).toBe('no-referrer');
});

test('an answer of Bing can be stopped and keeps its text', async () => {
  const { page } = await stage.open('alice');
  await openNewChat(page);
  await pick(page, 'BingAI');
  await ask(page, 'Go on for ever [[never-ending]]');
  await streaming(page);
  const heard = await bing.waitForRequest(({ scenario }) => scenario === 'never-ending');
  await stopButton(page).click();
  await answered(page);
  await soon(() => heard.closedEarly).toBe(true);
  expect((await answerText(page).first().innerText()).length).toBeGreaterThan(0);
});

test('an unreachable endpoint is named and can be retried', async () => {
  const { page } = await stage.open('alice');
  await openNewChat(page);
  await pick(page, 'text-davinci-002-render-sha');
  await ask(page, 'Is anybody there?');
  await answered(page);
  const notice = lastMessage(page)
    .getByRole('group')
    .filter({ hasText: 'ChatGPT could not be reached. Please try again.' });
  await notice.waitFor();
  await action(notice, 'Try again').click();
  await lastMessage(page).getByText('2 / 2').waitFor();
  await answered(page);
  await notice.waitFor();
});
