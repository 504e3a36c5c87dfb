// A year of a thousand people, as administrators and a person look at it.
import { USAGE_GROUPS } from '@parley/schema/accounts/budget-rules';
import { serverUsage } from '@parley/server/admin/usage/server-usage';
import { ownUsage } from '@parley/server/usage/router';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase } from '../../support/database.ts';
import { bestOf } from '../../support/measuring/best-of.ts';

const BOUND_MS = 300;
const NOW = new Date('2026-11-27T12:00:00Z');

let database: Awaited<ReturnType<typeof createTestDatabase>>;

beforeAll(async () => {
  database = await createTestDatabase();
  const { sql } = database.db;
  await sql`
    insert into users (email, name)
    select 'person' || n || '@example.com', 'Person ' || n from generate_series(1, 1000) n`;
  await sql`
    insert into usage_days (user_id, day, endpoint, model, kind, asks, input, output, credits, estimated)
    select u.id, day::date, 'openAI', model, 'chat', 9, 9000, 900, 12345, 0
    from users u, generate_series('2025-12-01'::date, '2026-11-30'::date, '1 day') day, unnest(array['gpt-4', 'gpt-5']) model`;
  await sql`
    insert into usage_totals (day, endpoint, model, kind, asks, input, output, credits, estimated)
    select day, endpoint, model, kind, sum(asks), sum(input), sum(output), sum(credits), 0
    from usage_days group by day, endpoint, model, kind`;
  await sql`analyze usage_days, usage_totals`;
}, 600_000);
afterAll(() => database.drop());

test.each(USAGE_GROUPS)('a month by %s is there at once', async (by) => {
  const took = await bestOf(BOUND_MS, async () => {
    const begun = performance.now();
    const { total, rows } = await serverUsage(database.db, { by }, NOW);
    expect(total.asks).toBe(9 * 2 * 30 * 1000);
    expect(rows.length).toBeGreaterThan(0);
    return performance.now() - begun;
  });
  expect(took).toBeLessThan(BOUND_MS);
});

test('so is the own year of one of them', async () => {
  const { db } = database;
  const [someone] = await db.sql<{ id: string }[]>`select id from users limit 1`;
  const budgets = { concern: () => false, left: async () => [] };
  const took = await bestOf(BOUND_MS, async () => {
    const begun = performance.now();
    expect((await ownUsage({ db, budgets }, someone?.id ?? '', undefined, NOW)).months).toHaveLength(12);
    return performance.now() - begun;
  });
  expect(took).toBeLessThan(BOUND_MS);
});
