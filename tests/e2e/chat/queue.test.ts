// Questions that wait until the answer ends, and sending after an answer that is not whole.
import { messageText } from '@parley/schema/messages/messages';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { expectAccessible } from '../../support/browser/axe.ts';
import { soon, withApp } from '../../support/browser/app-fixture.ts';
import { startEndlessAnswer } from '../../support/browser/endless-answer.ts';
import { testInFullRun } from '../../support/extent.ts';
import {
  answered,
  answerText,
  apiOf,
  ask,
  composer,
  lastMessage,
  messages,
  openId,
  openNewChat,
  send,
  streaming,
  stopButton,
  visit,
} from '../../support/browser/chat.ts';

const stage = withApp();

const queue = (page: Page) => page.getByRole('region', { name: 'Waiting questions' });
const waiting = (page: Page) => queue(page).getByRole('listitem');

async function enqueue(page: Page, text: string): Promise<void> {
  await composer(page).fill(text);
  await composer(page).press('Enter');
  await waiting(page).filter({ hasText: text }).waitFor();
  await soon(() => composer(page).inputValue()).toBe('');
}

/** Holds the requests of a procedure until the returned function is called. */
async function holdRequests(page: Page, procedure: string): Promise<() => void> {
  let release = () => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  await page.route(`**/trpc/*${procedure}*`, async (route) => {
    await released;
    await route.continue();
  });
  return release;
}

test('questions asked during a reply wait in order, also after a reload and on a phone, and are sent when it ends', async () => {
  const { page } = await stage.open('alice');
  const answer = startEndlessAnswer(stage.app);
  await openNewChat(page);
  await ask(page, `The first ${answer.cue}`);
  await streaming(page);
  const release = await holdRequests(page, 'queue.add');
  await enqueue(page, 'Never mind');
  await enqueue(page, 'The second');
  await enqueue(page, 'The third');
  await enqueue(page, 'The fourth');
  await expectAccessible(page);
  await waiting(page).first().getByRole('button', { name: 'Remove the question' }).click();
  await waiting(page).nth(1).getByRole('button', { name: 'Edit the question' }).click();
  await queue(page).getByRole('textbox').fill('The third, in other words');
  await page.keyboard.press('Enter');
  await waiting(page).nth(2).getByRole('button', { name: 'Remove the question' }).click();
  await soon(() => waiting(page).allInnerTexts()).toEqual(['The second', 'The third, in other words']);
  release();
  const api = await apiOf(stage.app, 'alice');
  const saved = async () => (await api.queue.list.query()).map(({ text }) => text);
  await soon(saved).toEqual(['The second', 'The third, in other words']);

  await page.reload();
  await soon(() => waiting(page).allInnerTexts()).toEqual(['The second', 'The third, in other words']);
  const { page: phone } = await stage.open('alice', 'phone');
  await visit(phone, `/c/${openId(page)}`);
  await soon(() => waiting(phone).count()).toBe(2);

  answer.end();
  const texts = async () => {
    const stored = await api.messages.list.query({ conversationId: openId(page) });
    return stored.filter(({ isCreatedByUser }) => isCreatedByUser).map((message) => messageText(message));
  };
  await soon(texts).toEqual([expect.stringContaining('The first'), 'The second', 'The third, in other words']);
  for (const one of [page, phone]) {
    await messages(one).filter({ hasText: 'The third, in other words' }).first().waitFor();
    await answered(one);
    await soon(() => waiting(one).count()).toBe(0);
  }
});

testInFullRun('a question asked before the code of the queue has loaded waits, too', async () => {
  const { page } = await stage.openElsewhere('frank');
  let release = () => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  await page.route('**/assets/later-*.js', async (route) => {
    await released;
    await route.continue();
  });
  await openNewChat(page);
  await ask(page, 'Talk on [[never-ending]]');
  await streaming(page);
  await composer(page).fill('And then?');
  await composer(page).press('Enter');
  await soon(() => composer(page).inputValue()).toBe('And then?');
  release();
  await waiting(page).filter({ hasText: 'And then?' }).waitFor();
  await soon(() => composer(page).inputValue()).toBe('');
  await stopButton(page).click();
});

test('a question asked while the first one of its chat is on its way waits, too', async () => {
  const { page } = await stage.openElsewhere('grace');
  let release = () => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  let isHeld = false;
  await page.routeWebSocket(/\/trpc/, (socket) => {
    const server = socket.connectToServer();
    socket.onMessage(async (message) => {
      if (isHeld) await released;
      server.send(message);
    });
  });
  await page.route('**/trpc/*messages.ask*', async (route) => {
    await released;
    await route.continue();
  });
  await openNewChat(page);
  isHeld = true;
  await send(page, 'The first of all');
  await stopButton(page).waitFor();
  await enqueue(page, 'And the second');
  // What the server refuses comes back with a notice.
  await page.waitForTimeout(500);
  expect(await page.getByTestId('toast').count()).toBe(0);
  expect(await waiting(page).allInnerTexts()).toEqual(['And the second']);
  release();
  await soon(() => messages(page).count()).toBe(4);
  await answered(page);
  expect(await composer(page).inputValue()).toBe('');
});

test('a waiting question is sent also while its person looks at another chat, but not while they edit it', async () => {
  const { page } = await stage.open('alice');
  const api = await apiOf(stage.app, 'alice');
  const answer = startEndlessAnswer(stage.app);
  await openNewChat(page);
  await ask(page, `Talk on ${answer.cue}`);
  await streaming(page);
  await enqueue(page, 'Sent from elsewhere');
  const conversationId = openId(page);
  await soon(async () => (await api.queue.list.query()).length).toBe(1);
  const told = (isHeld: boolean) =>
    page.waitForRequest(
      (request) => request.url().includes('queue.hold') && request.postData()?.includes(`"isHeld":${isHeld}`) === true,
    );
  const holding = told(true);
  await waiting(page).getByRole('button', { name: 'Edit the question' }).click();
  await holding;
  answer.end();
  await answered(page);
  const letting = told(false);
  await openNewChat(page);
  await letting;
  const thread = async () => (await api.messages.list.query({ conversationId })).map((message) => messageText(message));
  await soon(thread).toContain('Sent from elsewhere');
  await soon(() => api.queue.list.query()).toEqual([]);
});

test('after a stopped reply a question waits for its person, who sends it by the keyboard', async () => {
  const { page } = await stage.open('alice');
  await openNewChat(page);
  await ask(page, 'Talk on [[never-ending]]');
  await streaming(page);
  await enqueue(page, 'What about this?');
  await stopButton(page).click();
  await answered(page);
  await queue(page).getByText("The last answer isn't complete.", { exact: false }).waitFor();
  await soon(() => messages(page).count()).toBe(2);
  await waiting(page).getByRole('button', { name: 'Send now' }).focus();
  await page.keyboard.press('Enter');
  await soon(() => messages(page).count()).toBe(4);
  await answered(page);
  await soon(() => queue(page).count()).toBe(0);
});

test('after a reply that failed one can type on and send anyway', async () => {
  const { page } = await stage.open('alice');
  await openNewChat(page);
  await ask(page, 'Will this work? [[cut:30]]');
  await answered(page);
  await composer(page).fill('Never mind, something else');
  await composer(page).press('Enter');
  await soon(() => messages(page).count()).toBe(2);
  await page.getByTestId('send-anyway').waitFor();
  const middles = () =>
    page
      .locator(':is([data-testid=add-button], [data-testid=send-anyway], [data-testid=send-button])')
      .evaluateAll((buttons) =>
        buttons.map((button) => {
          const { top, height } = button.getBoundingClientRect();
          return top + height / 2;
        }),
      );
  await soon(async () => (await middles()).length).toBe(3);
  // All in one row.
  await soon(async () => Math.max(...(await middles())) - Math.min(...(await middles()))).toBeLessThan(12);
  await page.getByTestId('send-anyway').click();
  await soon(() => messages(page).count()).toBe(4);
  await answered(page);
  await answerText(page).last().waitFor();
  await soon(() => lastMessage(page).getByTestId('message-error').count()).toBe(0);

  await composer(page).focus();
  await page.keyboard.press('ArrowUp');
  await soon(() => page.evaluate(() => (document.activeElement as HTMLTextAreaElement | null)?.value)).toBe(
    'Never mind, something else',
  );
});
