// What a person sees of what was used.
import { generations } from '@parley/db/tables/generations';
import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { exchange, followUp, question } from '../../support/exchange.ts';
import { openTestServices, type TestServices } from '../../support/services.ts';

let services: TestServices;

beforeAll(async () => {
  services = await openTestServices();
});
afterAll(() => services.close());

test('answers and tokens are counted by month and model, for their own user, for a year', async () => {
  const alice = await services.as('alice');
  const bob = await services.as('bob');
  expect(await alice.api.usage.byMonth()).toEqual([]);
  const first = await exchange(services, alice.id, question('One'));
  const second = await exchange(services, alice.id, followUp('Two', first));
  const old = await exchange(services, alice.id, question('Long ago', { model: 'fake:plain' }));
  const older = await exchange(services, alice.id, question('Longer ago', { model: 'fake:plain' }));
  const { query } = services.deps.db;
  const date = async (id: string | null, months: number) =>
    query
      .update(generations)
      .set({ createdAt: sql`now() - make_interval(months => ${months}::int)` })
      .where(eq(generations.id, id ?? ''));
  await date(old.reply.generationId, 2);
  await date(older.reply.generationId, 13);

  const [now, before, ...rest] = await alice.api.usage.byMonth();
  expect(rest).toEqual([]);
  const sum = (name: 'input' | 'output') =>
    (first.reply.usage?.[name] ?? Number.NaN) + (second.reply.usage?.[name] ?? Number.NaN);
  expect(now).toEqual({
    month: new Date().toISOString().slice(0, 7),
    endpoint: 'openAI',
    model: 'fake:echo',
    answers: 2,
    input: sum('input'),
    output: sum('output'),
    rates: null,
  });
  expect(before).toMatchObject({ model: 'fake:plain', answers: 1 });
  expect(before && before.month < (now?.month ?? '')).toBe(true);
  expect(await bob.api.usage.byMonth()).toEqual([]);
});
