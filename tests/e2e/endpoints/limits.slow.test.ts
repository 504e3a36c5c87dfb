// What a person reads who asks too much, has too little or is banned, and how they get on.
import { randomUUID } from 'node:crypto';
import { connect } from '@parley/db/client';
import { findUserByEmail } from '@parley/server/auth/users';
import { addCredits } from '@parley/server/billing/balances';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { PASSWORD } from '../../support/browser/app.ts';
import { expectAccessible } from '../../support/browser/axe.ts';
import {
  action,
  answered,
  apiOf,
  ask,
  composer,
  lastMessage,
  openNewChat,
  send,
  sendButton,
  streaming,
  stopButton,
} from '../../support/browser/chat.ts';
import { soon, withApp } from '../../support/browser/app-fixture.ts';

const REFUSED = /Failed to load resource/;
const stage = withApp({
  LIMIT_CONCURRENT_MESSAGES: 'true',
  LIMIT_MESSAGE_USER: 'true',
  MESSAGE_USER_MAX: '4',
  MESSAGE_USER_WINDOW: '1440',
  BAN_VIOLATIONS: 'true',
  CHECK_BALANCE: 'true',
});

test('a failed stop is reported; a second answer meanwhile is refused, and works once the first has ended', async () => {
  const { page } = await enter('alice');
  await ask(page, 'Never stop [[never-ending]]');
  await streaming(page);
  // Alone, or in one request with others.
  const stops = /\/trpc\/[^?]*messages\.abort/;
  await page.route(stops, (route) => route.fulfill({ status: 500, body: '<html>' }));
  await stopButton(page).click();
  await page
    .getByTestId('toast')
    .getByText("The answer did not come from this site's server. Check your connection and try again.")
    .waitFor();
  await stopButton(page).waitFor();
  await page.unroute(stops);

  const busy = page.url();
  await openNewChat(page);
  await send(page, 'And another one?');
  await refusal(
    page,
    'Only 1 message(s) at a time. Please allow any other responses to complete before sending another message, or wait one minute.',
  );
  await soon(() => composer(page).inputValue()).toBe('And another one?');
  await page.goto(busy);
  await stopButton(page).click();
  await answered(page);
  await openNewChat(page);
  await send(page, 'And another one?');
  await lastMessage(page).getByText('That is all.').waitFor();
});

test('beyond the message limit the page shows the limit and when it ends', async () => {
  const { page } = await enter('bob');
  for (let n = 1; n <= 4; n++) {
    await ask(page, `Question ${n}`);
    await answered(page);
  }
  await send(page, 'One too many');
  const notice = await refusal(page, 'You hit the message limit. You have a cap of 4 message(s) per 1,440 minute(s).');
  const again = notice.getByRole('button', { name: /^Try again (from|in)/ });
  await soon(() => again.isDisabled()).toBe(true);
  await soon(() => composer(page).inputValue()).toBe('One too many');
});

test('with an empty balance the page shows the numbers; after adding credits the chat continues and spends them', async () => {
  const { page } = await enter('dave', 0);
  await send(page, 'Hello');
  const notice = await refusal(
    page,
    /^Insufficient Funds! Balance: \$0\.00\. Prompt tokens: \d+\. Cost: \$[\d.]+\. Ask the administrator/,
  );
  expect(await balanceOn(page)).toBe('Balance: $0.00');
  await give('dave', 100_000);
  await soon(() => balanceOn(page)).toBe('Balance: $0.10');
  // Nothing changes before there are credits: the question waits in the box.
  await soon(() => action(notice, 'Try again').count()).toBe(0);
  await sendButton(page).click();
  await lastMessage(page).getByText('That is all.').waitFor();
  await answered(page);
  await soon(() => balanceOn(page)).toMatch(/^Balance: \$0\.(?:10|09)$/);
});

test('a provider that is rate limiting is retried after its wait', async () => {
  const { page } = await enter('dave');
  await ask(page, 'Slowly [[error-429]]');
  const notice = await refusal(page, 'The provider is receiving too many requests. Please try again in 7 seconds.');
  const button = notice.getByRole('button', { name: /^Try again/ });
  await soon(() => button.innerText()).toMatch(/^Try again in 0:0\d$/);
  await soon(() => button.isDisabled()).toBe(true);
  await soon(() => button.innerText()).toBe('Try again');
  await soon(() => button.isEnabled()).toBe(true);
});

test('a banned user is signed out within seconds and sees the reason on the sign-in page', async () => {
  const visit = await stage.openElsewhere('frank');
  const { page } = visit;
  visit.tolerated.push(REFUSED, /WebSocket/);
  await openNewChat(page);
  const frank = await apiOf(stage.app, 'frank');
  for (let n = 0; n < 4; n++) await expect(frank.messages.ask.mutate(badAsk())).rejects.toThrow('illegal_model');
  await page.waitForURL('**/login');
  const sentence = page.getByText(
    /^Your account has been temporarily banned due to violations of our service\. It opens again on .+\.$/,
  );
  await sentence.waitFor();
  await expectAccessible(page);
  await page.reload();
  await sentence.waitFor();
  await page.goto('/c/new');
  await sentence.waitFor();
  await page.getByLabel('Email', { exact: false }).fill('frank@example.com');
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByTestId('login-button').click();
  await sentence.waitFor();
});

/** A person with these credits more, on a new chat. */
async function enter(name: string, credits = 10_000_000) {
  const visit = await stage.open(name);
  visit.tolerated.push(REFUSED);
  if (credits > 0) await give(name, credits);
  await openNewChat(visit.page);
  return visit;
}

async function give(name: string, credits: number): Promise<void> {
  const db = connect(stage.app.database, { max: 1 });
  const user = await findUserByEmail(db, `${name}@example.com`);
  await addCredits(db, user?.id ?? '', credits);
  await db.end();
}

/** The notice on screen with this text. */
async function refusal(page: Page, sentence: string | RegExp) {
  const notice = page.getByTestId('message-error').filter({ has: page.getByText(sentence) });
  await notice.waitFor();
  await sendButton(page).or(stopButton(page)).first().waitFor();
  return notice;
}

/** The text of the menu, opened anew. */
async function balanceOn(page: Page): Promise<string> {
  await page.getByTestId('nav-user').click();
  const line = page.getByTestId('nav-balance');
  await line.filter({ hasText: /\d/ }).waitFor();
  const text = await line.innerText();
  await page.keyboard.press('Escape');
  await line.waitFor({ state: 'detached' });
  return text;
}

function badAsk() {
  const ids = { generationId: randomUUID(), conversationId: randomUUID(), replyId: randomUUID() };
  const target = { kind: 'send' as const, messageId: randomUUID(), parentMessageId: null, text: 'Hello' };
  return { ...ids, endpoint: 'openAI', model: 'gpt-9', settings: {}, target };
}
