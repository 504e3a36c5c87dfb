// Which answers failed lately, by provider: why, and nothing of what was asked.
import type { Query } from '@parley/db/client';
import { generations } from '@parley/db/tables/generations';
import type { Reason } from '@parley/schema/reasons';
import { and, count, desc, gt, isNotNull, sql } from 'drizzle-orm';

export interface EndpointFailures {
  endpoint: string;
  failed: number;
  /** The most frequent one, without what the provider said: it may quote the question. */
  reason: Reason;
}

/** Of the last hour, those with the most failures first. */
export async function listFailures(query: Query): Promise<EndpointFailures[]> {
  const { endpoint, reason, endedAt } = generations;
  const kind = sql<string>`${reason} ->> 'type'`;
  const rows = await query
    .select({ endpoint, failed: count(), reason: sql<Reason>`(array_agg(${reason} order by ${endedAt} desc))[1]` })
    .from(generations)
    .where(and(isNotNull(reason), gt(endedAt, sql`now() - interval '1 hour'`)))
    .groupBy(endpoint, kind)
    .orderBy(desc(count()), endpoint, kind);
  const found = new Map<string, EndpointFailures>();
  for (const row of rows) {
    const known = found.get(row.endpoint);
    if (known) known.failed += row.failed;
    else found.set(row.endpoint, { ...row, reason: withoutQuote(row.reason) });
  }
  return [...found.values()].toSorted((a, b) => b.failed - a.failed);
}

function withoutQuote(reason: Reason): Reason {
  return 'text' in reason ? { ...reason, text: '' } : reason;
}
