// An answer may grow beyond what was set aside for it: only as far as there are credits.
import { randomUUID } from 'node:crypto';
import { connect } from '@parley/db/client';
import { generations } from '@parley/db/tables/generations';
import { balances } from '@parley/db/tables/balances';
import { messageText } from '@parley/schema/messages/messages';
import { creditsFor } from '@parley/schema/catalog/rates';
import { addCredits, extendReservation } from '@parley/server/billing/balances';
import { createBilling } from '@parley/server/billing/billing';
import { createBudgets } from '@parley/server/billing/budgets/budgets';
import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exchange, isAskedAbout, question, readAll } from '../../support/exchange.ts';
import { balanceOf, expectBooksToAgree, spendingOf } from '../../support/credits.ts';
import { openTestServices, type TestServices } from '../../support/services.ts';

/** Of gpt-4, for a token of an answer. */
const RATE = 60;
const REPLY_RESERVE = 1024;
/** What may be said beyond what is set aside, with the piece that went beyond it. */
const SLACK = creditsFor(64 + 10, RATE);

let services: TestServices;

beforeAll(async () => {
  services = await openTestServices({ CHECK_BALANCE: 'true', TITLE_CONVO: 'false' });
});
afterAll(() => services.close());

const worthOf = (text: string) => creditsFor(Math.ceil(Buffer.byteLength(text) / 4), RATE);
/** 10,000 tokens, about. */
const long = (text: string, characters = 40_000) => question(`[[long:${characters}]] ${text}`, { model: 'gpt-4' });

describe('answers longer than their reservation', () => {
  it('together spend no more than the balance, however many run at once', async () => {
    const { db } = services.deps;
    const { id } = await services.as('alice');
    // Not even enough for one of them.
    const credits = 500_000;
    await addCredits(db, id, credits);
    // A single one would take seconds to spend them: all have asked by then.
    const asked = () => question('[[fast:20000]] At once', { model: 'gpt-4' });
    const outcomes = await Promise.allSettled(Array.from({ length: 12 }, () => exchange(services, id, asked())));
    const finals = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
    for (const outcome of outcomes)
      if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ reason: { type: 'credits_reserved' } });
    const worth = finals.reduce((sum, { reply }) => sum + worthOf(messageText(reply)), 0);
    expect(worth).toBeGreaterThan(0.9 * credits);
    expect(worth).toBeLessThan(credits + finals.length * SLACK);
    expect(finals.length).toBeGreaterThan(1);
    for (const { reply } of finals) {
      expect(reply).toMatchObject({ finishReason: 'incomplete', unfinished: false, usage: { estimated: true } });
      // While others run, what is left is theirs.
      expect(['token_balance', 'credits_reserved']).toContain(reply.reason?.type);
    }
    expect(await balanceOf(db, id)).toEqual({ credits: 0, reserved: 0 });
    await expectBooksToAgree(db, id);
    await expect.poll(() => services.provider.openStreams()).toBe(0);
  });

  it('are whole when the balance suffices, and release what they reserved', async () => {
    const { db } = services.deps;
    const { id } = await services.as('bob');
    await addCredits(db, id, 1_000_000);
    const input = long('Enough', 20_000);
    await services.deps.askService.ask(id, input);
    const most = { reserved: 0 };
    const [entries] = await Promise.all([
      readAll(services, id, input.generationId),
      expect
        .poll(async () => (most.reserved = Math.max(most.reserved, (await balanceOf(db, id)).reserved)))
        .toBeGreaterThan(2 * REPLY_RESERVE * RATE),
    ]);
    const last = entries.at(-1)?.event;
    expect(last).toMatchObject({ type: 'final', reply: { finishReason: 'stop', reason: null } });
    const [prompt, completion] = await spendingOf(db, id, input.generationId);
    expect(completion).toMatchObject({ isEstimated: false, rate: RATE });
    const spent = (prompt?.tokenValue ?? 0) + (completion?.tokenValue ?? 0);
    expect(await balanceOf(db, id)).toEqual({ credits: 1_000_000 + spent, reserved: 0 });
    await expectBooksToAgree(db, id);
  });

  it('that come in one piece spend the whole balance', async () => {
    const { db } = services.deps;
    const { id } = await services.as('carol');
    const input = question(`[[big-line:4]] ${'Much is asked. '.repeat(100)}`, { model: 'gpt-4' });
    await addCredits(db, id, 20_000);
    const { reply } = await exchange(services, id, input);
    expect(reply.reason).toMatchObject({ type: 'token_balance', balance: 20_000 });
    expect(await balanceOf(db, id)).toEqual({ credits: 0, reserved: 0 });
    await expectBooksToAgree(db, id);
  });
});

it('a reply does not wait for a database that is down', async () => {
  const away = connect({ kind: 'url', url: 'postgres://nobody@127.0.0.1:1/nothing' });
  const { id: userId } = await services.as('alice');
  const ask = {
    userId,
    owner: randomUUID(),
    generationId: randomUUID(),
    endpointType: 'openAI' as const,
    model: 'gpt-4',
    settings: {},
    rates: undefined,
    isUsersServer: false,
    countPromptTokens: async () => 5,
  };
  const words = Array.from({ length: 5 }, () => ({ type: 'text' as const, text: 'word '.repeat(1000) }));
  const meter = createBilling(away, true, createBudgets(away)).meter(
    ask,
    { credits: 300, promptTokens: 5, isOfBalance: true, isOfBudget: false, ofKey: null },
    false,
  );
  const said = meter.pass(
    () => each(words),
    () => 5,
    new AbortController().signal,
  );
  const heard = [];
  for await (const delta of said) heard.push(delta);
  expect(heard).toEqual(words);
  await away.end();
});

describe('extending a reservation', () => {
  it('takes what is free and no more when many do it at once', async () => {
    const { db } = services.deps;
    const { id } = await services.as('bob');
    const asks = Array.from({ length: 5 }, (_, n) => question(`More ${n}`, { model: 'fake:silent' }));
    await Promise.all(asks.map((input) => services.deps.askService.ask(id, input)));
    const keys = await keysOf(asks.map(({ generationId }) => generationId));
    const free = 250_001;
    await db.query
      .update(balances)
      .set({ reserved: sql`${balances.credits} - ${free}` })
      .where(eq(balances.userId, id));
    const before = await balanceOf(db, id);
    const runs = Array.from({ length: 10 }, () => keys).flat();
    const got = await Promise.all(runs.map((key) => extendReservation(db.query, { userId: id, ...key }, 7000)));
    expect(got.reduce((sum, credits) => sum + credits, 0)).toBe(free);
    expect(got.every((credits) => credits === 7000 || credits === 0 || credits === free % 7000)).toBe(true);
    expect(await balanceOf(db, id)).toEqual({ credits: before.credits, reserved: before.credits });
    const held = await db.query
      .select({ held: sql<number>`sum(${generations.reservation})::float8` })
      .from(generations)
      .where(eq(generations.userId, id));
    expect(held[0]?.held).toBeGreaterThanOrEqual(free);
    // What was set aside by hand is nobody's.
    const others = before.credits - free;
    const begun = await Promise.all(asks.map(({ generationId }) => services.deps.askService.stop(id, generationId)));
    expect(begun).toHaveLength(5);
    expect((await balanceOf(db, id)).reserved).toBeLessThanOrEqual(others);
  });

  it('takes nothing for a run that has ended or belongs to another process', async () => {
    const { db } = services.deps;
    const { id } = await services.as('alice');
    await addCredits(db, id, 500_000);
    const input = question('Not mine', { model: 'fake:silent' });
    await services.deps.askService.ask(id, input);
    await services.provider.waitForRequest(isAskedAbout('Not mine'));
    const [key] = await keysOf([input.generationId]);
    const owner = key?.owner ?? '';
    const more = (who: string) =>
      extendReservation(db.query, { userId: id, owner: who, generationId: input.generationId }, 9);
    expect(await more(randomUUID())).toBe(0);
    expect(await more(owner)).toBe(9);
    await expectBooksToAgree(db, id);
    await services.deps.askService.stop(id, input.generationId);
    expect(await more(owner)).toBe(0);
    await expectBooksToAgree(db, id);
  });
});

async function* each<T>(values: readonly T[]) {
  yield* values;
}

function keysOf(ids: string[]) {
  return services.deps.db.query
    .select({ generationId: generations.id, owner: generations.owner })
    .from(generations)
    .where(sql`${generations.id} in ${ids}`);
}
