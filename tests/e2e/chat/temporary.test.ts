// A temporary chat: begun, found again after a reload, kept, and gone when it is left.
import { LEFT_SECONDS } from '@parley/schema/convos/temporary-rules';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { soon, withApp } from '../../support/browser/app-fixture.ts';
import { expectAccessible } from '../../support/browser/axe.ts';
import {
  action,
  answered,
  answerText,
  apiOf,
  ask,
  conversation,
  holdAnswer,
  lastMessage,
  openId,
  openNewChat,
} from '../../support/browser/chat.ts';

const stage = withApp();

test('a temporary chat is in no list, survives a reload, ends when it is left, and stays when it is kept', async () => {
  const { page } = await stage.open('alice');
  await openNewChat(page);
  const toggle = page.getByTestId('temporary-toggle');
  await toggle.click();
  await soon(() => toggle.getAttribute('aria-pressed')).toBe('true');
  await page.getByTestId('convo-title').getByText('Temporary chat').waitFor();
  await page.reload();
  await page.getByText("This chat won't appear in lists or searches.").waitFor();
  await soon(() => toggle.getAttribute('aria-pressed')).toBe('true');
  await expectAccessible(page);

  await ask(page, 'Owls at night');
  await answered(page);
  const first = openId(page);
  await notice(page).waitFor();
  await page.reload();
  await answerText(page).getByText('That is all.').waitFor();
  await notice(page).waitFor();
  await expectAccessible(page);
  await action(lastMessage(page), 'More').click();
  await page.getByRole('menuitem', { name: 'Delete this message' }).waitFor();
  await soon(() => page.getByRole('menuitem', { name: 'Fork from here' }).count()).toBe(0);
  await page.keyboard.press('Escape');
  await soon(() => secondsLeft(first)).toBeGreaterThan(2 * LEFT_SECONDS);

  await openNewChat(page);
  await soon(() => toggle.getAttribute('aria-pressed')).toBe('false');
  await soon(() => secondsLeft(first)).toBeLessThanOrEqual(LEFT_SECONDS);
  await page.goBack();
  await notice(page).waitFor();
  await soon(() => secondsLeft(first)).toBeGreaterThan(2 * LEFT_SECONDS);
  await soon(() => conversation(page, 'Owls at Night').count()).toBe(0);

  const kept = await holdAnswer(page, /convos\.keep/);
  await notice(page).getByRole('button', { name: 'Keep this chat' }).click();
  await conversation(page, 'Owls at Night').waitFor();
  // The answer knows no title yet, and arrives after it.
  await kept.release();
  expect(await conversation(page, 'Owls at Night').count()).toBe(1);
  await notice(page).waitFor({ state: 'detached' });
  await page.getByTestId('convo-menu-button').waitFor();
});

function notice(page: Page) {
  return page.getByRole('complementary', { name: 'Temporary chat' });
}

async function secondsLeft(conversationId: string): Promise<number> {
  const { temporaryUntil } = await (await apiOf(stage.app, 'alice')).convos.byId.query({ conversationId });
  return (Date.parse(temporaryUntil ?? '') - Date.now()) / 1000;
}
