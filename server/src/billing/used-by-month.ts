// What a person's answers have used, from the runs that wrote them: nothing is counted while one asks.
import type { Db } from '@parley/db/client';
import { generations } from '@parley/db/tables/generations';
import type { CountedUsage } from '@parley/schema/accounts/usage';
import type { Rates } from '@parley/schema/catalog/rates';
import { and, eq, isNotNull, sql } from 'drizzle-orm';

/** Of this month and the eleven before it, the newest first. */
export async function usedByMonth({ query }: Db, userId: string): Promise<CountedUsage[]> {
  const month = sql<string>`to_char(${generations.createdAt} at time zone 'utc', 'YYYY-MM')`;
  const rates = sql<Rates | null>`${generations.usage} -> 'rates'`;
  const tokens = (name: 'input' | 'output') =>
    sql<number>`coalesce(sum((${generations.usage} ->> ${sql.raw(`'${name}'`)})::numeric), 0)::float8`;
  const since = sql`date_trunc('month', now() at time zone 'utc') at time zone 'utc' - interval '11 months'`;
  return query
    .select({
      month,
      endpoint: generations.endpoint,
      model: generations.model,
      answers: sql<number>`count(*)::int`,
      input: tokens('input'),
      output: tokens('output'),
      rates,
    })
    .from(generations)
    .where(and(eq(generations.userId, userId), isNotNull(generations.usage), sql`${generations.createdAt} >= ${since}`))
    .groupBy(month, generations.endpoint, generations.model, rates)
    .orderBy(sql`1 desc`);
}
