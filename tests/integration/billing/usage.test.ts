// What is used is counted once, beside the asks: for the person, and for administrators.
import { usageDays, usageTotals } from '@parley/db/tables/balances';
import { convos } from '@parley/db/tables/convos';
import { generations } from '@parley/db/tables/generations';
import { users } from '@parley/db/tables/users';
import { costInCredits, ratesOfCall } from '@parley/schema/catalog/rates';
import { startPluginUpstreams, type PluginUpstreams } from '@parley/scripts/fake-tools/plugin-upstreams';
import { gatherUsage } from '@parley/server/usage/gather';
import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { addCredits } from '@parley/server/billing/balances';
import { spendingOf } from '../../support/credits.ts';
import { exchange, followUp, question } from '../../support/exchange.ts';
import { openTestServices, type Person, type TestServices } from '../../support/services.ts';

let services: TestServices;
let upstreams: PluginUpstreams;
let admin: Person;
/** Of the run without a cost of its own. */
const OLD = { input: 1000, output: 100 };
const MONTH = new Date().toISOString().slice(0, 7);

beforeAll(async () => {
  upstreams = await startPluginUpstreams();
  services = await openTestServices({
    CHECK_BALANCE: 'true',
    OPENAI_MODELS: 'gpt-4,fake:echo,fake:plain',
    DALLE_API_KEY: 'dalle-key',
    DALLE_REVERSE_PROXY: `${upstreams.url}/v1`,
  });
  admin = await services.as('alice', 'ADMIN');
});
afterAll(async () => {
  await services.close();
  await upstreams.close();
});

async function expectCountedOnce(): Promise<void> {
  const { sql: plain } = services.deps.db;
  const sums = (table: string) => plain`
    select sum(asks)::int as asks, sum(credits)::int as credits, sum(input)::int as input, sum(output)::int as output
    from ${plain(table)}`;
  const [runs] = await plain`
    select count(*)::int as asks, sum(coalesce(credits, ${cost(OLD)}))::int as credits, sum((usage ->> 'input')::int)::int as input,
      sum((usage ->> 'output')::int)::int as output from generations where usage is not null`;
  expect((await sums('usage_days'))[0]).toEqual(runs);
  expect((await sums('usage_totals'))[0]).toEqual(runs);
}

it('a person sees answers, titles and pictures by day and model, and their cost is what the ledger has', async () => {
  const { deps } = services;
  const bob = await services.as('bob');
  expect(await bob.api.usage.mine({})).toEqual({ month: MONTH, months: [MONTH], days: [], models: [], budgets: [] });
  await addCredits(deps.db, bob.id, 10_000_000);
  const first = await exchange(services, bob.id, question('One', { model: 'fake:echo' }));
  const counts = async () => {
    const { models } = await bob.api.usage.mine({});
    const sum = (kind: string) => models.reduce((all, row) => all + (row.kind === kind ? row.asks : 0), 0);
    return { chat: sum('chat'), title: sum('title'), picture: sum('picture') };
  };
  // A question before the title would ask for another one.
  await expect.poll(counts).toEqual({ chat: 1, title: 1, picture: 0 });
  await expect.poll(() => titledIn(first.convo.conversationId)).toBe('model');
  await exchange(services, bob.id, followUp('Two [[cut:8]]', first));
  const draw = question('A kite [[call-tool:dalle {"prompt":"a kite"}]]', {
    model: 'gpt-4',
    settings: { tools: ['dalle'] },
  });
  await deps.askService.ask(bob.id, draw, { callsUnasked: true });
  await expect.poll(counts).toEqual({ chat: 3, title: 2, picture: 1 });

  const { days, models, months } = await bob.api.usage.mine({});
  const ledger = (await spendingOf(deps.db, bob.id)).reduce((sum, { tokenValue }) => sum - tokenValue, 0);
  expect(days).toHaveLength(1);
  expect(days[0]).toMatchObject({ asks: 3, credits: ledger });
  expect(models.reduce((sum, { credits }) => sum + credits, 0)).toBe(ledger);
  expect(models.find(({ kind }) => kind === 'picture')).toMatchObject({
    endpoint: 'DALL-E-3',
    model: null,
    credits: 0,
  });
  expect(months).toEqual([MONTH]);
  const carol = await services.as('carol');
  expect((await carol.api.usage.mine({})).models).toEqual([]);
});

async function titledIn(id: string) {
  const [row] = await services.deps.db.query.select({ by: convos.titledBy }).from(convos).where(eq(convos.id, id));
  return row?.by;
}

it('what ended before costs were kept is counted at the prices of the table, in the month of its end', async () => {
  const carol = await services.as('carol');
  await addCredits(services.deps.db, carol.id, 10_000_000);
  const { reply } = await exchange(services, carol.id, question('Long ago', { model: 'gpt-4' }));
  // Its title counts as well, and the next test counts everything.
  await expect.poll(() => titledIn(reply.conversationId)).toBe('model');
  const { query } = services.deps.db;
  const long = await query
    .update(generations)
    .set({ credits: null, usage: OLD, endedAt: sql`date_trunc('month', now()) - interval '40 days'` })
    .where(eq(generations.id, reply.generationId ?? ''))
    .returning({ month: sql<string>`to_char(${generations.endedAt} at time zone 'utc', 'YYYY-MM')` });
  const month = long[0]?.month ?? '';
  const then = await carol.api.usage.mine({ month });
  expect(then.models).toMatchObject([
    { endpoint: 'openAI', model: 'gpt-4', kind: 'chat', asks: 1, ...OLD, credits: cost(OLD) },
  ]);
  expect(then.months).toEqual([MONTH, month]);
});

function cost(usage: { input: number; output: number }): number {
  return costInCredits(usage, ratesOfCall({ endpointType: 'openAI', model: 'gpt-4' }));
}

it('many gather at once, and one of them is killed in its middle: everything is counted once', async () => {
  const { db } = services.deps;
  const { sql: plain } = db;
  const dave = await services.as('dave');
  await plain`
    insert into generations (id, user_id, convo_id, request_id, reply_id, kind, endpoint, model, owner, lease_until,
      ended_at, usage, credits)
    select gen_random_uuid(), ${dave.id}, gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), 'send', 'openAI',
      'm' || n % 7, gen_random_uuid(), now(), now() - make_interval(hours => n % 30), '{"input":3,"output":2}', 12
    from generate_series(1, 2500) n`;
  await plain`alter table usage_totals rename to away`;
  await expect(gatherUsage(db)).rejects.toThrow();
  await plain`alter table away rename to usage_totals`;
  expect(await plain`select from usage_days where user_id = ${dave.id}`).toHaveLength(0);
  await Promise.all([gatherUsage(db), gatherUsage(db), gatherUsage(db)]);
  await expect.poll(() => plain`select from generations where is_uncounted and ended_at is not null`).toHaveLength(0);
  await expectCountedOnce();
});

it('administrators see it by person, model, provider and day, and as lines for a file', async () => {
  const { usage } = admin.api.admin;
  const people = await usage.list({ by: 'person' });
  const names = people.rows.map(({ person }) => person?.name);
  expect(names).toEqual(expect.arrayContaining(['bob', 'dave']));
  expect(people.rows.reduce((sum, { credits }) => sum + credits, 0)).toBe(people.total.credits);
  const models = await usage.list({ by: 'model' });
  expect(models.rows.find(({ kind }) => kind === 'picture')).toMatchObject({ endpoint: 'DALL-E-3', asks: 1 });
  const providers = await usage.list({ by: 'provider' });
  expect(providers.rows.map(({ endpoint }) => endpoint)).toEqual(expect.arrayContaining(['openAI', 'DALL-E-3']));
  const days = await usage.list({ by: 'day' });
  expect(days.rows.map(({ day }) => day)).toContain(new Date().toISOString().slice(0, 10));
  for (const { rows, total } of [models, providers, days]) {
    const asked = rows.filter(({ kind = 'chat' }) => kind === 'chat');
    expect(asked.reduce((sum, { asks }) => sum + asks, 0)).toBe(total.asks);
    expect(total).toEqual(people.total);
  }
  const { lines, next } = await usage.lines({ month: MONTH });
  expect(next).toBe(null);
  expect(lines.reduce((sum, { credits }) => sum + credits, 0)).toBe(people.total.credits);
  expect(lines.find(({ name }) => name === 'bob')).toMatchObject({ email: expect.stringContaining('@') });
  const openAI = (await admin.api.admin.providers.list()).find(({ name }) => name === 'openAI');
  expect(openAI?.month).toEqual(providers.rows.find(({ endpoint }) => endpoint === 'openAI')?.credits);
});

it('the usage of an account that is gone stays in the sums', async () => {
  const dave = await services.as('dave');
  const before = await admin.api.admin.usage.list({ by: 'person' });
  const his = before.rows.find(({ userId }) => userId === dave.id);
  await services.deps.db.query.delete(users).where(eq(users.id, dave.id));
  const after = await admin.api.admin.usage.list({ by: 'person' });
  expect(after.total).toEqual(before.total);
  expect(after.rows.at(-1)).toMatchObject({ key: 'gone', person: null, credits: his?.credits, asks: his?.asks });
  expect(await services.deps.db.query.$count(usageDays, eq(usageDays.userId, dave.id))).toBe(0);
  expect(await services.deps.db.query.$count(usageTotals)).toBeGreaterThan(0);
});

it('months, cursors and groups that are none are refused', async () => {
  const { usage } = admin.api.admin;
  for (const month of ['2026-13', '2026-1', "2026-11'", '\u0000'])
    await expect(admin.api.usage.mine({ month })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  await expect(usage.list({ by: 'person', cursor: -1 })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  await expect(usage.list({ by: 'colour' as 'day' })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
});
