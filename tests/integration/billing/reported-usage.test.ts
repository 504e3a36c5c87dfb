// What a provider reports of the tokens that it used is money: no number of its makes a balance larger.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { transactions } from '@parley/db/tables/balances';
import { findPgCode } from '@parley/db/client';
import { startFakeProvider, type FakeProvider } from '@parley/scripts/fake-provider';
import { plainText } from '@parley/scripts/fake-provider/reply-scenarios';
import { addCredits, pay } from '@parley/server/billing/balances';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exchange, question } from '../../support/exchange.ts';
import { createFolder } from '../../support/folders.ts';
import { balanceOf, expectBooksToAgree, spendingOf } from '../../support/credits.ts';
import { openTestServices, type Person, type TestServices } from '../../support/services.ts';

const PLENTY = 10_000_000;

let hers: FakeProvider;
let services: TestServices;
let alice: Person;

beforeAll(async () => {
  hers = await startFakeProvider();
  const CONFIG_PATH = join(createFolder(), 'parley.yaml');
  writeFileSync(
    CONFIG_PATH,
    `version: 1.0.7
endpoints:
  custom:
    - { name: Mine, apiKey: user_provided, baseURL: user_provided, models: { default: [own-1] }, titleConvo: false }
`,
  );
  const EGRESS_ALLOWED_HOSTS = new URL(hers.url).host;
  services = await openTestServices({ CONFIG_PATH, EGRESS_ALLOWED_HOSTS, CHECK_BALANCE: 'true', TITLE_CONVO: 'false' });
  alice = await services.as('alice');
  const value = JSON.stringify({ apiKey: 'sk-hers', baseURL: `${hers.url}/v1` });
  await alice.api.keys.save({ name: 'Mine', value, expiresAt: null });
  await addCredits(services.deps.db, alice.id, PLENTY);
});
afterAll(async () => {
  await services.close();
  await hers.close();
});

const targets = { openAI: { endpoint: 'openAI', model: 'gpt-4' }, Mine: { endpoint: 'Mine', model: 'own-1' } };
const credits = async () => (await balanceOf(services.deps.db, alice.id)).credits;

/** What the fake answers, and about how many tokens it is. */
async function hear(endpoint: keyof typeof targets, told: string) {
  const asked = `[[usage-told:${told}]]`;
  const { reply } = await exchange(services, alice.id, question(asked, targets[endpoint]));
  return { reply, tokens: Math.ceil(Buffer.byteLength(plainText(asked)) / 4) };
}

describe.each(['openAI', 'Mine'] as const)('impossible usage of an answer of %s', (endpoint) => {
  it.each(['1,-1000000', '9,0.5', '0.5,9', '9,9007199254740993', '9,1e15', '-5,-5'])(
    'such as %s is ignored: the answer ends and is charged by the estimate',
    async (told) => {
      const before = await credits();
      const { reply, tokens } = await hear(endpoint, told);
      expect(reply).toMatchObject({ finishReason: 'stop', reason: null });
      expect(reply.usage).toMatchObject({ output: tokens, estimated: true });
      expect(await spendingOf(services.deps.db, alice.id, reply.generationId ?? '')).toMatchObject([
        { tokenType: 'prompt', isEstimated: true },
        { tokenType: 'completion', isEstimated: true, rawAmount: -tokens },
      ]);
      expect(await credits()).toBeLessThan(before);
      await expectBooksToAgree(services.deps.db, alice.id);
    },
  );
});

describe('a server at an address of the user', () => {
  it.each(['1,1', '900,1', '1,900'])(
    'that reports less than was sent and received, such as %s, is charged by the estimate',
    async (told) => {
      const { reply, tokens } = await hear('Mine', told);
      const [prompt, completion] = await spendingOf(services.deps.db, alice.id, reply.generationId ?? '');
      expect(prompt).toMatchObject({ isEstimated: true });
      expect(prompt?.rawAmount).toBeLessThan(-4);
      expect(completion).toMatchObject({ isEstimated: true, rawAmount: -tokens });
    },
  );

  it('that reports as much or more is charged as reported', async () => {
    const { reply } = await hear('Mine', '900,901');
    expect(await spendingOf(services.deps.db, alice.id, reply.generationId ?? '')).toMatchObject([
      { isEstimated: false, rawAmount: -900 },
      { isEstimated: false, rawAmount: -901 },
    ]);
  });
});

it('a provider of the operator is charged as reported, even below the estimate', async () => {
  const { reply } = await hear('openAI', '3,2');
  expect(reply.usage).toMatchObject({ input: 3, output: 2 });
});

it('a reply whose usage the database rejects ends and is charged by the estimate', async () => {
  const { sql } = services.deps.db;
  await sql`alter table transactions add constraint no_dozen check (raw_amount <> -12)`;
  const { reply, tokens } = await hear('openAI', '9,12');
  await sql`alter table transactions drop constraint no_dozen`;
  expect(reply).toMatchObject({ finishReason: 'stop', reason: null, usage: null });
  expect(await spendingOf(services.deps.db, alice.id, reply.generationId ?? '')).toMatchObject([
    { tokenType: 'prompt', isEstimated: true },
    { tokenType: 'completion', isEstimated: true, rawAmount: -tokens },
  ]);
  await expectBooksToAgree(services.deps.db, alice.id);
});

describe('the ledger', () => {
  const entry = { tokenType: 'completion', context: 'message', model: null, rawAmount: 5, tokenValue: 5 } as const;

  it('does not count added credits as spent', async () => {
    const { query } = services.deps.db;
    const refused = await query
      .insert(transactions)
      .values({ ...entry, userId: alice.id })
      .catch(findPgCode);
    expect(refused).toBe('23514');
  });

  it('ignores a negative charge', async () => {
    const before = await credits();
    const item = { tokenType: 'completion', tokens: -5, rate: 6, credits: -30 } as const;
    const run = { userId: alice.id, convoId: '00000000-0000-4000-8000-000000000000', generationId: null, model: null };
    const bill = { ...run, context: 'message', isEstimated: false, items: [item] } as const;
    await services.deps.db.query.transaction((tx) => pay(tx, bill, 0));
    expect(await credits()).toBe(before);
    await expectBooksToAgree(services.deps.db, alice.id);
  });
});
