import { plainText } from '@parley/scripts/fake-provider/reply-scenarios';
import { textSteps, scriptedStream } from '@parley/scripts/fake-provider/scenario';
import { messageText } from '@parley/schema/messages/messages';
import { expect, test } from 'vitest';
import {
  action,
  answered,
  answerText,
  apiOf,
  ask,
  composer,
  conversation,
  lastMessage,
  messages,
  openId,
  openNewChat,
  send,
  sendButton,
  streaming,
  stopButton,
  wordsOf,
} from '../../support/browser/chat.ts';
import { soon, withApp } from '../../support/browser/app-fixture.ts';

const stage = withApp();

test('a question is asked with Enter, its reply is watched, kept and found again after a reload', async () => {
  const { page } = await stage.open('alice');
  let isOver = false;
  function* untilOver(question: string) {
    yield* textSteps(plainText(question));
    while (!isOver) yield { type: 'wait', ms: 10 } as const;
  }
  const script = ({ question }: { question: string }) => scriptedStream(untilOver(question));
  stage.app.provider.script('held', { about: 'as plain, and ends when the test lets it', script });
  await openNewChat(page);
  await expect(sendButton(page).isDisabled()).resolves.toBe(true);

  await ask(page, 'How do rivers find the sea? [[held]]');
  await soon(() => composer(page).inputValue()).toBe('');
  await stopButton(page).waitFor();
  await lastMessage(page).locator('.cursor').waitFor();
  isOver = true;
  await answered(page);

  const reply = lastMessage(page);
  await soon(() => reply.locator('.cursor').count()).toBe(0);
  await reply.getByRole('blockquote').getByText('How do rivers find the sea?').waitFor();
  await soon(() => reply.locator('strong').allInnerTexts()).toEqual(['plain']);
  await soon(() => reply.getByRole('listitem').allInnerTexts()).toEqual(['one', 'two', 'three']);

  const id = openId(page);
  await conversation(page, 'Rivers Find the Sea').waitFor();
  await soon(() => page.title()).toBe('Rivers Find the Sea · Parley');
  const shown = await wordsOf(page);

  await page.reload();
  await answerText(page).last().getByText('That is all.').waitFor();
  expect(openId(page)).toBe(id);
  await soon(() => wordsOf(page)).toBe(shown);
  await soon(() => page.title()).toBe('Rivers Find the Sea · Parley');
  await soon(() => conversation(page, 'Rivers Find the Sea').getByRole('link').getAttribute('aria-current')).toBe(
    'page',
  );
});

test('a message and a block of code are copied as they were written, which is confirmed for three seconds', async () => {
  const { page, context } = await stage.openElsewhere('alice');
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const clipboard = () => page.evaluate(() => navigator.clipboard.readText());
  const question = 'Say **this**:\n\n```js\nlet a = 1;\n```\n\nand stop [[echo]]';
  await openNewChat(page);
  await send(page, question);
  const reply = lastMessage(page);
  await reply.locator('pre').getByText('let a = 1;').waitFor();
  await answered(page);
  // What passes by itself waits until the test has looked.
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 60_000);
  await action(reply, 'Copy').click();
  await action(reply, 'Copied').waitFor();
  expect(await clipboard()).toBe('let a = 1;');

  await action(reply, 'Copy to clipboard').click();
  await action(reply, 'Copied to clipboard').waitFor();
  expect(await clipboard()).toBe(question);
  await page.clock.runFor(2_900);
  await soon(() => action(reply, 'Copied to clipboard').count()).toBe(1);
  await page.clock.runFor(200);
  await action(reply, 'Copy to clipboard').waitFor();
});

test('a stop keeps what was said, and one can write on', async () => {
  const { page } = await stage.open('alice');
  await openNewChat(page);
  await ask(page, 'Go on [[never-ending]]');
  await streaming(page);
  await stopButton(page).click();
  await answered(page);

  await lastMessage(page).getByText('Stopped.').waitFor();
  const [, stopped] = await (await apiOf(stage.app, 'alice')).messages.list.query({ conversationId: openId(page) });
  const kept = stopped ? messageText(stopped).trim() : '';
  expect(kept).toMatch(/^the answer/);
  await soon(() => answerText(page).first().innerText()).toBe(kept);
  await page.reload();
  await streaming(page);
  await soon(() => answerText(page).first().innerText()).toBe(kept);

  await ask(page, 'And now?');
  await answered(page);
  await answerText(page).getByText('That is all.').waitFor();
  await soon(() => messages(page).count()).toBe(4);
});

test('a question right after a stop with Escape goes on from what was said before it', async () => {
  const { page } = await stage.open('alice');
  await openNewChat(page);
  await ask(page, 'Go on [[never-ending]]');
  await streaming(page);
  await page.keyboard.press('Escape');
  await send(page, 'And right after?');
  await answerText(page).getByText('That is all.').waitFor();
  await answered(page);

  await messages(page).nth(1).getByText('Stopped.').waitFor();
  const [, stopped, ...rest] = await (
    await apiOf(stage.app, 'alice')
  ).messages.list.query({ conversationId: openId(page) });
  expect(rest[0]?.parentMessageId).toBe(stopped?.messageId);
  const heard = stage.app.provider.requests.findLast(({ scenario }) => scenario === 'plain');
  expect(heard?.body).toMatchObject({
    messages: [
      { role: 'user', content: 'Go on [[never-ending]]' },
      { role: 'assistant', content: stopped && messageText(stopped) },
      { role: 'user', content: 'And right after?' },
    ],
  });
});

test('a stop before the first word ends the reply and closes the request to the provider', async () => {
  const { page } = await stage.open('alice');
  await openNewChat(page);
  await ask(page, 'Say nothing [[silent]]');
  await stage.app.provider.waitForRequest(({ scenario }) => scenario === 'silent');
  await stopButton(page).click();
  await answered(page);
  await lastMessage(page).getByText('Stopped.').waitFor();
  await soon(() => stage.app.provider.openStreams()).toBe(0);

  await ask(page, 'Say something');
  await answered(page);
  await answerText(page).getByText('That is all.').waitFor();
});

test('a stop in the moment of sending leaves nothing running', async () => {
  const { page } = await stage.open('alice');
  await openNewChat(page);
  await send(page, 'Never mind [[never-ending]]');
  await page.keyboard.press('Escape');
  await stopButton(page).waitFor({ state: 'detached' });
  await soon(() => stage.app.provider.openStreams()).toBe(0);

  await send(page, 'Something else');
  await answerText(page).getByText('That is all.').waitFor();
  await answered(page);
});

test('Escape stops also after a click beside everything', async () => {
  const { page } = await stage.open('alice');
  await openNewChat(page);
  await ask(page, 'Go on [[never-ending]]');
  await streaming(page);
  await page.getByRole('main').click({ position: { x: 500, y: 5 } });
  await page.keyboard.press('Escape');
  await answered(page);
  await lastMessage(page).getByText('Stopped.').waitFor();
});

test('another reply stands beside the first, and the one last looked at is shown again after a reload', async () => {
  const { page } = await stage.open('alice');
  let answers = 0;
  stage.app.provider.script('numbered', {
    about: 'another answer each time',
    script: () => scriptedStream([{ type: 'text', text: `Answer number ${++answers}` }]),
  });
  await openNewChat(page);
  await ask(page, 'Again? [[numbered]]');
  await answered(page);
  const reply = lastMessage(page);
  await soon(() => reply.getByText(/^\d \/ \d$/).count()).toBe(0);

  await action(reply, 'Regenerate').click();
  await reply.getByText('Answer number 2').waitFor();
  await answered(page);
  await reply.getByText('2 / 2').waitFor();
  await soon(() => messages(page).count()).toBe(2);
  await soon(() => action(reply, 'Next answer').isDisabled()).toBe(true);

  await action(reply, 'Previous answer').click();
  await reply.getByText('Answer number 1').waitFor();
  await reply.getByText('1 / 2').waitFor();
  await action(reply, 'Next answer').click();
  await reply.getByText('Answer number 2').waitFor();
  await action(reply, 'Previous answer').click();

  await page.reload();
  await reply.getByText('Answer number 1').waitFor();
  await reply.getByText('1 / 2').waitFor();
});

test('two quick presses of Enter make one message', async () => {
  const { page } = await stage.open('alice');
  await openNewChat(page);
  await composer(page).fill('Once, please');
  await page.evaluate(() => {
    const box = document.activeElement;
    for (const _ of [1, 2])
      box?.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true }));
  });
  await soon(() => messages(page).count()).toBe(2);
  await answered(page);
  const stored = await (await apiOf(stage.app, 'alice')).messages.list.query({ conversationId: openId(page) });
  expect(stored).toHaveLength(2);
  expect(await messages(page).count()).toBe(2);
});
