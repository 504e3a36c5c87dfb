// Two servers on one database, and the one that researches is killed in each state: the other goes on with the same run.
import { build } from '@parley/scripts/build';
import { startFakeProvider, type FakeProvider } from '@parley/scripts/fake-provider';
import type { FinalEvent } from '@parley/schema/generation/events';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { isAskedAbout } from '../../support/exchange.ts';
import { finalOf, startServerPair, type ServerPair } from '../../support/installation/server-pair.ts';
import { readWaitingPlan, readReport, researchAsk, started, listStepCalls } from './asks.ts';
import { startWeb, type FakeWeb } from '../../support/tools/fake-web.ts';

let provider: FakeProvider;
let web: FakeWeb;

beforeAll(async () => {
  await build();
  provider = await startFakeProvider();
  web = await startWeb();
}, 300_000);
afterAll(async () => {
  await provider.close();
  await web.close();
});

let pair: ServerPair;

beforeEach(async () => {
  web.searches.length = 0;
  pair = await startServerPair(provider, {
    OPENAI_MODELS: 'gpt-4',
    SEARXNG_URL: web.url,
    EGRESS_ALLOWED_HOSTS: '127.0.0.1',
    TITLE_CONVO: 'false',
    CHECK_BALANCE: 'true',
    TOOL_CALLS_PER_MINUTE: '10000',
  });
}, 120_000);

/** What was paid for the run, and what is left of the balance. */
async function booksOf({ sql }: ServerPair) {
  const [books] = await sql<{ credits: number; reserved: number; ledger: number; notes: number; steps: number }[]>`
    select b.credits::int as credits, b.reserved::int as reserved,
      (select sum(token_value)::int from transactions) as ledger,
      (select count(*)::int from research_notes) as notes,
      (select count(distinct step_id)::int from research_notes) as steps
    from balances b`;
  return books;
}

async function expectWhole(final: FinalEvent, steps: number): Promise<void> {
  expect(final.reply).toMatchObject({ finishReason: 'stop', reason: null, unfinished: false });
  expect(listStepCalls(final.reply).map(({ state }) => state)).toEqual(Array.from({ length: steps }, () => 'done'));
  expect(readReport(final.reply)).toContain('42 of them');
  expect(readReport(final.reply).match(/^# On the parts$/gm)).toHaveLength(1);
  const books = await booksOf(pair);
  expect(books).toMatchObject({ reserved: 0, credits: books?.ledger, notes: steps, steps });
}

async function planned(options: string) {
  const input = researchAsk(options);
  await pair.desk.api.messages.ask.mutate(input);
  return finalOf(pair.desk, input.generationId);
}

describe('a server that is killed', () => {
  it('while it plans leaves the plan to another', async () => {
    const input = researchAsk('steps=3,late=plan');
    await pair.desk.api.messages.ask.mutate(input);
    await provider.waitForRequest(isAskedAbout('late=plan'));
    await pair.kill();
    const final = await finalOf(pair.phone, input.generationId);
    expect(final.reply.finishReason).toBe('tool_calls');
    expect(readWaitingPlan(final).steps).toHaveLength(3);
  });

  it('while the plan waits leaves it as it is', async () => {
    const plan = await planned('steps=3');
    await pair.kill();
    const input = started(plan);
    await pair.phone.api.messages.ask.mutate(input);
    await expectWhole(await finalOf(pair.phone, input.generationId), 3);
  });

  it('while it looks up steps leaves those that are open to another, and pays none twice', async () => {
    const plan = await planned('steps=4,late=part 3');
    const input = started(plan);
    await pair.desk.api.messages.ask.mutate(input);
    await expect.poll(async () => (await booksOf(pair))?.notes).toBeGreaterThan(1);
    await pair.kill();
    const ended = await booksOf(pair);
    const before = web.searches.length;
    const final = await finalOf(pair.phone, input.generationId);
    await expectWhole(final, 4);
    expect(ended?.notes).toBeLessThan(4);
    // What was found is not looked up again.
    expect(web.searches.length - before).toBeLessThanOrEqual(4 - (ended?.notes ?? 0));
  });

  it('while it writes leaves the report to another, which writes it once', async () => {
    const plan = await planned('steps=2,late=report');
    const input = started(plan);
    await pair.desk.api.messages.ask.mutate(input);
    await provider.waitForRequest(
      (request) => isAskedAbout('late=report')(request) && isAskedAbout('Write the report')(request),
    );
    // The report's first words are logged in one event or in several.
    await expect
      .poll(() => pair.sql`select string_agg(event->>'text', '' order by seq) as text from generation_events`)
      .toMatchObject([{ text: expect.stringContaining('# On') }]);
    await pair.kill();
    await expectWhole(await finalOf(pair.phone, input.generationId), 2);
    expect(web.searches).toHaveLength(2);
  });
});
