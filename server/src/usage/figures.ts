// Tests of this room: tests/integration/billing/usage.test.ts.
import type { usageDays, usageTotals } from '@parley/db/tables/balances';
import { USAGE_FIGURES } from '@parley/schema/accounts/usage';
import { sql } from 'drizzle-orm';

/** The sums of a group of rows. As asks count those of people: titles, summaries and pictures come with them. */
export function usageSums(table: typeof usageDays | typeof usageTotals) {
  return {
    asks: sql<number>`coalesce(sum(${table.asks}) filter (where ${table.kind} in ('chat', 'api')), 0)::float8`,
    input: sql<number>`coalesce(sum(${table.input}), 0)::float8`,
    cachedRead: sql<number>`coalesce(sum(${table.cachedRead}), 0)::float8`,
    cachedWrite: sql<number>`coalesce(sum(${table.cachedWrite}), 0)::float8`,
    output: sql<number>`coalesce(sum(${table.output}), 0)::float8`,
    reasoning: sql<number>`coalesce(sum(${table.reasoning}), 0)::float8`,
    credits: sql<number>`coalesce(sum(${table.credits}), 0)::float8`,
    unpriced: sql<number>`coalesce(sum(${table.unpriced}), 0)::float8`,
  };
}

const FIGURES = [...USAGE_FIGURES, 'estimated'] as const;

/** A row for each key: the first one of its group, with the sums of all. */
export function sumBy<Row extends { [Name in (typeof FIGURES)[number]]?: number | undefined }>(
  rows: readonly Row[],
  keyOf: (row: Row) => string,
): Row[] {
  const byKey = new Map<string, Row>();
  for (const row of rows) {
    const sum = byKey.get(keyOf(row));
    if (!sum) byKey.set(keyOf(row), { ...row });
    else for (const name of FIGURES) if (row[name] !== undefined) sum[name] = (sum[name] ?? 0) + row[name];
  }
  return [...byKey.values()];
}
