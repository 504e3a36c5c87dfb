// What must not be lost when the network or the server goes away.
import { messageText } from '@parley/schema/messages/messages';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createNetwork, type Network } from '../../support/browser/network.ts';
import {
  action,
  answered,
  answerText,
  apiOf,
  ask,
  composer,
  expectHeldBack,
  lastMessage,
  messages,
  NO_NETWORK,
  openId,
  openNewChat,
  send,
  streaming,
  stopButton,
  thread,
} from '../../support/browser/chat.ts';
import { startEndlessAnswer, type EndlessAnswer } from '../../support/browser/endless-answer.ts';
import { testInFullRun } from '../../support/extent.ts';
import { soon, withApp } from '../../support/browser/app-fixture.ts';

const stage = withApp();
let cable: Network;

beforeAll(async () => {
  cable = await createNetwork(stage.app.url);
});
afterAll(() => cable.close());

test('a reply goes on after a spell without network, and nothing of it is lost', async () => {
  const { page, context, tolerated } = await stage.open('alice');
  tolerated.push(NO_NETWORK);
  const monologue = startEndlessAnswer(stage.app);
  await openNewChat(page);
  await ask(page, `Talk while I am in the tunnel ${monologue.cue}`);
  await streaming(page);
  await context.setOffline(true);
  await page.getByText('You are offline').waitFor();
  await context.setOffline(false);
  await page.getByText('You are offline').waitFor({ state: 'detached' });
  monologue.end();
  await answered(page);
  await expectSaid(page, monologue);
});

test('a reply goes on after the connection was cut; a question asked meanwhile survives a reload and goes once', async () => {
  const { page, tolerated } = await stage.openElsewhere('alice', { baseURL: cable.url });
  tolerated.push(NO_NETWORK);
  const monologue = startEndlessAnswer(stage.app);
  await openNewChat(page);
  await ask(page, `Talk while the line is down ${monologue.cue}`);
  await streaming(page);
  cable.pull();
  await page.getByText('Reconnecting…').waitFor();
  cable.plug();
  await page.getByText('Reconnecting…').waitFor({ state: 'detached' });
  monologue.end();
  await answered(page);
  await expectSaid(page, monologue);

  cable.pull();
  await ask(page, 'Through the cut');
  await lastMessage(page).getByText('Not sent yet: waiting for the connection.').waitFor();
  cable.plug();
  await page.reload();
  await thread(page).getByText('Through the cut').first().waitFor();
  await answerText(page).getByText('That is all.').waitFor();
  await answered(page);
  expect((await storedTexts(openId(page))).filter((text) => text === 'Through the cut')).toHaveLength(1);
});

test('a question sent without network waits and goes once, and the word of it covers nothing that was said', async () => {
  const { page, context, tolerated } = await stage.open('alice');
  tolerated.push(NO_NETWORK);
  await openNewChat(page);
  await ask(page, 'Before the tunnel');
  await answered(page);
  await context.setOffline(true);
  await ask(page, 'In the tunnel');
  await lastMessage(page).getByText('Not sent yet: waiting for the connection.').waitFor();
  await soon(() => composer(page).inputValue()).toBe('');
  for (const width of [390, 1280]) {
    await page.setViewportSize({ width, height: 720 });
    // A header of another width takes its place some frames later.
    await soon(async () => {
      const notice = await page.getByRole('status').getByText('You are offline').boundingBox();
      const said = await thread(page).boundingBox();
      return notice && said && notice.y >= 0 && notice.y + notice.height <= said.y;
    }).toBe(true);
  }
  await context.setOffline(false);
  await answerText(page).getByText('That is all.').waitFor();
  await answered(page);
  expect((await storedTexts(openId(page))).filter((text) => text === 'In the tunnel')).toHaveLength(1);
  await soon(() => messages(page).count()).toBe(4);
});

test('a question whose answer from the server is lost is asked once all the same', async () => {
  const { page, tolerated } = await stage.openElsewhere('alice');
  tolerated.push(/ERR_FAILED/, /WebSocket/);
  await loseFirstAcceptance(page);
  await openNewChat(page);
  const question = 'Did you hear me?';
  await ask(page, question);
  await answered(page);
  await answerText(page).getByText('That is all.').waitFor();
  const heard = stage.app.provider.requests.filter(
    ({ body, scenario }) => scenario === 'plain' && JSON.stringify(body).includes(question),
  );
  expect(heard).toHaveLength(1);
  expect(await storedTexts(openId(page))).toHaveLength(2);
});

testInFullRun(
  'what has not been fetched when the network goes leaves the page as it is, and comes with the network',
  async () => {
    const { page, context, tolerated } = await stage.open('alice');
    tolerated.push(NO_NETWORK, /net::ERR_FAILED/, /could not be fetched/);
    await openNewChat(page);
    await ask(page, 'Before the tunnel');
    await answered(page);
    // Nothing of it has come ahead.
    const later = /\/assets\/(ahead|message-edit)-/;
    await page.route(later, (route) => route.abort());
    await page.reload();
    await streaming(page);
    await composer(page).pressSequentially('A whole sentence');
    await action(lastMessage(page), 'Edit').click();
    const notice = page.getByTestId('toast').filter({ hasText: "couldn't be loaded" });
    await notice.first().waitFor();
    const user = page.getByRole('button', { name: /alice/i });
    await user.click();
    await soon(() => user.getAttribute('aria-expanded')).toBe('false');
    await soon(() => composer(page).inputValue()).toBe('A whole sentence');

    await page.unroute(later);
    await context.setOffline(true);
    await context.setOffline(false);
    await lastMessage(page).getByRole('textbox').waitFor();
    await user.click();
    await page.getByRole('menuitem', { name: 'Settings' }).waitFor();
  },
);

test('a draft survives a reload', async () => {
  const { page } = await stage.open('alice');
  await openNewChat(page);
  await composer(page).fill('A long thought, not finished');
  await page.reload();
  await soon(() => composer(page).inputValue()).toBe('A long thought, not finished');
  await composer(page).fill('');
});

test('broken storage does not keep anybody from chatting', async () => {
  const { page } = await stage.open('alice');
  // An address of the same origin without the app, which would write its own values when it is left.
  await page.goto('/health');
  await page.evaluate(() => {
    for (const key of [
      'lastConversationSetup',
      'lastSelectedModel',
      'filesToDelete',
      'navVisible',
      'branches',
      'color-theme',
    ])
      localStorage.setItem(key, '{"broken');
  });
  await page.goto('/c/new');
  await openNewChat(page);
  await ask(page, 'All the same');
  await answered(page);
  await page.evaluate(() => localStorage.clear());
});

test('when the server is killed in mid-answer and started again, the page recovers by itself and keeps the text', async () => {
  const { page, tolerated } = await stage.open('alice');
  tolerated.push(NO_NETWORK, /WebSocket/);
  await openNewChat(page);
  await ask(page, 'Talk until the lights go out [[never-ending]]');
  await answerText(page).getByText('60.').waitFor();
  const seen = await answerText(page).innerText();
  // A word is written within a quarter of a second, or later on a busy machine; what is not may be gone.
  await soon(async () => (await storedTexts(openId(page)))[1]?.trim().length).toBeGreaterThanOrEqual(seen.length);
  await stage.app.restart('SIGKILL');

  await lastMessage(page).getByText('The response is incomplete;', { exact: false }).waitFor();
  await answered(page);
  const kept = await answerText(page).first().innerText();
  expect(kept.startsWith(seen)).toBe(true);
  await expectHeldBack(page);

  await action(lastMessage(page), 'Try again').click();
  await stopButton(page).click();
  await answered(page);
  await lastMessage(page).getByText('2 / 2').waitFor();
  await send(page, 'On we go');
  await answerText(page).getByText('That is all.').waitFor();
});

async function storedTexts(conversationId: string): Promise<string[]> {
  const api = await apiOf(stage.app, 'alice');
  return (await api.messages.list.query({ conversationId })).map(messageText);
}

async function expectSaid(page: Page, monologue: EndlessAnswer): Promise<void> {
  const [question, answer] = await storedTexts(openId(page));
  expect(question).toContain(monologue.cue);
  expect(answer).toBe(monologue.said());
  await soon(() => answerText(page).allInnerTexts()).toEqual([monologue.said().trim()]);
}

/** Cuts whatever carries the first question, a socket or a request, when the server's word that it has it arrives. */
async function loseFirstAcceptance(page: Page): Promise<void> {
  let isLost = false;
  await page.route('**/trpc/*messages.ask*', async (route) => {
    if (isLost) return route.continue();
    isLost = true;
    await route.fetch();
    await route.abort();
  });
  await page.routeWebSocket(/\/trpc\b/, (client) => {
    const server = client.connectToServer();
    let asked: unknown;
    client.onMessage((message) => {
      const { id, params } = parsed(message);
      if (params?.path === 'messages.ask') asked = id;
      server.send(message);
    });
    server.onMessage((message) => {
      const isAcceptance = asked !== undefined && parsed(message).id === asked;
      if (isLost || !isAcceptance) return client.send(message);
      isLost = true;
      void client.close({ code: 1011 });
    });
  });
}

function parsed(message: string | Buffer): { id?: unknown; params?: { path?: string } } {
  const text = String(message);
  return text.startsWith('{') ? (JSON.parse(text) as ReturnType<typeof parsed>) : {};
}
