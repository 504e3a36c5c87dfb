// What a provider tells of the tokens that it used is money: no number of its makes a balance larger.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { transactions } from '@parley/db/tables/money';
import { pgCodeOf } from '@parley/db/client';
import { startFakeProvider, type FakeProvider } from '@parley/scripts/fake-provider';
import { plainText } from '@parley/scripts/fake-provider/speaking';
import { addCredits, pay } from '@parley/server/money/balances';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exchange, question } from '../../support/exchange.ts';
import { createFolder } from '../../support/folders.ts';
import { balanceOf, expectBooksToAgree, spendingOf } from '../../support/money.ts';
import { openTestRooms, type Person, type TestRooms } from '../../support/rooms.ts';

const PLENTY = 10_000_000;

let hers: FakeProvider;
let rooms: TestRooms;
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
  rooms = await openTestRooms({ CONFIG_PATH, EGRESS_ALLOWED_HOSTS, CHECK_BALANCE: 'true', TITLE_CONVO: 'false' });
  alice = await rooms.as('alice');
  const value = JSON.stringify({ apiKey: 'sk-hers', baseURL: `${hers.url}/v1` });
  await alice.api.keys.save({ name: 'Mine', value, expiresAt: null });
  await addCredits(rooms.deps.db, alice.id, PLENTY);
});
afterAll(async () => {
  await rooms.close();
  await hers.close();
});

const places = { openAI: { endpoint: 'openAI', model: 'gpt-4' }, Mine: { endpoint: 'Mine', model: 'own-1' } };
const credits = async () => (await balanceOf(rooms.deps.db, alice.id)).credits;

/** What the fake says, and about how many tokens it is. */
async function hear(place: keyof typeof places, told: string) {
  const asked = `[[usage-told:${told}]]`;
  const { reply } = await exchange(rooms, alice.id, question(asked, places[place]));
  return { reply, tokens: Math.ceil(Buffer.byteLength(plainText(asked)) / 4) };
}

describe.each(['openAI', 'Mine'] as const)('what cannot be true of an answer of %s', (place) => {
  it.each(['1,-1000000', '9,0.5', '0.5,9', '9,9007199254740993', '9,1e15', '-5,-5'])(
    'such as %s is not counted: the answer ends, and costs what we think',
    async (told) => {
      const before = await credits();
      const { reply, tokens } = await hear(place, told);
      expect(reply).toMatchObject({ finishReason: 'stop', reason: null });
      expect(reply.usage).toMatchObject({ output: tokens, estimated: true });
      expect(await spendingOf(rooms.deps.db, alice.id, reply.generationId ?? '')).toMatchObject([
        { tokenType: 'prompt', isEstimated: true },
        { tokenType: 'completion', isEstimated: true, rawAmount: -tokens },
      ]);
      expect(await credits()).toBeLessThan(before);
      await expectBooksToAgree(rooms.deps.db, alice.id);
    },
  );
});

describe('a server of the user’s own', () => {
  it.each(['1,1', '900,1', '1,900'])(
    'that tells less than was asked and said, such as %s, is not believed',
    async (told) => {
      const { reply, tokens } = await hear('Mine', told);
      const [prompt, completion] = await spendingOf(rooms.deps.db, alice.id, reply.generationId ?? '');
      expect(prompt).toMatchObject({ isEstimated: true });
      expect(prompt?.rawAmount).toBeLessThan(-4);
      expect(completion).toMatchObject({ isEstimated: true, rawAmount: -tokens });
    },
  );

  it('that tells as much or more is believed', async () => {
    const { reply } = await hear('Mine', '900,901');
    expect(await spendingOf(rooms.deps.db, alice.id, reply.generationId ?? '')).toMatchObject([
      { isEstimated: false, rawAmount: -900 },
      { isEstimated: false, rawAmount: -901 },
    ]);
  });
});

it('the operator’s provider is believed when it tells less than we think', async () => {
  const { reply } = await hear('openAI', '3,2');
  expect(reply.usage).toEqual({ input: 3, output: 2 });
});

it('an answer whose usage the database refuses ends without it, and is paid by what we think', async () => {
  const { sql } = rooms.deps.db;
  await sql`alter table transactions add constraint no_dozen check (raw_amount <> -12)`;
  const { reply, tokens } = await hear('openAI', '9,12');
  await sql`alter table transactions drop constraint no_dozen`;
  expect(reply).toMatchObject({ finishReason: 'stop', reason: null, usage: null });
  expect(await spendingOf(rooms.deps.db, alice.id, reply.generationId ?? '')).toMatchObject([
    { tokenType: 'prompt', isEstimated: true },
    { tokenType: 'completion', isEstimated: true, rawAmount: -tokens },
  ]);
  await expectBooksToAgree(rooms.deps.db, alice.id);
});

describe('the ledger', () => {
  const entry = { tokenType: 'completion', context: 'message', model: null, rawAmount: 5, tokenValue: 5 } as const;

  it('takes nothing for spent that gives credits', async () => {
    const { query } = rooms.deps.db;
    const refused = await query
      .insert(transactions)
      .values({ ...entry, userId: alice.id })
      .catch(pgCodeOf);
    expect(refused).toBe('23514');
  });

  it('takes nothing from a bill that is less than nothing', async () => {
    const before = await credits();
    const item = { tokenType: 'completion', tokens: -5, rate: 6, credits: -30 } as const;
    const run = { userId: alice.id, convoId: '00000000-0000-4000-8000-000000000000', generationId: null, model: null };
    const bill = { ...run, context: 'message', isEstimated: false, items: [item] } as const;
    await rooms.deps.db.query.transaction((tx) => pay(tx, bill, 0));
    expect(await credits()).toBe(before);
    await expectBooksToAgree(rooms.deps.db, alice.id);
  });
});
