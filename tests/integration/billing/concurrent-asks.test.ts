// Many at once: what is not there cannot be spent, whatever happens in which order.
import { generations } from '@parley/db/tables/generations';
import { creditsFor } from '@parley/schema/catalog/rates';
import { Refusal } from '@parley/server/platform/errors';
import { addCredits } from '@parley/server/billing/balances';
import { createServices, type Services } from '@parley/server/services';
import { and, eq, isNull } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { question, readAll } from '../../support/exchange.ts';
import { balanceOf, expectBooksToAgree, spendingOf } from '../../support/credits.ts';
import { openTestServices, type TestServices } from '../../support/services.ts';

/** Of "Hello" alone: its one token and what a message costs beside its text. */
const PROMPT_TOKENS = 5;
const RATE = 6;
const REPLY_RESERVE = 1024;
const FULL = creditsFor(PROMPT_TOKENS, RATE) + creditsFor(REPLY_RESERVE, RATE);

let services: TestServices;
let neighbour: Services;

beforeAll(async () => {
  services = await openTestServices({ CHECK_BALANCE: 'true', TITLE_CONVO: 'false' });
  const { config, secrets, db, log } = services.deps;
  neighbour = await createServices({ config, secrets, db, log, demo: null });
});
afterAll(async () => {
  await neighbour.close();
  await services.close();
});

it('of a hundred simultaneous asks in two processes, the ten that the balance covers begin', async () => {
  const { db } = services.deps;
  const { id } = await services.as('alice');
  await addCredits(db, id, 10 * FULL);
  const asks = Array.from({ length: 100 }, () => question('Hello', { model: 'fake:silent' }));
  const outcomes = await Promise.allSettled(
    asks.map((input, n) => (n % 2 === 0 ? services.deps : neighbour.deps).askService.ask(id, input)),
  );
  const refused = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason as unknown] : []));
  expect(refused).toHaveLength(90);
  for (const error of refused) expect(error instanceof Refusal && error.reason.type).toBe('credits_reserved');
  expect(await balanceOf(db, id)).toEqual({ credits: 10 * FULL, reserved: 10 * FULL });

  const running = await db.query
    .select({ id: generations.id })
    .from(generations)
    .where(and(eq(generations.userId, id), isNull(generations.endedAt)));
  await Promise.all(running.map((run) => services.deps.askService.stop(id, run.id)));
  await expectBooksToAgree(db, id);
  const spent = (await spendingOf(db, id)).reduce((sum, { tokenValue }) => sum - tokenValue, 0);
  expect(await balanceOf(db, id)).toEqual({ credits: 10 * FULL - spent, reserved: 0 });
});

it('asks that begin in a row share the balance that is left', async () => {
  const { db } = services.deps;
  const { id } = await services.as('bob');
  await addCredits(db, id, FULL);
  const spent: number[] = [];
  for (let n = 0; n < 5; n++) {
    const input = question('Hello');
    await services.deps.askService.ask(id, input);
    await readAll(services, id, input.generationId);
    spent.push((await spendingOf(db, id, input.generationId)).length);
  }
  expect(spent).toEqual([2, 2, 2, 2, 2]);
  await expectBooksToAgree(db, id);
});

it('the ledger always adds up to the balance', async () => {
  const { db } = services.deps;
  const { id, api } = await services.as('carol');
  const chance = seeded(20240429);
  const scenarios = [
    'echo',
    'no-usage',
    'error-500',
    'cut:8',
    'never-ending',
    'empty',
    'length',
    'long:3000',
    'refusal',
  ];
  for (let round = 0; round < 12; round++) {
    if (round % 3 === 0) await addCredits(db, id, 1 + Math.floor(chance() * 4000));
    const asks = Array.from({ length: 1 + Math.floor(chance() * 5) }, () => {
      const scenario = scenarios[Math.floor(chance() * scenarios.length)] ?? 'echo';
      return question(`[[${scenario}]] ${'word '.repeat(Math.floor(chance() * 60))}`, { model: 'gpt-3.5-turbo' });
    });
    await Promise.allSettled(asks.map((input) => api.messages.ask(input)));
    const after = Math.floor(chance() * 60);
    await new Promise((resolve) => setTimeout(resolve, after));
    await Promise.all(asks.map(({ generationId }) => api.messages.abort({ generationId })));
    await expectBooksToAgree(db, id);
  }
  expect((await balanceOf(db, id)).reserved).toBe(0);
});

/** The same numbers every time (mulberry32). */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
