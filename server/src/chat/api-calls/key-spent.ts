import type { Reason } from '@parley/schema/reasons';
import { Refusal } from '../../platform/errors.ts';

/** A key has spent what it may spend in a month; its person's balance may hold more. */
export class KeySpent extends Refusal {
  readonly monthlyCredits: number;

  constructor(monthlyCredits: number, cost: Omit<Extract<Reason, { type: 'token_balance' }>, 'type'>) {
    super({ type: 'token_balance', ...cost });
    this.monthlyCredits = monthlyCredits;
  }
}
