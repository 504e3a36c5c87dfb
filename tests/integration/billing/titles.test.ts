// A title is a call of its own, and paid as one.
import { addCredits } from '@parley/server/billing/balances';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { exchange, question } from '../../support/exchange.ts';
import { expectBooksToAgree, spendingOf } from '../../support/credits.ts';
import { openTestServices, type TestServices } from '../../support/services.ts';

let services: TestServices;

beforeAll(async () => {
  services = await openTestServices({ CHECK_BALANCE: 'true' });
});
afterAll(() => services.close());

it('a title is charged under its own name', async () => {
  const { db } = services.deps;
  const { id, api } = await services.as('alice');
  await addCredits(db, id, 1_000_000);
  const { convo } = await exchange(services, id, question('How do I boil an egg?'));
  const title = async () => (await api.convos.byId({ conversationId: convo.conversationId })).title;
  await expect.poll(title).not.toBeNull();
  const entries = (await spendingOf(db, id)).filter(({ context }) => context === 'title');
  expect(entries).toMatchObject([
    { tokenType: 'prompt', convoId: convo.conversationId, generationId: null },
    { tokenType: 'completion', convoId: convo.conversationId, generationId: null },
  ]);
  expect(entries.every(({ tokenValue }) => tokenValue < 0)).toBe(true);
  await expectBooksToAgree(db, id);
});

it('a title is made of the question when the balance is empty', async () => {
  const { db } = services.deps;
  const { id, api } = await services.as('bob');
  await addCredits(db, id, 600);
  const { convo, reply } = await exchange(services, id, question('How do I boil an ostrich egg?', { model: 'gpt-4' }));
  expect(reply).toMatchObject({ finishReason: 'stop', reason: null });
  const title = async () => (await api.convos.byId({ conversationId: convo.conversationId })).title;
  await expect.poll(title).toMatch(/^How do I boil an ostrich egg\?/);
  expect((await spendingOf(db, id)).filter(({ context }) => context === 'title')).toEqual([]);
  await expectBooksToAgree(db, id);
});
