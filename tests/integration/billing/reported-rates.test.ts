// A provider that reports its windows and prices is believed before the names of its models.
import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { generationEvents, generations } from '@parley/db/tables/generations';
import { costInCredits } from '@parley/schema/catalog/rates';
import { startFakeProvider, type FakeProvider } from '@parley/scripts/fake-provider';
import { recoverExpiredRuns } from '@parley/server/chat/recovery';
import { addCredits } from '@parley/server/billing/balances';
import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exchange, isAskedAbout, question } from '../../support/exchange.ts';
import { createFolder } from '../../support/folders.ts';
import { balanceOf, expectBooksToAgree, spendingOf } from '../../support/credits.ts';
import { openTestServices, type Person, type TestServices } from '../../support/services.ts';

/** As the fake reports it: a window of 8,192 tokens; a token for 0.59 credits, and for 0.79 of an answer. */
const MODEL = 'meta-llama/llama-3-70b-instruct';
const RATES = { prompt: 0.59, completion: 0.79 };
const PLENTY = 10_000_000;

let openRouter: FakeProvider;
let services: TestServices;
let alice: Person;

beforeAll(async () => {
  openRouter = await startFakeProvider();
  const CONFIG_PATH = join(createFolder(), 'parley.yaml');
  writeFileSync(
    CONFIG_PATH,
    `version: 1.0.7
endpoints:
  custom:
    - name: OpenRouter
      apiKey: k
      baseURL: ${openRouter.url}/api/v1
      models: { default: [a], fetch: true }
      titleConvo: true
      titleModel: current_model
`,
  );
  services = await openTestServices({ CONFIG_PATH, CHECK_BALANCE: 'true' });
  alice = await services.as('alice');
  await addCredits(services.deps.db, alice.id, PLENTY);
});
afterAll(async () => {
  await services.close();
  await openRouter.close();
});

function toRouter(text: string, model = MODEL) {
  return question(text, { endpoint: 'OpenRouter', model });
}

describe('the prices that OpenRouter reports', () => {
  it('are charged for a reply and its title, and stored with the reply', async () => {
    const { reply } = await exchange(services, alice.id, toRouter('How dear is this?'));
    const { usage } = reply;
    expect(usage).toMatchObject({ rates: RATES });
    await expect.poll(() => spendingOf(services.deps.db, alice.id)).toHaveLength(4);
    const spent = await spendingOf(services.deps.db, alice.id);
    expect(spent).toMatchObject([
      { context: 'message', tokenType: 'prompt', rate: RATES.prompt, rawAmount: -(usage?.input ?? 0) },
      { context: 'message', tokenType: 'completion', rate: RATES.completion, rawAmount: -(usage?.output ?? 0) },
      { context: 'title', tokenType: 'prompt', rate: RATES.prompt },
      { context: 'title', tokenType: 'completion', rate: RATES.completion },
    ]);
    const credits = spent.slice(0, 2).reduce((sum, { tokenValue }) => sum - tokenValue, 0);
    expect(credits).toBe(costInCredits(usage ?? { input: 0, output: 0 }, { ...RATES, cachedRead: 0, cachedWrite: 0 }));
    await expectBooksToAgree(services.deps.db, alice.id);
  });

  it('are reserved, and charged when another process recovers the run', async () => {
    const input = toRouter('[[never-ending]] What is set aside?');
    await alice.api.messages.ask(input);
    await openRouter.waitForRequest(isAskedAbout('What is set aside?'));
    const { reserved } = await balanceOf(services.deps.db, alice.id);
    expect(reserved).toBeGreaterThan(1024 * RATES.completion);
    expect(reserved).toBeLessThan(1100 * RATES.completion);
    const said = eq(generationEvents.generationId, input.generationId);
    await expect.poll(() => services.deps.db.query.$count(generationEvents, said)).toBeGreaterThan(2);
    await services.deps.db.query
      .update(generations)
      .set({ owner: randomUUID(), leaseUntil: sql`now() - interval '1 minute'` })
      .where(eq(generations.id, input.generationId));
    await recoverExpiredRuns(services.deps.db, randomUUID());
    await alice.api.messages.abort({ generationId: input.generationId });
    // The server looks for such runs itself and may have been first: then it charges the run at its own time.
    const spending = () => spendingOf(services.deps.db, alice.id, input.generationId);
    await expect.poll(spending).not.toHaveLength(0);
    const [spent] = await spending();
    expect(spent).toMatchObject({ tokenType: 'prompt', rate: RATES.prompt });
    await expectBooksToAgree(services.deps.db, alice.id);
  });

  it('are zero for a free model', async () => {
    const before = await balanceOf(services.deps.db, alice.id);
    const { reply } = await exchange(services, alice.id, toRouter('Free?', 'mistralai/mistral-7b-instruct:free'));
    expect(reply.reason).toBeNull();
    expect(await spendingOf(services.deps.db, alice.id, reply.generationId ?? '')).toMatchObject([
      { tokenType: 'prompt', rate: 0, tokenValue: 0 },
      { tokenType: 'completion', rate: 0, tokenValue: 0 },
    ]);
    expect((await balanceOf(services.deps.db, alice.id)).reserved).toBe(before.reserved);
  });

  it('come with the window that limits a question', async () => {
    const { conversationId } = question('');
    const ask = { conversationId, parentMessageId: null, endpoint: 'OpenRouter', settings: {} };
    expect(await alice.api.messages.budget({ ...ask, model: MODEL, text: 'Well?' })).toMatchObject({ window: 8192 });
    const text = 'word '.repeat(7200);
    expect(await alice.api.messages.budget({ ...ask, model: MODEL, text })).toMatchObject({ fits: false });
    const { reply } = await exchange(services, alice.id, toRouter(text));
    expect(reply.reason).toMatchObject({ type: 'context_too_long', window: 8192 });
  });

  it('reach the browser beside the model names, whose list stays unchanged', async () => {
    const windows = await alice.api.endpoints.windows();
    expect(windows.OpenRouter).toMatchObject({ [MODEL]: 8192, 'openrouter/auto': 2_000_000 });
    expect(windows.OpenRouter).not.toHaveProperty('fake/odd');
    expect((await alice.api.endpoints.models()).OpenRouter).toEqual(expect.arrayContaining([MODEL, 'fake/odd']));
  });
});
