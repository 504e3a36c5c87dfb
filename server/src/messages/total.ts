import type { Query } from '@parley/db/client';
import { messages } from '@parley/db/tables/messages';
import type { ReportedRates } from '@parley/schema/catalog/usage';
import type { ModelTotal } from '@parley/schema/messages/model-total';
import { and, sql } from 'drizzle-orm';
import { assertConvo, messagesIn } from '../convos/rows.ts';

/** What the answers of a conversation have taken, all branches, by model. */
export async function modelTotals(query: Query, userId: string, convoId: string): Promise<ModelTotal[]> {
  await assertConvo(query, userId, convoId);
  const { endpointType, model, usage, context } = messages;
  const rates = sql<ReportedRates | null>`${usage} -> 'rates'`;
  const given = sql`nullif((${usage} ->> 'input')::bigint, 0)`;
  const input = sql<number>`sum(coalesce(${given}, (${context} ->> 'tokens')::bigint, 0))`.mapWith(Number);
  const tokens = (name: string) => sql<number>`sum(coalesce((${usage} ->> ${name})::bigint, 0))`.mapWith(Number);
  return query
    .select({
      endpointType,
      model,
      rates,
      input,
      cachedRead: tokens('cachedRead'),
      cachedWrite: tokens('cachedWrite'),
      output: sql<number>`sum((${usage} ->> 'output')::bigint)`.mapWith(Number),
      isEstimate: sql<boolean>`bool_or(${given} is null or coalesce((${usage} ->> 'estimated')::boolean, false))`,
    })
    .from(messages)
    .where(and(messagesIn(userId, convoId), sql`${usage} is not null`))
    .groupBy(endpointType, model, rates);
}
