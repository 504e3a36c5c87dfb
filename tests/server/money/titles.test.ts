// A title is a call of its own, and paid as one.
import { addCredits } from '@parley/server/money/balances';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { exchange, question } from '../../support/exchange.ts';
import { expectBooksToAgree, spendingOf } from '../../support/money.ts';
import { openTestRooms, type TestRooms } from '../../support/rooms.ts';

let rooms: TestRooms;

beforeAll(async () => {
  rooms = await openTestRooms({ CHECK_BALANCE: 'true' });
});
afterAll(() => rooms.close());

it('is paid under its own name', async () => {
  const { db } = rooms.deps;
  const { id, api } = await rooms.as('alice');
  await addCredits(db, id, 1_000_000);
  const { convo } = await exchange(rooms, id, question('How do I boil an egg?'));
  const title = async () => (await api.convos.byId({ conversationId: convo.conversationId })).title;
  await expect.poll(title, { timeout: 10_000 }).not.toBeNull();
  const entries = (await spendingOf(db, id)).filter(({ context }) => context === 'title');
  expect(entries).toMatchObject([
    { tokenType: 'prompt', convoId: convo.conversationId, generationId: null },
    { tokenType: 'completion', convoId: convo.conversationId, generationId: null },
  ]);
  expect(entries.every(({ tokenValue }) => tokenValue < 0)).toBe(true);
  await expectBooksToAgree(db, id);
});

it('is made of the question when nothing is left to pay a model with', async () => {
  const { db } = rooms.deps;
  const { id, api } = await rooms.as('bob');
  await addCredits(db, id, 600);
  const { convo, reply } = await exchange(rooms, id, question('How do I boil an ostrich egg?', { model: 'gpt-4' }));
  expect(reply).toMatchObject({ finishReason: 'stop', reason: null });
  const title = async () => (await api.convos.byId({ conversationId: convo.conversationId })).title;
  await expect.poll(title, { timeout: 10_000 }).toMatch(/^How do I boil an ostrich egg\?/);
  expect((await spendingOf(db, id)).filter(({ context }) => context === 'title')).toEqual([]);
  await expectBooksToAgree(db, id);
});
