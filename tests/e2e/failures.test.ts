// What a person sees when the provider fails, and how they get on.
import { say, speech } from '@parley/scripts/fake-provider/scenario';
import { expect, test } from 'vitest';
import {
  action,
  answered,
  answerText,
  ask,
  composer,
  lastMessage,
  messages,
  openNewChat,
  send,
  sendButton,
  stopButton,
} from './chat.ts';
import { soon, withApp } from './stage.ts';

const stage = withApp({ STREAM_IDLE_TIMEOUT: '1000' });

const failures: { scenario: string; sentence: string; keepsText?: boolean }[] = [
  { scenario: 'error-500', sentence: 'OpenAI is not available at the moment (status 500). Please try again.' },
  {
    scenario: 'error-401',
    sentence: 'OpenAI did not accept the API key of this site. Only who runs the site can mend that;',
  },
  { scenario: 'html-502', sentence: 'OpenAI is not available at the moment (status 502). Please try again.' },
  {
    scenario: 'quota',
    sentence: 'The API key of this site for OpenAI has reached its limit. Only who runs the site can mend that;',
  },
  {
    scenario: 'cut:30',
    sentence: 'The provider broke off in the middle of the answer. What had arrived is kept; you can try again.',
    keepsText: true,
  },
  {
    scenario: 'stall:30',
    sentence: 'The provider said nothing for a second, so the request was ended. You can try again.',
    keepsText: true,
  },
  { scenario: 'empty', sentence: 'The provider sent an empty answer. Please try again.' },
];

test.each(failures)('$scenario: a sentence, a way to try again, and the chat goes on', async (failure) => {
  const { page } = await stage.open('alice');
  await openNewChat(page);
  await ask(page, `Will this work? [[${failure.scenario}]]`);
  await answered(page);
  const notice = lastMessage(page).getByRole('group').filter({ hasText: failure.sentence });
  await notice.waitFor();
  await lastMessage(page).getByText('!', { exact: true }).waitFor();
  if (failure.keepsText) expect(await answerText(page).first().innerText()).toMatch(/^the answer/);
  expect(await composer(page).isDisabled()).toBe(true);
  await page.getByText('The last answer failed.', { exact: false }).waitFor();
  expect(await page.getByRole('button', { name: /Try again|Regenerate/ }).count()).toBe(1);

  await action(notice, 'Try again').click();
  await lastMessage(page).getByText('2 / 2').waitFor();
  await answered(page);
  await notice.waitFor();
  expect(await messages(page).count()).toBe(2);
});

/** Alone, or in one request with others. */
const ASKS = /\/trpc\/[^?]*messages\.ask/;
const REFUSED = /Failed to load resource/;

test.each([
  { status: 500, body: '', told: '500 Internal Server Error' },
  { status: 413, body: '<html><h1>Too large</h1></html>', told: '413 Payload Too Large' },
  { status: 200, body: '<html><h1>Welcome to our hotel</h1></html>', told: '200 OK' },
])('what answers $status in place of the server is told, and the text is kept', async ({ status, body, told }) => {
  const { page, tolerated } = await stage.open('alice');
  tolerated.push(REFUSED);
  await openNewChat(page);
  await page.route(ASKS, (route) => route.fulfill({ status, body, contentType: 'text/html' }));
  await send(page, 'Is anybody there?');
  const sentence = `Unexpected response from server; Status: ${told}`;
  const notice = lastMessage(page).getByRole('group').filter({ hasText: sentence });
  await notice.waitFor();
  expect(await composer(page).inputValue()).toBe('Is anybody there?');
  await page.unroute(ASKS);
  await action(notice, 'Try again').click();
  await answered(page);
  await notice.waitFor({ state: 'detached' });
  expect(await messages(page).count()).toBe(2);
  expect(await composer(page).inputValue()).toBe('');
});

test('a proxy whose server is away is told while the question waits for it', async () => {
  const { page, tolerated } = await stage.open('alice');
  tolerated.push(REFUSED);
  await openNewChat(page);
  await page.route(ASKS, (route) => route.fulfill({ status: 502, body: '<html>', contentType: 'text/html' }));
  await ask(page, 'Is anybody back?');
  const notice = lastMessage(page).getByText('Unexpected response from server; Status: 502 Bad Gateway');
  await notice.waitFor();
  await stopButton(page).click();
  await soon(() => composer(page).inputValue()).toBe('Is anybody back?');
  await sendButton(page).click();
  await notice.waitFor();
  await page.unroute(ASKS);
  await answered(page);
  expect(await answerText(page).last().innerText()).not.toBe('');
  expect(await messages(page).count()).toBe(2);
});

test('the badge of a failure is seen on a phone too', async () => {
  const viewport = { width: 390, height: 844 };
  const { page } = await stage.openElsewhere('alice', { viewport, isMobile: true, hasTouch: true });
  await openNewChat(page);
  await composer(page).fill('Will this work? [[error-500]]');
  await page.getByRole('button', { name: 'Send message' }).tap();
  await lastMessage(page).getByRole('group').waitFor();
  expect(await lastMessage(page).getByText('!', { exact: true }).isVisible()).toBe(true);
});

test('what was said before it broke off can be gone on from', async () => {
  const { page } = await stage.open('alice');
  let turn = 0;
  stage.app.provider.script('breaks', {
    about: 'breaks off the first time',
    play: () => (turn++ === 0 ? speech([...say('Up the hill'), { type: 'cut' }]) : speech(say(' and down.'))),
  });
  await openNewChat(page);
  await ask(page, 'Where to? [[breaks]]');
  await answered(page);
  await action(lastMessage(page), 'Continue').click();
  await answerText(page).getByText('Up the hill and down.').waitFor();
  await answered(page);
  expect(await composer(page).isEnabled()).toBe(true);
  expect(await messages(page).count()).toBe(2);
});

test('a failure is there again after a reload, and a new chat is not touched by it', async () => {
  const { page } = await stage.open('alice');
  await openNewChat(page);
  await ask(page, 'Will this work? [[cut:30]]');
  await answered(page);
  await page.reload();
  await lastMessage(page).getByRole('group').getByText('The provider broke off', { exact: false }).waitFor();
  expect(await composer(page).isDisabled()).toBe(true);
  await openNewChat(page);
  expect(await composer(page).isEnabled()).toBe(true);
});

test('what failed at first and works the second time leaves a chat one can write on in', async () => {
  const { page } = await stage.open('alice');
  await openNewChat(page);
  await ask(page, 'Try harder [[flaky:4]]');
  await answered(page);
  await lastMessage(page).getByRole('group').getByText('(status 503)', { exact: false }).waitFor();
  await soon(async () => {
    const again = action(lastMessage(page), 'Try again');
    if (await again.isVisible()) await again.click();
    return answerText(page).getByText('That is all.').count();
  }).toBe(1);
  await answered(page);
  await send(page, 'Thank you');
  await soon(() => messages(page).count()).toBe(4);
  await answered(page);
});

test.each([
  ['length', 'The answer has reached its greatest length.'],
  ['refusal', "The provider's content filter ended the answer."],
])('what cut an answer is said, and the chat goes on: %s', async (scenario, sentence) => {
  const { page } = await stage.open('alice');
  await openNewChat(page);
  await ask(page, `Tell me all [[${scenario}]]`);
  await answered(page);
  await lastMessage(page).getByText(sentence, { exact: true }).waitFor();
  expect(await composer(page).isEnabled()).toBe(true);
  await ask(page, 'And in short?');
  await answered(page);
  expect(await lastMessage(page).getByText(sentence).count()).toBe(0);
});
