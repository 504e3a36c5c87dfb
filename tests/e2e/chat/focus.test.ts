// What has the focus may go away by itself. The focus never falls to the page, where no key means anything.
import { expect, test } from 'vitest';
import { someOf, testInFullRun } from '../../support/extent.ts';
import {
  action,
  answered,
  apiOf,
  ask,
  composer,
  conversation,
  lastMessage,
  messages,
  openNewChat,
  openThread,
  send,
  streaming,
  stopButton,
} from '../../support/browser/chat.ts';
import { focused, notice } from '../../support/browser/sidebar.ts';
import { hideSidePanel } from '../../support/browser/side-panel.ts';
import { startEndlessAnswer } from '../../support/browser/endless-answer.ts';
import { delayTimers, soon, withApp } from '../../support/browser/app-fixture.ts';

const stage = withApp();
const IN_THE_BOX = /^Message/;

test('the button that stops a reply hands the focus to the message box', async () => {
  const { page } = await stage.open('alice');
  await openNewChat(page);
  await ask(page, 'Go on [[never-ending]]');
  await streaming(page);
  await stopButton(page).focus();
  await page.keyboard.press('Enter');
  await answered(page);
  await soon(() => focused(page)).toMatch(IN_THE_BOX);
});

testInFullRun('an answer that fails leaves it in the message box, and what tries again does not lose it', async () => {
  const { page } = await stage.open('alice');
  await openNewChat(page);
  await send(page, 'It fails once [[error-500]]');
  const again = lastMessage(page).getByRole('button', { name: 'Try again' });
  await again.waitFor();
  expect(await focused(page)).toMatch(IN_THE_BOX);
  await again.press('Enter');
  await lastMessage(page).getByText('2 / 2').waitFor();
  await answered(page);
  await again.waitFor();
  await soon(() => focused(page)).toMatch(/^Message|^Try again/);
});

testInFullRun('a message that is deleted elsewhere leaves it in the thread, also when it is being edited', async () => {
  const { page } = await stage.open('alice');
  const api = await apiOf(stage.app, 'alice');
  const texts = ['One', 'The first answer', 'Two', 'The second answer'];
  const conversationId = await openThread(stage.app, 'alice', page, texts);
  const stored = await api.messages.list.query({ conversationId });
  const [first, , third] = stored.map(({ messageId }) => messageId);
  if (!first || !third) throw new Error('There are too few messages');

  await action(lastMessage(page), 'Edit').click();
  await soon(() => focused(page)).toBe('Edit the answer');
  await api.messages.prune.mutate({ conversationId, messageId: third });
  await soon(() => messages(page).count()).toBe(2);
  await soon(() => focused(page)).toBe('Chat');

  await action(messages(page).nth(0), 'Edit').focus();
  await api.messages.remove.mutate({ conversationId, messageId: first });
  await soon(() => messages(page).count()).toBe(1);
  await soon(() => focused(page)).toBe('Chat');
});

test('a notice gives it back when its button was pressed', async () => {
  const { page } = await stage.open('alice');
  await openThread(stage.app, 'alice', page, ['Delete this', 'As you like.']);
  await composer(page).focus();
  await action(messages(page).nth(0), 'More').click();
  await page.getByRole('menuitem', { name: 'Delete this message' }).click();
  const undo = notice(page, 'The message was deleted.').getByRole('button', { name: 'Undo' });
  await composer(page).focus();
  await undo.click();
  await undo.waitFor({ state: 'detached' });
  await soon(() => focused(page)).toMatch(IN_THE_BOX);
  await soon(() => messages(page).count()).toBe(2);
});

test('a click beside everything takes it away, and nothing brings it back', async () => {
  const { page } = await stage.open('alice');
  const monologue = startEndlessAnswer(stage.app);
  await openNewChat(page);
  await ask(page, `A short one ${monologue.cue}`);
  await streaming(page);
  await stopButton(page).focus();
  await page.getByRole('main').click({ position: { x: 5, y: 300 } });
  monologue.end();
  await answered(page);
  expect(await focused(page)).not.toMatch(IN_THE_BOX);
});

testInFullRun(
  'what is opened by key has it before the next key and does not take it back, however late timers are',
  async () => {
    const { page } = await stage.open('alice');
    await openNewChat(page);
    await soon(() => focused(page)).toMatch(IN_THE_BOX);
    const timers = await delayTimers(page);
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog').waitFor();
    expect(await focused(page)).toMatch(/^Search chats/);
    await page.keyboard.type('settings');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Settings' }).waitFor();
    expect(await focused(page)).toBe('General');
    await page.keyboard.press('Tab');
    const next = await focused(page);
    expect(next).not.toBe('General');
    await timers.settled();
    expect(await focused(page)).toBe(next);
    await timers.restore();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  },
);

test.each(someOf(['params-button', 'presets-button']))(
  '%s: what it opens does not take it back either',
  async (button) => {
    const { page } = await stage.open('alice');
    // Beside the strip of the panel, the header has no button for the parameters.
    await hideSidePanel(stage.app, 'alice');
    await openNewChat(page);
    await soon(() => focused(page)).toMatch(IN_THE_BOX);
    const popover = page.getByRole('main').getByRole('dialog');
    await page.getByTestId(button).press('Enter');
    await popover.waitFor();
    await page.keyboard.press('Escape');
    await popover.waitFor({ state: 'hidden' });
    const timers = await delayTimers(page);
    for (const _ of ['the first time', 'the second time']) {
      await page.getByTestId(button).press('Enter');
      await popover.waitFor();
      await soon(() => popover.locator(':focus').count()).toBe(1);
      const first = await focused(page);
      await page.keyboard.press('Tab');
      const next = await focused(page);
      expect(next).not.toBe(first);
      await timers.settled();
      expect(await focused(page)).toBe(next);
      await page.keyboard.press('Escape');
      await popover.waitFor({ state: 'hidden' });
    }
    await timers.restore();
    await hideSidePanel(stage.app, 'alice', null);
  },
);

testInFullRun(
  'a menu goes on from where the arrows are and gives the focus back, however late timers are',
  async () => {
    const { page } = await stage.open('alice');
    await openNewChat(page);
    await ask(page, 'Hello');
    await answered(page);
    const timers = await delayTimers(page);
    const more = action(lastMessage(page), 'More');
    const ofRow = action(conversation(page, 'Hello'), 'More for \u2068Hello\u2069');
    const user = page.getByRole('button', { name: 'alice example' });
    for (const button of [more, more, ofRow, ofRow, user, user]) {
      await button.press('Enter');
      const menu = page.getByRole('menu');
      await menu.waitFor();
      await soon(() => menu.locator(':focus').count()).toBe(1);
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('ArrowDown');
      const third = await focused(page);
      await timers.settled();
      expect(await focused(page)).toBe(third);
      await page.keyboard.press('Escape');
      await menu.waitFor({ state: 'detached' });
      expect(await button.evaluate((element) => element === document.activeElement)).toBe(true);
    }
    await timers.restore();
  },
);
