// What a person sees when the provider fails, and how they get on.
import { textSteps, scriptedStream, type Refusal } from '@parley/scripts/fake-provider/scenario';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { someOf, testInFullRun } from '../../support/extent.ts';
import {
  action,
  answered,
  answerText,
  ask,
  composer,
  expectHeldBack,
  lastMessage,
  messages,
  openId,
  openNewChat,
  send,
  sendButton,
  stopButton,
  visit,
} from '../../support/browser/chat.ts';
import { soon, withApp } from '../../support/browser/app-fixture.ts';

const stage = withApp({ STREAM_IDLE_TIMEOUT: '4000', CUSTOM_FOOTER: '' });

/** One of each kind; the integration tests know every failure's reason, and a unit test the sentences of the others. */
const failures: { scenario: string; sentence: string; keepsText?: boolean }[] = [
  { scenario: 'error-500', sentence: 'OpenAI is not available at the moment. Please try again.' },
  {
    scenario: 'quota',
    sentence: 'The default API key of this site for OpenAI has reached its limit.',
  },
  {
    scenario: 'cut:30',
    sentence: 'The provider broke off in the middle of the answer. What had arrived was kept; you can try again.',
    keepsText: true,
  },
  {
    scenario: 'json-200',
    sentence: 'The provider broke off before any of the answer arrived. You can try again.',
  },
  {
    scenario: 'stall:30',
    sentence: 'The provider said nothing for 4 seconds, so the request was ended. You can try again.',
    keepsText: true,
  },
];

test.each(someOf(failures))('$scenario: a sentence, a way to try again, and the chat goes on', async (failure) => {
  const { page } = await stage.open('alice');
  await openNewChat(page);
  await ask(page, `Will this work? [[${failure.scenario}]]`);
  await answered(page);
  const notice = lastMessage(page).getByRole('group').filter({ hasText: failure.sentence });
  await notice.waitFor();
  await lastMessage(page).getByText('!', { exact: true }).waitFor();
  if (failure.keepsText) expect(await answerText(page).first().innerText()).toMatch(/^the answer/);
  await expectHeldBack(page);
  await page.getByText('The last answer failed.', { exact: false }).waitFor();
  await soon(() => page.getByRole('button', { name: /Try again|Regenerate/ }).count()).toBe(1);

  await action(notice, 'Try again').click();
  await lastMessage(page).getByText('2 / 2').waitFor();
  await answered(page);
  await notice.waitFor();
  await soon(() => messages(page).count()).toBe(2);
});

/** Alone, or in one request with others. */
const ASKS = /\/trpc\/[^?]*messages\.ask/;
const REFUSED = /Failed to load resource/;

/** As behind a proxy that answers in place of the server: no socket opens meanwhile, and questions go as requests. */
async function refuseSockets(page: Page): Promise<{ admitSockets(): void }> {
  let admitSockets = () => {};
  const admitted = new Promise<void>((resolve) => (admitSockets = resolve));
  await page.routeWebSocket(/\/trpc\b/, async (socket) => {
    await admitted;
    socket.connectToServer();
  });
  return { admitSockets };
}

test.each(
  someOf([
    {
      status: 500,
      body: '',
      told: "Unexpected response from server; Status: 500 Internal Server Error. The answer did not come from this site's server.",
    },
    {
      status: 413,
      body: '<html><h1>Too large</h1></html>',
      told: 'What you sent is larger than this site allows.',
    },
    {
      status: 200,
      body: '<html><h1>Welcome to our hotel</h1></html>',
      told: "The answer did not come from this site's server.",
    },
  ]),
)('what answers $status in place of the server is told, and the text is kept', async ({ status, body, told }) => {
  const { page, tolerated } = await stage.openElsewhere('alice');
  tolerated.push(REFUSED, /WebSocket/);
  const proxy = await refuseSockets(page);
  await openNewChat(page);
  await soon(() => page.locator('footer').innerText()).toBe('');
  await page.route(ASKS, (route) => route.fulfill({ status, body, contentType: 'text/html' }));
  await send(page, 'Is anybody there?');
  const notice = lastMessage(page).getByRole('group').filter({ hasText: told });
  await notice.waitFor();
  await soon(() => composer(page).inputValue()).toBe('Is anybody there?');
  await page.unroute(ASKS);
  proxy.admitSockets();
  await action(notice, 'Try again').click();
  await answered(page);
  await notice.waitFor({ state: 'detached' });
  await soon(() => messages(page).count()).toBe(2);
  await soon(() => composer(page).inputValue()).toBe('');
});

testInFullRun('a proxy whose server is away is told while the question waits for it', async () => {
  const { page, tolerated } = await stage.openElsewhere('alice');
  tolerated.push(REFUSED, /WebSocket/);
  const proxy = await refuseSockets(page);
  await openNewChat(page);
  await page.route(ASKS, (route) => route.fulfill({ status: 502, body: '<html>', contentType: 'text/html' }));
  await ask(page, 'Is anybody back?');
  const notice = lastMessage(page).getByText("The server can't be reached right now. Please try again.");
  await notice.waitFor();
  await stopButton(page).click();
  await soon(() => composer(page).inputValue()).toBe('Is anybody back?');
  await sendButton(page).click();
  await notice.waitFor();
  await page.unroute(ASKS);
  proxy.admitSockets();
  await answered(page);
  await soon(() => answerText(page).last().innerText()).not.toBe('');
  await soon(() => messages(page).count()).toBe(2);
});

testInFullRun('the badge of a failure is seen on a phone too', async () => {
  const viewport = { width: 390, height: 844 };
  const { page } = await stage.openElsewhere('alice', { viewport, isMobile: true, hasTouch: true });
  await openNewChat(page);
  await composer(page).fill('Will this work? [[error-500]]');
  await page.getByRole('button', { name: 'Send message' }).tap();
  await lastMessage(page).getByRole('group').waitFor();
  await soon(() => lastMessage(page).getByText('!', { exact: true }).isVisible()).toBe(true);
});

test('what broke off is there again after a reload and can be gone on from; a new chat is not touched by it', async () => {
  const { page } = await stage.open('alice');
  let turn = 0;
  stage.app.provider.script('breaks', {
    about: 'breaks off the first time',
    script: () =>
      turn++ === 0
        ? scriptedStream([...textSteps('Up the hill'), { type: 'cut' }])
        : scriptedStream(textSteps(' and down.')),
  });
  await openNewChat(page);
  await ask(page, 'Where to? [[breaks]]');
  await answered(page);
  const id = openId(page);
  await page.reload();
  await lastMessage(page).getByRole('group').getByText('The provider broke off', { exact: false }).waitFor();
  await expectHeldBack(page);
  await openNewChat(page);
  await soon(() => page.getByText(/^The last answer/).count()).toBe(0);

  await visit(page, `/c/${id}`);
  await action(lastMessage(page), 'Continue').click();
  await answerText(page).getByText('Up the hill and down.').waitFor();
  await answered(page);
  await soon(() => page.getByText(/^The last answer/).count()).toBe(0);
  await soon(() => messages(page).count()).toBe(2);
});

test('what failed at first and works the second time leaves a chat one can write on in', async () => {
  const { page } = await stage.open('alice');
  let isWell = false;
  const refused: Refusal = {
    kind: 'refusal',
    status: 503,
    type: 'server_error',
    code: null,
    message: 'Overloaded.',
    headers: {},
  };
  const script = () => (isWell ? scriptedStream(textSteps('There it is.')) : refused);
  stage.app.provider.script('recovers', { about: 'fails until the test lets it answer', script });
  await openNewChat(page);
  await ask(page, 'Try harder [[recovers]]');
  await answered(page);
  await lastMessage(page).getByRole('group').getByText('is not available at the moment', { exact: false }).waitFor();
  isWell = true;
  await action(lastMessage(page), 'Try again').click();
  await answerText(page).getByText('There it is.').waitFor();
  await answered(page);
  await send(page, 'Thank you');
  await soon(() => messages(page).count()).toBe(4);
  await answered(page);
});

test.each(
  someOf([
    ['length', 'The answer has reached its length limit.'],
    ['refusal', "The provider's content filter stopped the answer."],
  ]),
)('what cut an answer is said, and the chat goes on: %s', async (scenario, sentence) => {
  const { page } = await stage.open('alice');
  await openNewChat(page);
  await ask(page, `Tell me all [[${scenario}]]`);
  await answered(page);
  await lastMessage(page).getByText(sentence, { exact: true }).waitFor();
  await soon(() => page.getByText(/^The last answer/).count()).toBe(0);
  await ask(page, 'And in short?');
  await answered(page);
  await soon(() => lastMessage(page).getByText(sentence).count()).toBe(0);
});
