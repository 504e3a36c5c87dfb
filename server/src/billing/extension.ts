// More credits for a run whose reply grows beyond what was reserved for it.
import type { Db } from '@parley/db/client';
import type { Reason } from '@parley/schema/reasons';
import { withTimeout } from '../platform/deadline.ts';
import { extendReservation, findBalance, type RunningKey } from './balances.ts';
import { extendOfKey } from './key-spending.ts';
import { budgetReason, type Budgets } from './budgets/budgets.ts';
import type { Reservation } from './reservation.ts';
import { creditsReserved } from './reserved-reason.ts';

export interface Extension {
  /** Reserves up to this many more credits and returns how many. */
  extend(credits: number): Promise<number>;
  /** Why a reply that costs so much ends. */
  refusal(figures: { balance: number; promptTokens: number; tokenCost: number }): Reason;
}

/** Limits how long a reply waits for its reservation to be extended, in milliseconds. */
const EXTEND_TIMEOUT_MS = 2000;

/**
 * A database outage must not end the reply: it goes on as if the credits were there, and the final bill charges what
 * it used.
 */
export function createExtension(
  { db, budgets }: { db: Db; budgets: Budgets },
  run: RunningKey,
  { credits: reserved, isOfBalance, isOfBudget, ofKey }: Reservation,
): Extension {
  /** All that is reserved for this run. */
  let own = reserved;
  /** Why there was no more; null for the balance. */
  let why: Reason | null = null;
  return {
    extend: (credits) => withTimeout(granted(credits), EXTEND_TIMEOUT_MS, () => credits).catch(() => credits),
    refusal: (figures) => why ?? { type: 'token_balance', ...figures },
  };

  async function granted(asked: number): Promise<number> {
    const credits = await take(asked);
    own += credits;
    return credits;
  }

  /** From each of what holds for the run, of which the last had to give the least. */
  async function take(asked: number): Promise<number> {
    const ofItsKey = ofKey && (await extendOfKey(db, run, ofKey, asked));
    const wanted = ofItsKey?.credits ?? asked;
    if (ofItsKey && wanted < asked) why = othersHold(ofItsKey.unspent);
    if (wanted === 0) return 0;
    const ofBudget = isOfBudget ? await budgets.extend(run, wanted) : { credits: wanted, limit: null };
    const { limit } = ofBudget;
    if (limit) why = othersHold(limit.credits - limit.spent) ?? budgetReason(limit);
    if (!isOfBalance || ofBudget.credits === 0) return ofBudget.credits;
    const credits = await extendReservation(db.query, run, ofBudget.credits);
    if (credits < ofBudget.credits) why = othersHold((await findBalance(db.query, run.userId))?.credits ?? 0);
    return credits;
  }

  /** Of so many credits that are not spent, those that this run does not hold are reserved for others. */
  function othersHold(unspent: number): Reason | null {
    return unspent > own ? creditsReserved() : null;
  }
}
