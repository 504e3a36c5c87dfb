// What a run costs, whether or not anybody is charged for it.
import { addUsage, type TokenCounts, type Usage } from '@parley/schema/catalog/usage';
import { isFree, type Message } from '@parley/schema/messages/messages';
import type { EndpointType } from '@parley/schema/catalog/endpoints';
import { creditsFor, INCOMPLETE_FACTOR, pricedTokens, ratesOfCall, type Rates } from '@parley/schema/catalog/rates';
import { type Item, pay } from './balances.ts';
import type { CallMeter } from './call-meter.ts';
import { NOTHING } from './usage.ts';
import type { Tx } from '@parley/db/client';

export interface PricedRun {
  endpointType: EndpointType;
  /** The run's model: a reply continued with another model still names its first one. */
  model: string | null;
  /** The estimated prompt usage when the run began, with the reported rates if any; null where nothing was reserved. */
  expected: Usage | null;
}

/**
 * What a run used that turned `before` into `reply`, and the usage of the reply over all its runs. `begunAt` is of
 * `performance.now()`.
 */
export async function endedUsage(
  meter: Pick<CallMeter, 'used'>,
  before: Message,
  reply: Message,
  begunAt: number,
): Promise<{ used: Usage; usage: Usage | null }> {
  const counted = await meter.used();
  // What nobody is charged for counts nowhere.
  const used = isFree(reply, counted) ? NOTHING : counted;
  return { used, usage: addUsage(before.usage, { ...used, tookMs: Math.round(performance.now() - begunAt) }) };
}

/** In credits. */
export function runCredits(run: PricedRun, reply: Message, used: Usage): number {
  return runItems(run, reply, used).reduce((sum, { credits }) => sum + credits, 0);
}

/** Lists the ledger entries of a run; none for one that costs nothing. */
export function runItems({ endpointType, model, expected }: PricedRun, reply: Message, used: Usage): Item[] {
  if (isFree(reply, used)) return [];
  return billItems(
    used,
    ratesOfCall({ endpointType, model, rates: expected?.rates ?? used.rates }),
    reply.finishReason === 'incomplete',
  );
}

/** Lists the ledger entries of a usage, one for each price. Stopped completions cost more. */
export function billItems(used: TokenCounts, rates: Rates, isIncomplete: boolean): Item[] {
  const completion = isIncomplete ? Number((rates.completion * INCOMPLETE_FACTOR).toFixed(6)) : rates.completion;
  return pricedTokens(used, { ...rates, completion }).map((item) => ({
    ...item,
    credits: creditsFor(item.tokens, item.rate),
  }));
}

// Charges a reply that has ended, however it ended, in the transaction that saves it.

/** Describes a generation that has just ended. */
export interface Ended {
  id: string;
  convoId: string | null;
  /** The run's model: a reply continued with another model still names its first one. */
  model: string | null;
  /** Null when nothing is charged for it. */
  reservation: number | null;
  /**
   * The estimated prompt usage when the run began, with the reported rates if any. Billing uses these, whichever
   * process ends the run.
   */
  expected: Usage | null;
}

/** Charges a reply for the usage of its run (`used`). */
export async function settleReservation(
  tx: Tx,
  userId: string,
  ended: Ended,
  reply: Message,
  used: Usage,
): Promise<void> {
  const { id: generationId, convoId, model, reservation } = ended;
  if (reservation === null) return;
  const items = runItems({ ...ended, endpointType: reply.endpointType }, reply, used);
  const bill = {
    userId,
    convoId,
    generationId,
    model,
    context: reply.finishReason === 'incomplete' ? ('incomplete' as const) : ('message' as const),
    isEstimated: items.length > 0 && used.estimated === true,
    items,
  };
  await pay(tx, bill, reservation);
}
