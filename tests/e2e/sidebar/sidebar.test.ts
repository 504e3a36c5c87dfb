// What can be done to conversations from the list beside the chat.
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { expectAccessible } from '../../support/browser/axe.ts';
import {
  action,
  answered,
  apiOf,
  ask,
  composer,
  conversation,
  conversations,
  lastMessage,
  messages,
  openId,
  openNewChat,
  streaming,
  thread,
} from '../../support/browser/chat.ts';
import { startEndlessAnswer } from '../../support/browser/endless-answer.ts';
import { openByPalette } from '../../support/browser/keyboard.ts';
import { choose, focused, group, notice, scroller, seedTalks, sidebar, titles } from '../../support/browser/sidebar.ts';
import { soon, withApp } from '../../support/browser/app-fixture.ts';
import { testInFullRun } from '../../support/extent.ts';

const stage = withApp();

async function atList(): Promise<Page> {
  const { page } = await stage.open('alice');
  await openNewChat(page);
  await sidebar(page).getByTestId('convo-item').first().waitFor();
  return page;
}

/** A new chat beside so many talks, and nothing else. */
async function withTalks(count: number): Promise<Page> {
  const { page } = await stage.open('alice');
  // A page that still asks for a deleted conversation would log its 404.
  await page.goto('about:blank');
  await (await apiOf(stage.app, 'alice')).convos.clear.mutate();
  await seedTalks(stage.app, 'alice', count);
  await page.goto('/c/new');
  await conversation(page, 'Talk 0').waitFor();
  // A new chat takes the focus once it is there.
  await soon(() => focused(page)).toMatch(/^Message/);
  return page;
}

/** The ids of the talks on the first page, by title. */
async function idsOfTalks(): Promise<Map<string, string>> {
  const { convos } = await (await apiOf(stage.app, 'alice')).convos.list.query({});
  return new Map(convos.map(({ title, conversationId }) => [title ?? '', conversationId]));
}

async function deleteByDialog(page: Page): Promise<void> {
  await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
}

test('a deleted conversation comes back by the button of its notice, opens again, and has its messages', async () => {
  const { page } = await stage.open('alice');
  await openNewChat(page);
  await ask(page, 'Herons at noon');
  await answered(page);
  await conversation(page, 'Herons at Noon').waitFor();
  const id = openId(page);

  await choose(page, 'Herons at Noon', 'Delete');
  await page.getByRole('dialog').getByText('for 7 days, from “Recently deleted”', { exact: false }).waitFor();
  await deleteByDialog(page);
  await page.waitForURL('**/c/new');
  await conversation(page, 'Herons at Noon').waitFor({ state: 'detached' });
  await notice(page, 'Chat deleted').getByRole('button', { name: 'Undo' }).click();
  await conversation(page, 'Herons at Noon').waitFor();
  await page.waitForURL(`**/c/${id}`);
  await thread(page).getByText('Herons at noon').first().waitFor();

  // Anyone who has begun a new chat meanwhile stays in it.
  await choose(page, 'Herons at Noon', 'Delete');
  await deleteByDialog(page);
  await page.waitForURL('**/c/new');
  let arrive = () => {};
  const held = new Promise<void>((resolve) => (arrive = resolve));
  await page.route('**/trpc/*convos.restore*', (route) => held.then(() => route.continue()));
  await notice(page, 'Chat deleted').getByRole('button', { name: 'Undo' }).click();
  await openNewChat(page);
  const restored = page.waitForResponse('**/trpc/*convos.restore*');
  arrive();
  await restored;
  await conversation(page, 'Herons at Noon').waitFor();
  await page.waitForTimeout(200);
  expect(new URL(page.url()).pathname).toBe('/c/new');
  await page.unroute('**/trpc/*convos.restore*');
});

test('it comes back by a key, too: at the notice, and anywhere outside of text', async () => {
  const page = await atList();
  await choose(page, 'Herons at Noon', 'Delete');
  await deleteByDialog(page);
  await notice(page, 'Chat deleted').waitFor();
  await page.keyboard.press('F8');
  await soon(() => focused(page)).toBe('Undo');
  await page.keyboard.press('Enter');
  await conversation(page, 'Herons at Noon').waitFor();
  await soon(() => focused(page)).not.toBe('body');

  await choose(page, 'Herons at Noon', 'Delete');
  await deleteByDialog(page);
  // Under the pointer it would stay for ever.
  await notice(page, 'Chat deleted').hover();
  await page.getByRole('button', { name: 'Close sidebar' }).focus();
  await page.keyboard.press('Control+z');
  await notice(page, 'Chat deleted').waitFor({ state: 'detached' });
  await conversation(page, 'Herons at Noon').waitFor();
});

test('a deletion that fails is taken back, and a notice says so', async () => {
  const { tolerated } = await stage.open('alice');
  tolerated.push(/ERR_FAILED/);
  const page = await atList();
  await page.route('**/trpc/*convos.removeMany*', (route) => route.abort());
  await choose(page, 'Herons at Noon', 'Delete');
  await deleteByDialog(page);
  await notice(page, 'The chat could not be deleted. Please try again.').waitFor();
  await conversation(page, 'Herons at Noon').waitFor();
});

test('what was deleted waits in the trash, and is restored from there', async () => {
  const page = await atList();
  await choose(page, 'Herons at Noon', 'Delete');
  await deleteByDialog(page);
  await notice(page, 'Chat deleted').getByRole('button', { name: 'Close' }).click();
  await page.reload();
  await composer(page).waitFor();
  await openByPalette(page, 'Recently deleted');
  const trash = page.getByRole('dialog', { name: 'Recently deleted' });
  await trash.getByText('Herons at Noon').waitFor();
  await trash.getByText(/^Chat · deleted/).waitFor();
  await trash.getByText('Deleted items are kept for 7 days.').waitFor();
  await expectAccessible(page);
  await trash.getByRole('button', { name: 'Restore \u2068Herons at Noon\u2069' }).click();
  await trash.getByText('Nothing was deleted recently.').waitFor();
  await page.keyboard.press('Escape');
  await trash.waitFor({ state: 'detached' });
  await conversation(page, 'Herons at Noon').waitFor();
  await soon(() => focused(page)).not.toBe('body');
});

testInFullRun('a conversation is forked from its row, at the end of the branch that was looked at last', async () => {
  const { page } = await stage.open('alice');
  await openNewChat(page);
  await ask(page, 'The only question');
  await answered(page);
  const original = openId(page);
  const title = 'Only Question';
  await conversation(page, title).waitFor();
  await action(lastMessage(page), 'Regenerate').click();
  await lastMessage(page).getByText('2 / 2').waitFor();
  await answered(page);
  await ask(page, 'Below the second answer');
  await answered(page);
  await action(messages(page).nth(1), 'Previous answer').click();
  await soon(() => messages(page).count()).toBe(2);
  await openNewChat(page);
  await choose(page, title, 'Fork');
  await notice(page, 'This is a copy of the chat').waitFor();
  await soon(() => new URL(page.url()).pathname).not.toBe('/c/new');
  expect(openId(page)).not.toBe(original);
  await soon(() => messages(page).count()).toBe(2);
  await conversation(page, `${title} (2)`).waitFor();

  // A browser that has never turned to a branch sees the newest.
  await page.evaluate(() => localStorage.clear());
  await page.reload();
  await openNewChat(page);
  await choose(page, title, 'Fork');
  await soon(() => messages(page).count()).toBe(4);
  await messages(page).nth(2).getByText('Below the second answer').waitFor();
});

test('a fork of what is being written is refused with a sentence, and leads nowhere', async () => {
  const { page, tolerated } = await stage.open('alice');
  tolerated.push(/status of 429/);
  const monologue = startEndlessAnswer(stage.app);
  await openNewChat(page);
  await ask(page, `Talk while I fork ${monologue.cue}`);
  await streaming(page);
  const { pathname } = new URL(page.url());
  await page.locator(`a[href="${pathname}"]`).hover();
  await page
    .getByRole('listitem')
    .filter({ has: page.locator(`a[href="${pathname}"]`) })
    .getByRole('button', { name: /^More for/ })
    .click();
  await page.getByRole('menuitem', { name: 'Fork', exact: true }).click();
  await page.getByTestId('toast').getByText('at a time', { exact: false }).waitFor();
  expect(new URL(page.url()).pathname).toBe(pathname);
  monologue.end();
  await answered(page);
});

test('a pinned conversation stands above the dates, no matter which tab pins it, and does not move when the list comes after it', async () => {
  const page = await withTalks(12);
  const { convos } = await apiOf(stage.app, 'alice');
  await choose(page, 'Talk 7', 'Pin');
  await soon(() => group(page, 'Pinned').allInnerTexts()).toEqual(['Talk 7']);
  await soon(async () => (await titles(page))[0]).toBe('Talk 7');
  await soon(async () => (await convos.pinned.query()).map(({ title }) => title)).toEqual(['Talk 7']);
  const talk9 = (await idsOfTalks()).get('Talk 9') ?? '';
  await convos.update.mutate({ conversationId: talk9, isPinned: true });
  await soon(() => group(page, 'Pinned').allInnerTexts()).toEqual(['Talk 7', 'Talk 9']);
  await expectAccessible(page);

  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route('**/trpc/*convos.list*', async (route) => {
    // Asked for together, they come together.
    if (!route.request().url().includes('convos.pinned')) await held;
    await route.continue();
  });
  await page.reload();
  await soon(() => group(page, 'Pinned').allInnerTexts()).toEqual(['Talk 7', 'Talk 9']);
  const before = await group(page, 'Pinned').first().boundingBox();
  release();
  await conversation(page, 'Talk 11').waitFor();
  expect(await group(page, 'Pinned').first().boundingBox()).toEqual(before);

  await choose(page, 'Talk 7', 'Unpin');
  await convos.update.mutate({ conversationId: talk9, isPinned: false });
  await soon(() => titles(page)).toEqual(Array.from({ length: 12 }, (_, n) => `Talk ${n}`));
});

test('pinned conversations are put into an order by mouse and by menu, which another browser follows', async () => {
  const page = await withTalks(6);
  const { convos } = await apiOf(stage.app, 'alice');
  for (const title of ['Talk 1', 'Talk 3', 'Talk 5']) await choose(page, title, 'Pin');
  const order = () => group(page, 'Pinned').allInnerTexts();
  await soon(order).toEqual(['Talk 1', 'Talk 3', 'Talk 5']);
  await choose(page, 'Talk 1', 'Move down');
  await soon(order).toEqual(['Talk 3', 'Talk 1', 'Talk 5']);
  await sidebar(page).getByRole('status').getByText('\u2068Talk 1\u2069 is pinned chat 2 of 3').waitFor();
  await soon(() => focused(page)).toBe('More for \u2068Talk 1\u2069');
  await page.keyboard.press('Enter');
  await page.getByRole('menuitem', { name: 'Move up' }).press('Enter');
  await soon(order).toEqual(['Talk 1', 'Talk 3', 'Talk 5']);
  await choose(page, 'Talk 5', 'Move up');
  await soon(order).toEqual(['Talk 1', 'Talk 5', 'Talk 3']);
  await conversation(page, 'Talk 5')
    .getByRole('link')
    .dragTo(conversation(page, 'Talk 1').getByRole('link'), { targetPosition: { x: 40, y: 4 } });
  await soon(order).toEqual(['Talk 5', 'Talk 1', 'Talk 3']);
  // No order before was this one: all moves are stored.
  await soon(async () => (await convos.pinned.query()).map(({ title }) => title)).toEqual([
    'Talk 5',
    'Talk 1',
    'Talk 3',
  ]);
  const ids = await convos.pinned.query();
  await convos.arrangePins.mutate({ conversationIds: ids.map((one) => one.conversationId).toReversed() });
  await soon(order).toEqual(['Talk 3', 'Talk 1', 'Talk 5']);
  await page.reload();
  await soon(order).toEqual(['Talk 3', 'Talk 1', 'Talk 5']);
  await choose(page, 'Talk 5', 'Unpin');
  await soon(order).toEqual(['Talk 3', 'Talk 1']);
});

test('all are marked as read from the menu of the list, here and elsewhere, and unread again by an undo', async () => {
  const page = await withTalks(3);
  const { convos } = await apiOf(stage.app, 'alice');
  const ids = await idsOfTalks();
  for (const title of ['Talk 0', 'Talk 2'])
    await convos.update.mutate({ conversationId: ids.get(title) ?? '', isUnread: true });
  const marks = sidebar(page).getByRole('img', { name: 'Unread answer' });
  await soon(() => marks.count()).toBe(2);
  await page.getByRole('button', { name: 'All chats' }).press('Enter');
  await expectAccessible(page);
  await page.getByRole('menuitem', { name: 'Mark all as read' }).press('Enter');
  await soon(() => marks.count()).toBe(0);
  await soon(() => focused(page)).toBe('All chats');
  await notice(page, '2 chats marked as read').getByRole('button', { name: 'Undo' }).click();
  await soon(() => marks.count()).toBe(2);
  await page.getByRole('button', { name: 'All chats' }).click();
  await page.getByRole('menuitem', { name: 'Mark all as read' }).click();
  await soon(() => marks.count()).toBe(0);
  await page.getByRole('button', { name: 'All chats' }).click();
  await page.getByRole('menuitem', { name: 'Mark all as read' }).click();
  await notice(page, 'Nothing is unread.').waitFor();
  await withTalks(12);
});

test('an archived conversation leaves the list, can be opened from the archive, and comes back', async () => {
  const page = await atList();
  await choose(page, 'Talk 3', 'Archive');
  await notice(page, 'Chat archived').waitFor();
  await soon(() => conversation(page, 'Talk 3').count()).toBe(0);
  await notice(page, 'Chat archived').getByRole('button', { name: 'Undo' }).click();
  await conversation(page, 'Talk 3').waitFor();

  await choose(page, 'Talk 3', 'Archive');
  await soon(() => conversation(page, 'Talk 3').count()).toBe(0);
  await openByPalette(page, 'Archived chats');
  const archive = page.getByRole('dialog', { name: 'Archived chats' });
  await archive.getByText('Talk 3').waitFor();
  await expectAccessible(page);
  await archive.getByRole('link', { name: 'Talk 3' }).click();
  await archive.waitFor({ state: 'detached' });
  await soon(() => page.title()).toBe('Talk 3 · Parley');

  await openByPalette(page, 'Archived chats');
  await archive.getByRole('button', { name: 'Bring back \u2068Talk 3\u2069' }).click();
  await archive.getByText('Nothing is archived.').waitFor();
  await archive.getByRole('button', { name: 'Choose what to archive' }).click();
  await sidebar(page).getByText('0 selected').waitFor();
  await page.getByRole('button', { name: 'Stop selecting' }).click();
  await conversation(page, 'Talk 3').waitFor();
  await soon(() => titles(page)).toEqual(Array.from({ length: 12 }, (_, n) => `Talk ${n}`));
});

test('the menu of a row begins a selection, and Shift with a click makes it a range; what is selected is archived or deleted at once, and comes back at once', async () => {
  const page = await atList();
  const box = (title: string) => page.getByRole('checkbox', { name: title, exact: true });
  await choose(page, 'Talk 2', 'Select');
  await box('Talk 4').click({ modifiers: ['Shift'] });
  await sidebar(page).getByText('3 selected').waitFor();
  await box('Talk 3').click();
  await box('Talk 6').click();
  await sidebar(page).getByText('3 selected').waitFor();
  expect(new URL(page.url()).pathname).toBe('/c/new');
  await expectAccessible(page);

  await page.keyboard.press('Escape');
  await conversation(page, 'Talk 2').waitFor();
  await soon(() => page.getByRole('checkbox').count()).toBe(0);

  await choose(page, 'Talk 2', 'Select');
  await box('Talk 4').click({ modifiers: ['Shift'] });
  await page.getByRole('toolbar').getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('dialog', { name: 'Delete 3 chats?' }).waitFor();
  await deleteByDialog(page);
  await soon(() => conversations(page).count()).toBe(9);
  await notice(page, '3 chats deleted').getByRole('button', { name: 'Undo' }).click();
  await soon(() => titles(page)).toEqual(Array.from({ length: 12 }, (_, n) => `Talk ${n}`));

  await choose(page, 'Talk 5', 'Select');
  await box('Talk 8').click({ modifiers: ['Shift'] });
  await page.getByRole('toolbar').getByRole('button', { name: 'Archive' }).click();
  await soon(() => conversations(page).count()).toBe(8);
  await notice(page, '4 chats archived').getByRole('button', { name: 'Undo' }).click();
  await soon(() => conversations(page).count()).toBe(12);
});

testInFullRun('all of that by key alone: from row to row, the menu of a row, and boxes to tick', async () => {
  const page = await atList();
  // A new chat takes the focus once it is there.
  await soon(() => focused(page)).toMatch(/^Message/);
  await conversation(page, 'Talk 0').getByRole('link').focus();
  for (const title of ['Talk 1', 'Talk 2', 'Talk 3']) {
    await page.keyboard.press('ArrowDown');
    await soon(() => focused(page)).toBe(title);
  }
  await page.keyboard.press('ArrowUp');
  await soon(() => focused(page)).toBe('Talk 2');

  await page.keyboard.press('Tab');
  expect(await focused(page)).toBe('More for \u2068Talk 2\u2069');
  await page.keyboard.press('Enter');
  await soon(() => focused(page)).toBe('Rename');
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await soon(() => focused(page)).toBe('More for \u2068Talk 2\u2069');

  await page.keyboard.press('Enter');
  await soon(() => focused(page)).toBe('Rename');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await soon(() => group(page, 'Pinned').allInnerTexts()).toEqual(['Talk 2']);
  await soon(() => focused(page)).toContain('Talk 2');
  await choose(page, 'Talk 2', 'Unpin');
  await soon(() => group(page, 'Pinned').count()).toBe(0);

  await action(conversation(page, 'Talk 4'), 'More for \u2068Talk 4\u2069').focus();
  await page.keyboard.press('Enter');
  await soon(() => focused(page)).toBe('Rename');
  for (const item of ['Pin', 'Share…', 'Fork', 'Archive', 'Move to folder', 'Mark as unread', 'Select']) {
    await page.keyboard.press('ArrowDown');
    await soon(() => focused(page)).toBe(item);
  }
  await page.keyboard.press('Enter');
  await sidebar(page).getByText('1 selected').waitFor();
  await soon(() => focused(page)).toBe('Talk 4');
  await page.keyboard.press('ArrowDown');
  await soon(() => focused(page)).toBe('Talk 5');
  await page.keyboard.press('Space');
  await sidebar(page).getByText('2 selected').waitFor();
  await page.keyboard.press('Escape');
  await soon(() => page.getByRole('toolbar').count()).toBe(0);
  await soon(() => focused(page)).toBe('Talk 5');
});

test('a right click opens the menu of a row: its conversation is marked as unread, read, and deleted at once', async () => {
  const page = await atList();
  const row = conversation(page, 'Talk 3');
  const mark = row.getByRole('img', { name: 'Unread answer' });
  await row.getByRole('link').click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Mark as unread' }).click();
  await mark.waitFor();
  await expectAccessible(page);
  await row.getByRole('link').click();
  await mark.waitFor({ state: 'detached' });
  await page.reload();
  await row.waitFor();
  await soon(() => mark.count()).toBe(0);

  await row.getByRole('link').click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Delete' }).click({ modifiers: ['Control'] });
  await row.waitFor({ state: 'detached' });
  await soon(() => page.getByRole('dialog').count()).toBe(0);
  await notice(page, 'Chat deleted').getByRole('button', { name: 'Undo' }).click();
  await row.waitFor();
});

test('everything is deleted after one question, and comes back whole', async () => {
  const page = await atList();
  const before = await titles(page);
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox').fill('delete all');
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Delete all chats?' });
  await dialog.waitFor();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Delete all' }).click();
  await sidebar(page).getByText('Your chats will appear here.').waitFor();
  await notice(page, '12 chats deleted').getByRole('button', { name: 'Undo' }).click();
  await soon(() => titles(page)).toEqual(before);
});

test('many changes elsewhere are followed without reading the list again', async () => {
  const page = await atList();
  const reads: string[] = [];
  page.on('request', (request) => {
    if (/convos\.(list|pinned)/.test(request.url())) reads.push(request.url());
  });
  const { convos } = await apiOf(stage.app, 'alice');
  const conversationIds = [...(await idsOfTalks()).values()];
  expect(conversationIds).toHaveLength(12);
  await convos.archiveMany.mutate({ conversationIds, isArchived: true });
  await soon(() => titles(page)).toEqual([]);
  await convos.archiveMany.mutate({ conversationIds, isArchived: false });
  await soon(() => titles(page)).toEqual(Array.from({ length: 12 }, (_, n) => `Talk ${n}`));
  expect(reads).toEqual([]);
});

testInFullRun('All selects the conversations that are not loaded, too', async () => {
  const { tolerated } = await stage.open('alice');
  tolerated.push(/ERR_FAILED/);
  const page = await withTalks(122);
  const all = page.getByRole('toolbar').getByRole('button', { name: 'All' });
  await choose(page, 'Talk 0', 'Select');

  await page.route('**/trpc/*convos.ids*', (route) => route.abort());
  await all.click();
  await notice(page, 'Error connecting to server').waitFor();
  await sidebar(page).getByText('1 selected').waitFor();
  await page.unroute('**/trpc/*convos.ids*');

  let answer = () => {};
  const held = new Promise<void>((resolve) => (answer = resolve));
  await page.route('**/trpc/*convos.ids*', (route) => held.then(() => route.continue()));
  await all.click();
  await soon(() => all.getAttribute('aria-busy')).toBe('true');
  await soon(() => page.getByRole('toolbar').getByRole('button', { name: 'Delete' }).isDisabled()).toBe(true);
  answer();
  await sidebar(page).getByText('122 selected').waitFor();
  await expectAccessible(page);

  await page.getByRole('toolbar').getByRole('button', { name: 'Delete' }).click();
  await deleteByDialog(page);
  await sidebar(page).getByText('Your chats will appear here.').waitFor();
  await notice(page, '122 chats deleted').getByRole('button', { name: 'Undo' }).click();
  await conversation(page, 'Talk 0').waitFor();
});

testInFullRun(
  'of very many conversations at most 60 rows are drawn, wherever the list is, and All says when it selects only some',
  async () => {
    const page = await withTalks(100_000);
    const list = scroller(page);
    let most = 0;
    let last = 0;
    for (let step = 0; step < 40; step++) {
      await list.evaluate((element) => element.scrollTo({ top: element.scrollHeight }));
      await soon(async () => Number((await titles(page)).at(-1)?.split(' ')[1])).toBeGreaterThan(last);
      last = Number((await titles(page)).at(-1)?.split(' ')[1]);
      most = Math.max(most, await conversations(page).count());
      if (last > 600) break;
    }
    expect(last).toBeGreaterThan(600);
    expect(most).toBeLessThanOrEqual(60);
    await list.evaluate((element) => element.scrollTo({ top: 0 }));
    await conversation(page, 'Talk 0').waitFor();
    await soon(() => conversations(page).count()).toBeLessThanOrEqual(60);

    await choose(page, 'Talk 0', 'Select');
    await page.getByRole('toolbar').getByRole('button', { name: 'All' }).click();
    await sidebar(page).getByText('1,000 selected').waitFor();
    await notice(page, 'The newest 1,000 are selected').waitFor();
    await page.getByRole('toolbar').getByRole('button', { name: 'Archive' }).click();
    await notice(page, '1,000 chats archived').waitFor();
    await conversation(page, 'Talk 1000').waitFor();
  },
);
