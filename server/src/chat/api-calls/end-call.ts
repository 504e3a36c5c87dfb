// Ends a call and charges it for what it used, however it ended.
import type { Db } from '@parley/db/client';
import { generations } from '@parley/db/tables/generations';
import { ratesOfCall } from '@parley/schema/catalog/rates';
import type { Usage } from '@parley/schema/catalog/usage';
import type { Reason } from '@parley/schema/reasons';
import { cleanJson } from '@parley/schema/clean-text';
import { and, eq, isNull, sql } from 'drizzle-orm';
import { pay } from '../../billing/balances.ts';
import { billItems } from '../../billing/run-cost.ts';
import type { ApiCall } from './api-call.ts';

export interface CallEnd {
  usage: Usage;
  reason: Reason | null;
  /** Stopped, or broken off. */
  isIncomplete: boolean;
}

const FIRST_EPOCH = 1;

/** Nothing happens when another process has taken it over: that one has ended it, and charged nothing. */
export async function endCall({ query }: Db, owner: string, call: ApiCall, end: CallEnd): Promise<void> {
  const { usage, reason, isIncomplete } = end;
  const { id, kind, holder, model, charge } = call;
  const items = usage.input + usage.output === 0 ? [] : billItems(usage, ratesOfCall(charge), isIncomplete);
  const credits = items.reduce((sum, item) => sum + item.credits, 0);
  const isOurs = and(
    eq(generations.id, id),
    eq(generations.owner, owner),
    eq(generations.epoch, FIRST_EPOCH),
    isNull(generations.endedAt),
  );
  const ended = { endedAt: sql`now()`, usage, reason: cleanJson(reason), credits };
  await query.transaction(async (tx) => {
    const [row] = await tx.update(generations).set(ended).where(isOurs).returning();
    if (!row || row.reservation === null) return;
    const context = kind === 'speech' ? kind : isIncomplete ? ('incomplete' as const) : ('message' as const);
    const bill = { userId: holder.userId, convoId: id, generationId: id, model, context };
    await pay(tx, { ...bill, isEstimated: usage.estimated === true, items }, row.reservation);
  });
}
