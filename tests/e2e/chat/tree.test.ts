// The map of a conversation's branches.
import { connect } from '@parley/db/client';
import { users } from '@parley/db/tables/users';
import { eq } from 'drizzle-orm';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { insertThread } from '@parley/scripts/seed/threads';
import { expectAccessible } from '../../support/browser/axe.ts';
import {
  action,
  answered,
  ask,
  lastMessage,
  messages,
  openNewChat,
  openThread,
  visit,
} from '../../support/browser/chat.ts';
import { focused, goTo } from '../../support/browser/keyboard.ts';
import { soon, withApp } from '../../support/browser/app-fixture.ts';
import { testInFullRun, threadLength } from '../../support/extent.ts';

const stage = withApp();

test('a conversation without branches has no map; one with two has, and it leads from one to the other', async () => {
  const { page } = await stage.open('alice');
  await openNewChat(page);
  await ask(page, 'Where do swallows go?');
  await answered(page);
  await soon(() => mapButton(page).count()).toBe(0);
  const presets = page.getByTestId('presets-button');
  await page.getByTestId('share-button').waitFor();
  const before = await presets.boundingBox();
  await action(lastMessage(page), 'Regenerate').click();
  await lastMessage(page).getByText('2 / 2').waitFor();
  await answered(page);

  await mapButton(page).waitFor();
  await soon(() => presets.boundingBox()).toEqual(before);
  await mapButton(page).click();
  const rows = page.getByRole('treeitem');
  await soon(() => rows.count()).toBe(3);
  await rows.nth(0).getByText('Where do swallows go?').waitFor();
  await soon(() => rows.nth(2).getAttribute('aria-current')).toBe('true');
  await expectAccessible(page);
  await rows.nth(1).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await lastMessage(page).getByText('1 / 2').waitFor();
});

test('the map shows what a message says, without its marks', async () => {
  const { page } = await stage.open('alice');
  const table = '## Two *kinds*\n\n| name | size |\n| --- | --- |\n| `Grey` | 2 m |';
  await openThread(stage.app, 'alice', page, ['Which **seals**?', table, '---'], (n) => (n === 0 ? null : 0));
  await mapButton(page).click();
  const row = (n: number) => page.getByRole('treeitem').nth(n);
  await soon(() => row(0).textContent()).toContain('Which seals?');
  await soon(() => row(1).textContent()).toContain('Two kinds name, size Grey, 2 m');
  await soon(() => row(2).textContent()).toContain('---');
  await page.keyboard.press('Escape');
});

test('the map is walked by key: by message, by branch, to an end; Enter goes there and Escape goes back', async () => {
  const { page } = await stage.open('alice');
  const branches = ['Where do swallows go?', 'To the south.', 'To Africa.'];
  await openThread(stage.app, 'alice', page, branches, (n) => (n === 0 ? null : 0));
  await lastMessage(page).getByText('2 / 2').waitFor();

  await goTo(page, 'Branches of this chat', 'Shift+Tab');
  await page.keyboard.press('Enter');
  await page.getByRole('tree').waitFor();
  await soon(() => activeRow(page)).toContain('2 / 2');
  await page.keyboard.press('ArrowLeft');
  await soon(() => activeRow(page)).toContain('1 / 2');
  await page.keyboard.press('Home');
  await soon(() => activeRow(page)).toContain('Where do swallows go?');
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await soon(() => focused(page)).toBe('Branches of this chat');

  await page.keyboard.press('Enter');
  await soon(() => activeRow(page)).toContain('2 / 2');
  await page.keyboard.press('ArrowUp');
  await soon(() => activeRow(page)).toContain('1 / 2');
  await page.keyboard.press('Enter');
  await lastMessage(page).getByText('1 / 2').waitFor();
  await soon(() => focused(page)).not.toBe('body');
});

testInFullRun(
  'thousands of messages and 500 siblings are few rows in the page, and either end is a key away',
  async () => {
    const { page } = await stage.open('alice');
    const userId = await idOf('alice@example.com');
    const db = connect(stage.app.database);
    // A line, with 500 answers to its first question.
    const parentAt = (n: number) => (n === 0 ? null : n < threadLength - 500 ? n - 1 : 0);
    const { conversationId } = await insertThread(db, userId, threadLength, (n) => `Message ${n}`, parentAt);
    await db.end();
    await visit(page, `/c/${conversationId}`);
    await messages(page).first().waitFor();

    await mapButton(page).click();
    await page.getByRole('tree').waitFor();
    await page.keyboard.press('End');
    await soon(() => activeRow(page)).toContain(`Message ${threadLength - 1}`);
    await soon(() => page.getByRole('treeitem').count()).toBeLessThan(60);
    await page.keyboard.press('Home');
    await soon(() => activeRow(page)).toContain('Message 0');
    await page.keyboard.press('End');
    for (let step = 0; step < 3; step++) await page.keyboard.press('ArrowUp');
    await soon(() => activeRow(page)).toContain(`Message ${threadLength - 4}`);
    await page.keyboard.press('Enter');
    await lastMessage(page)
      .getByText(`Message ${threadLength - 4}`, { exact: true })
      .waitFor();
    await lastMessage(page).getByText('498 / 501').waitFor();
  },
);

function mapButton(page: Page) {
  return page.getByRole('button', { name: 'Branches of this chat' });
}

/** The text of the row that the keys are at. */
function activeRow(page: Page): Promise<string> {
  return page.evaluate(() => {
    const id = document.querySelector('[role=tree]')?.getAttribute('aria-activedescendant');
    return document.getElementById(id ?? '')?.textContent ?? '';
  });
}

async function idOf(email: string): Promise<string> {
  const db = connect(stage.app.database);
  const [user] = await db.query.select({ id: users.id }).from(users).where(eq(users.email, email));
  await db.end();
  return user?.id ?? expect.fail('There is no such user');
}

test('a long straight chat has an outline of its questions, which leads to each of them', async () => {
  const { page } = await stage.open('alice');
  const texts = Array.from({ length: 60 }, (_, n) =>
    n % 2 === 0 ? `Question ${n / 2 + 1}` : 'An answer. '.repeat(60),
  );
  await openThread(stage.app, 'alice', page, texts);
  const outline = page.getByRole('button', { name: 'Questions in this chat' });
  await outline.click();
  const list = page.getByRole('tree', { name: 'Questions in this chat' });
  await soon(() => list.locator('[aria-current]').innerText()).toMatch(/^30\s+Question 30$/);
  await expectAccessible(page);
  await page.keyboard.press('Home');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await messages(page).getByText('Question 2', { exact: true }).waitFor();
  await soon(() => page.evaluate(() => document.activeElement?.textContent?.includes('Question 2'))).toBe(true);
  await outline.click();
  await soon(() => list.locator('[aria-current]').innerText()).toMatch(/^2\s+Question 2$/);
  await page.keyboard.press('Escape');
  await soon(() => focused(page)).toContain('Questions in this chat');
});
