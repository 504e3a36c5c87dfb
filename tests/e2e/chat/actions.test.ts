// What can be done to a message, by hand and by key.
import { textSteps, scriptedStream } from '@parley/scripts/fake-provider/scenario';
import { messageText } from '@parley/schema/messages/messages';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { expectAccessible } from '../../support/browser/axe.ts';
import {
  action,
  answered,
  answerText,
  apiOf,
  ask,
  composer,
  conversation,
  expectHeldBack,
  lastMessage,
  messages,
  openId,
  openNewChat,
  openThread,
  streaming,
  stopButton,
  visit,
} from '../../support/browser/chat.ts';
import { focused, goTo } from '../../support/browser/keyboard.ts';
import { delayTimers, soon, withApp } from '../../support/browser/app-fixture.ts';
import { themes, inFullRun, testInFullRun } from '../../support/extent.ts';

const stage = withApp();

const TWO_EXCHANGES = ['First question', 'First answer', 'Second question', 'Second answer'];

test('a question is edited and saved: its text changes, its reply stays', async () => {
  const { page } = await stage.open('alice');
  await talk(page, 'Where do swallows go?');
  await openEditor(page, 0);
  await soon(() => editor(page).inputValue()).toBe('Where do swallows go?');
  await editor(page).fill('Where do swifts go?');
  await button(page, 'Save').click();

  await messages(page).nth(0).getByText('Where do swifts go?').waitFor();
  await editor(page).waitFor({ state: 'detached' });
  await answerText(page).getByText('That is all.').waitFor();
  await soon(() => messages(page).count()).toBe(2);
  await soon(async () => (await stored(page)).map(messageText)[0]).toBe('Where do swifts go?');
});

test('a question is edited and asked beside the old one', async () => {
  const { page } = await stage.open('alice');
  await talk(page, 'Where do swallows go?');
  await openEditor(page, 0);
  await editor(page).fill('Where do storks go?');
  await button(page, 'Save and submit').click();

  await messages(page).nth(0).getByText('Where do storks go?').waitFor();
  await lastMessage(page).getByRole('blockquote').getByText('Where do storks go?').waitFor();
  await answered(page);
  const question = messages(page).nth(0);
  await question.hover();
  await question.getByText('2 / 2').waitFor();
  await action(question, 'Previous answer').click();
  await question.getByText('Where do swallows go?').waitFor();
  await lastMessage(page).getByRole('blockquote').getByText('Where do swallows go?').waitFor();
});

test('an edit is left by Cancel and by Escape, which stops nothing, and what was typed can be had back', async () => {
  const { page } = await stage.open('alice');
  await openThread(stage.app, 'alice', page, ['Where do swallows go?', 'South.']);
  await ask(page, 'Go on [[never-ending]]');
  await streaming(page);
  await openEditor(page, 0);
  await editor(page).fill('Where do swifts go in winter?');
  await page.keyboard.press('Escape');
  await editor(page).waitFor({ state: 'detached' });
  await messages(page).nth(0).getByText('Where do swallows go?').waitFor();
  await soon(() => stopButton(page).count()).toBe(1);

  await undo(page, 'Changes discarded.');
  await soon(() => editor(page).inputValue()).toBe('Where do swifts go in winter?');
  await soon(() => button(page, 'Save and submit').isDisabled()).toBe(true);
  await button(page, 'Cancel').click();
  await editor(page).waitFor({ state: 'detached' });
  await stopButton(page).click();
  await answered(page);
});

testInFullRun('an edit that cannot be saved is back in its editor, with a word', async () => {
  const { page, tolerated } = await stage.open('alice');
  await openThread(stage.app, 'alice', page, ['Where do swallows go?', 'South.']);
  tolerated.push(/Failed to load resource/);
  await page.route('**/trpc/*messages.edit*', (route) => route.abort());
  await openEditor(page, 0);
  await editor(page).fill('Where do swifts go?');
  await button(page, 'Save').click();
  await page.getByText('Error connecting to server.', { exact: false }).waitFor();
  await soon(() => editor(page).inputValue()).toBe('Where do swifts go?');
  await page.unroute('**/trpc/*messages.edit*');
  await button(page, 'Save').click();
  await soon(async () => (await stored(page)).map(messageText)[0]).toBe('Where do swifts go?');
  await editor(page).waitFor({ state: 'detached' });
});

testInFullRun('an edit whose saving was not answered is in its editor after a reload', async () => {
  const { page } = await stage.open('alice');
  await openThread(stage.app, 'alice', page, ['Where do swallows go?', 'South.']);
  await page.route('**/trpc/*messages.edit*', () => {});
  await openEditor(page, 0);
  await editor(page).fill('Where do swifts go?');
  await button(page, 'Save').click();
  await messages(page).nth(0).getByText('Where do swifts go?').waitFor();
  await soon(() => editor(page).count()).toBe(0);
  await page.reload();
  await editor(page).waitFor();
  await soon(() => editor(page).inputValue()).toBe('Where do swifts go?');
  await page.unroute('**/trpc/*messages.edit*');
  await button(page, 'Save').click();
  await soon(async () => (await stored(page)).map(messageText)[0]).toBe('Where do swifts go?');
  await editor(page).waitFor({ state: 'detached' });
});

testInFullRun('an edit that is being saved can be opened again, and stays open when it has been saved', async () => {
  const { page } = await stage.open('alice');
  await openThread(stage.app, 'alice', page, ['Where do swallows go?', 'South.']);
  let answer = () => {};
  const held = new Promise<void>((resolve) => (answer = resolve));
  await page.route('**/trpc/*messages.edit*', (route) => held.then(() => route.continue()));
  await openEditor(page, 0);
  await editor(page).fill('Where do swifts go?');
  await button(page, 'Save').click();
  await editor(page).waitFor({ state: 'detached' });

  await openEditor(page, 0);
  await soon(() => editor(page).inputValue()).toBe('Where do swifts go?');
  await page.keyboard.press('Escape');
  await messages(page).nth(0).getByText('Where do swifts go?').waitFor();
  await soon(() => page.getByText('Changes discarded.').count()).toBe(0);

  await openEditor(page, 0);
  await editor(page).fill('Where do cranes go?');
  answer();
  await soon(async () => (await stored(page)).map(messageText)[0]).toBe('Where do swifts go?');
  await soon(() => editor(page).inputValue()).toBe('Where do cranes go?');
  await button(page, 'Save').click();
  await soon(async () => (await stored(page)).map(messageText)[0]).toBe('Where do cranes go?');
  await editor(page).waitFor({ state: 'detached' });
  await page.unrouteAll({ behavior: 'wait' });
});

testInFullRun('what was saved stays on screen when the server has it, however late timers are', async () => {
  const { page } = await stage.open('alice');
  await openThread(stage.app, 'alice', page, ['Where do swallows go?', 'South.']);
  await openEditor(page, 0);
  await editor(page).fill('Where do swifts go?');
  const timers = await delayTimers(page);
  const saved = page.waitForResponse('**/trpc/*messages.edit*');
  await button(page, 'Save').click();
  await messages(page).nth(0).getByText('Where do swifts go?').waitFor();
  // Everything that is drawn from here on.
  await page.evaluate(`{
    const shown = (window.shown = new Set());
    const look = () => {
      shown.add(document.querySelector('[role=log] article').textContent.includes('swallows'));
      if (window.shown === shown) requestAnimationFrame(look);
    };
    look();
  }`);
  await (await saved).finished();
  await timers.settled();
  expect(await page.evaluate(`[...window.shown]`)).toEqual([false]);
  await timers.restore();
  await page.evaluate(`window.shown = undefined`);
});

test('a reply that is edited and saved says so, also after a reload, which an edit in progress survives', async () => {
  const { page } = await stage.open('alice');
  await talk(page, 'Where do swallows go?');
  await openEditor(page, 1);
  await editor(page).fill('They go **south**.');
  await button(page, 'Save').click();
  await lastMessage(page).locator('strong').getByText('south').waitFor();
  await lastMessage(page).getByText('edited').waitFor();
  await soon(async () => (await stored(page)).map(messageText)[1]).toBe('They go **south**.');
  await openEditor(page, 0);
  await editor(page).fill('Half of a better question');
  await page.reload();
  await lastMessage(page).getByText('edited').waitFor();
  await editor(page).waitFor();
  await soon(() => editor(page).inputValue()).toBe('Half of a better question');
  await button(page, 'Cancel').click();
});

test('an edited answer is gone on from, beside the old one', async () => {
  const { page } = await stage.open('alice');
  stage.app.provider.script('onwards', { about: 'goes on', script: () => scriptedStream(textSteps(' to Africa.')) });
  await talk(page, 'Where do swallows go? [[onwards]]');
  await openEditor(page, 1);
  await editor(page).fill('They fly');
  await button(page, 'Save and submit').click();
  await answerText(page).getByText('They fly to Africa.').waitFor();
  await answered(page);
  await lastMessage(page).getByText('2 / 2').waitFor();

  const heard = stage.app.provider.requests.findLast(({ scenario }) => scenario === 'onwards');
  expect(heard?.body).toMatchObject({
    messages: [
      { role: 'user', content: 'Where do swallows go? [[onwards]]' },
      { role: 'assistant', content: 'They fly' },
    ],
  });
  await action(lastMessage(page), 'Previous answer').click();
  await answerText(page).getByText('to Africa.', { exact: true }).waitFor();
});

test('a reply that was cut off is continued in place, until it has come to its end', async () => {
  const { page } = await stage.open('alice');
  let turn = 0;
  stage.app.provider.script('halves', {
    about: 'half an answer each time',
    script: () =>
      turn++ === 0
        ? scriptedStream(textSteps('The first half,'), { finish: 'length' })
        : scriptedStream(textSteps(' and the second.')),
  });
  await talk(page, 'Say it all [[halves]]');
  await action(lastMessage(page), 'Continue').click();
  await answerText(page).getByText('The first half, and the second.').waitFor();
  await answered(page);
  await soon(() => messages(page).count()).toBe(2);
  await soon(() => action(lastMessage(page), 'Continue').count()).toBe(0);
  expect(
    await lastMessage(page)
      .getByText(/\d \/ \d/)
      .count(),
  ).toBe(0);
  expect((await stored(page)).map(messageText)[1]).toBe('The first half, and the second.');
});

test('a stopped reply is continued, and a stop of that keeps all', async () => {
  const { page } = await stage.open('alice');
  await openNewChat(page);
  await ask(page, 'Go on [[never-ending]]');
  await streaming(page);
  await stopButton(page).click();
  await answered(page);
  const first = await answerText(page).first().innerText();
  await action(lastMessage(page), 'Continue').click();
  await stopButton(page).waitFor();
  await soon(async () => (await answerText(page).first().innerText()).length).toBeGreaterThan(first.length);
  await stopButton(page).click();
  await answered(page);
  await soon(() => answerText(page).first().innerText()).toContain(first);
});

test('a message alone, or a branch from it on, is deleted; undo brings either back', async () => {
  const { page } = await stage.open('alice');
  await openThread(stage.app, 'alice', page, TWO_EXCHANGES);
  await openMenu(page, 2);
  await page.getByRole('menuitem', { name: 'Delete this message' }).click();
  await page.getByText('The message was deleted.').waitFor();
  await soon(() => messages(page).count()).toBe(3);
  await messages(page).nth(2).getByText('Second answer').waitFor();
  await soon(() => focused(page)).not.toBe('body');
  await undo(page, 'The message was deleted.');
  await soon(() => messages(page).count()).toBe(4);
  await messages(page).nth(2).getByText('Second question').waitFor();

  await openMenu(page, 2);
  await page.getByRole('menuitem', { name: 'Delete from here on' }).click();
  await page.getByText('2 messages were deleted.').waitFor();
  await soon(() => messages(page).count()).toBe(2);
  await undo(page, '2 messages were deleted.');
  await soon(() => messages(page).count()).toBe(4);
});

testInFullRun(
  'what is being written stays on screen when a message above it is deleted, and when it comes back',
  async () => {
    const { page } = await stage.open('alice');
    await openThread(stage.app, 'alice', page, ['Where do swallows go?', 'South.']);
    await ask(page, 'And storks? [[never-ending]]');
    await streaming(page);
    await openMenu(page, 1);
    await page.getByRole('menuitem', { name: 'Delete this message' }).click();
    await soon(() => messages(page).count()).toBe(3);
    await messages(page).nth(1).getByText('And storks?').waitFor();
    await stopButton(page).waitFor();
    await undo(page, 'The message was deleted.');
    await soon(() => messages(page).count()).toBe(4);
    await messages(page).nth(2).getByText('And storks?').waitFor();
    await stopButton(page).click();
    await answered(page);
    await soon(() => messages(page).count()).toBe(4);
  },
);

testInFullRun(
  'a question whose answer was deleted is answered again; the trash says what conversation the answer was of',
  async () => {
    const { page } = await stage.open('alice');
    await talk(page, 'Echoes of the valley');
    await soon(() => action(messages(page).nth(0), 'Answer again').count()).toBe(0);
    await page.getByRole('link', { name: 'Echoes of the Valley', exact: true }).waitFor();
    await openMenu(page, 1);
    await page.getByRole('menuitem', { name: 'Delete this message' }).click();
    await soon(() => messages(page).count()).toBe(1);
    await page.getByRole('button', { name: 'alice example' }).click();
    await page.getByRole('menuitem', { name: 'Recently deleted' }).click();
    const trash = page.getByRole('dialog', { name: 'Recently deleted' });
    await trash.getByText(/^Message · Echoes of the Valley · deleted/).waitFor();
    await page.keyboard.press('Escape');
    await trash.waitFor({ state: 'detached' });

    await action(lastMessage(page), 'Answer again').click();
    await answered(page);
    await soon(() => messages(page).count()).toBe(2);
    await answerText(page).first().waitFor();
    expect((await stored(page)).map(({ isCreatedByUser }) => isCreatedByUser)).toEqual([true, false]);
    await soon(() => action(messages(page).nth(0), 'Answer again').count()).toBe(0);
  },
);

testInFullRun(
  'an answer whose question was deleted cannot be repeated, and blocks nothing when it failed',
  async () => {
    const { page } = await stage.open('alice');
    await talk(page, 'Will this work? [[cut:30]]');
    await expectHeldBack(page);
    await openMenu(page, 0);
    await page.getByRole('menuitem', { name: 'Delete this message' }).click();
    await soon(() => messages(page).count()).toBe(1);
    await soon(() => page.getByRole('button', { name: /Try again|Regenerate/ }).count()).toBe(0);
    await action(lastMessage(page), 'Edit').waitFor();
    await ask(page, 'And now?');
    await answered(page);
    await answerText(page).getByText('That is all.').waitFor();
  },
);

test('a fork is a conversation of its own that ends where it was made', async () => {
  const { page } = await stage.open('alice');
  const original = await openThread(stage.app, 'alice', page, TWO_EXCHANGES);
  await openMenu(page, 1);
  await page.getByRole('menuitem', { name: 'Fork from here' }).click();
  await page.getByText('This is a copy of the chat', { exact: false }).waitFor();
  await soon(() => openId(page)).not.toBe(original);
  await soon(() => messages(page).count()).toBe(2);
  await ask(page, 'A question of its own');
  await answered(page);
  await visit(page, `/c/${original}`);
  await messages(page).nth(2).getByText('Second question').waitFor();
  await soon(() => messages(page).count()).toBe(4);
});

test('everything by key alone: edit, save, submit, continue, the menu and its undo', async () => {
  const { page } = await stage.open('alice');
  // Without the notices of earlier tests, whose buttons have the same names.
  await page.goto('/c/new');
  await talk(page, 'Owls at night [[length]]');
  await conversation(page, 'Owls at Night').waitFor();
  await goTo(page, 'Continue', 'Shift+Tab');
  await page.keyboard.press('Enter');
  await soon(() => focused(page)).toMatch(/^Message/);
  await answered(page);

  await goTo(page, 'Edit', 'Shift+Tab');
  await page.keyboard.press('Enter');
  await soon(() => focused(page)).toBe('Edit the answer');
  await page.keyboard.press('Control+A');
  await page.keyboard.type('Owls hoot.');
  await goTo(page, 'Save', 'Tab');
  await page.keyboard.press('Enter');
  await answerText(page).getByText('Owls hoot.').waitFor();
  await soon(() => focused(page)).toBe('Edit');

  await page.keyboard.press('Enter');
  await soon(() => focused(page)).toBe('Edit the answer');
  await page.keyboard.press('Escape');
  await soon(() => focused(page)).toBe('Edit');

  await goTo(page, 'More', 'Tab');
  await page.keyboard.press('Enter');
  await soon(() => focused(page)).toBe('Details');
  await page.keyboard.press('ArrowDown');
  await soon(() => focused(page)).toBe('Regenerate with another model');
  await page.keyboard.press('ArrowDown');
  await soon(() => focused(page)).toBe('Fork from here');
  await page.keyboard.press('ArrowDown');
  await soon(() => focused(page)).toBe('Delete this message');
  await page.keyboard.press('Escape');
  await soon(() => focused(page)).toBe('More');
  await page.keyboard.press('Enter');
  await soon(() => focused(page)).toBe('Details');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await soon(() => messages(page).count()).toBe(1);
  await soon(() => focused(page)).not.toBe('body');
  // With the pointer on it, it does not go before the keys of a slow machine are there.
  await page.getByRole('button', { name: 'Undo' }).hover();
  await goTo(page, 'Undo', 'Tab');
  await page.keyboard.press('Enter');
  await soon(() => messages(page).count()).toBe(2);

  await goTo(page, 'Edit', 'Shift+Tab');
  await goTo(page, 'Edit', 'Shift+Tab');
  await page.keyboard.press('Enter');
  await soon(() => focused(page)).toBe('Edit your message');
  await page.keyboard.press('Control+A');
  await page.keyboard.type('Owls by day');
  await page.keyboard.press('Control+Enter');
  await answerText(page).getByText('That is all.').waitFor();
  await answered(page);
  await soon(() => focused(page)).toMatch(/^Message/);
});

testInFullRun('tokens are counted for those who want to know', async () => {
  const { page } = await stage.open('alice');
  await openNewChat(page);
  await composer(page).fill('hello world');
  await page.getByTestId('context-bar').click();
  const details = page.getByRole('dialog', { name: 'What the model will see' });
  // What a message takes beside its text is counted, too.
  await details.getByText('7 tokens', { exact: true }).waitFor();
  await page.keyboard.press('Escape');
  await composer(page).fill('');
});

test.each(inFullRun(themes))('in the %s theme no state has a fault of accessibility', async (colorScheme) => {
  const { page } = await stage.openElsewhere('alice', { colorScheme });
  await talk(page, 'Look at the weather [[tool]]');
  await lastMessage(page).getByText('Stopped: get_weather').click();
  await expectAccessible(page);
  await openEditor(page, 0);
  await expectAccessible(page);
  await button(page, 'Cancel').click();
  await openEditor(page, 1);
  await expectAccessible(page);
  await button(page, 'Cancel').click();
  await openMenu(page, 1);
  await expectAccessible(page);
  await page.getByRole('menuitem', { name: 'Delete this message' }).click();
  await page.getByRole('button', { name: 'Undo' }).waitFor();
  await expectAccessible(page);
  await ask(page, 'And then? [[cut:30]]');
  await answered(page);
  await expectAccessible(page);
});

/** A new chat with one question and its answer. */
async function talk(page: Page, question: string): Promise<void> {
  await openNewChat(page);
  await ask(page, question);
  await answered(page);
}

async function openEditor(page: Page, index: number): Promise<void> {
  const message = messages(page).nth(index);
  await message.hover();
  await action(message, 'Edit').click();
  await editor(page).waitFor();
}

async function openMenu(page: Page, index: number): Promise<void> {
  const message = messages(page).nth(index);
  await message.hover();
  await action(message, 'More').click();
  await page.getByRole('menu').waitFor();
}

async function undo(page: Page, sentence: string): Promise<void> {
  await page.getByTestId('toast').filter({ hasText: sentence }).getByRole('button', { name: 'Undo' }).click();
}

function editor(page: Page) {
  return page.getByRole('textbox', { name: /^Edit / });
}

function button(page: Page, name: string) {
  return messages(page).getByRole('button', { name, exact: true });
}

async function stored(page: Page) {
  const api = await apiOf(stage.app, 'alice');
  return api.messages.list.query({ conversationId: openId(page) });
}
