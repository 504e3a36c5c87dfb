// More credits for a run whose reply grows beyond what was reserved for it.
import type { Db } from '@parley/db/client';
import type { Reason } from '@parley/schema/reasons';
import { withTimeout } from '../platform/deadline.ts';
import { extendReservation, type RunningKey } from './balances.ts';
import { extendOfKey } from './key-spending.ts';
import { budgetReason, type Budgets } from './budgets/budgets.ts';
import type { BudgetLeft } from './budgets/budget-left.ts';
import type { Reservation } from './reservation.ts';

export interface Extension {
  /** Reserves up to this many more credits and returns how many. */
  extend(credits: number): Promise<number>;
  /** Why a reply that costs so much ends. */
  refusal(figures: { balance: number; promptTokens: number; tokenCost: number }): Reason;
}

/** The longest a reply waits for its reservation to be extended. */
const EXTEND_TIMEOUT_MS = 2000;

/**
 * A database outage must not end the reply: it goes on as if the credits were there, and the final bill charges what
 * it used.
 */
export function createExtension(
  { db, budgets }: { db: Db; budgets: Budgets },
  run: RunningKey,
  { isOfBalance, isOfBudget, ofKey }: Reservation,
): Extension {
  /** The budget that had no more. */
  let limit: BudgetLeft | null = null;
  return {
    extend: (credits) => withTimeout(granted(credits), EXTEND_TIMEOUT_MS, () => credits).catch(() => credits),
    refusal: (figures) => (limit ? budgetReason(limit) : { type: 'token_balance', ...figures }),
  };

  async function granted(asked: number): Promise<number> {
    const wanted = ofKey ? await extendOfKey(db, run, ofKey, asked) : asked;
    if (wanted === 0) return 0;
    const ofBudget = isOfBudget ? await budgets.extend(run, wanted) : { credits: wanted, limit: null };
    if (!isOfBalance || ofBudget.credits === 0) {
      limit = ofBudget.limit;
      return ofBudget.credits;
    }
    const credits = await extendReservation(db.query, run, ofBudget.credits);
    limit = credits === ofBudget.credits ? ofBudget.limit : null;
    return credits;
  }
}
