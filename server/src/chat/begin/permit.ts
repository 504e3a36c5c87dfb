// What allows asks of one person to begin: their number at once, and credits. Both are exact only inside a transaction
// that holds a lock on the person's row.
import type { Tx } from '@parley/db/client';
import type { AskLimits } from '../../abuse/ask-limits.ts';
import type { Billing } from '../../billing/billing.ts';
import type { Quoted } from '../../billing/quote.ts';
import type { Reservation } from '../../billing/reservation.ts';
import type { Refusal } from '../../platform/errors.ts';

export interface PermitDeps {
  limits: Pick<AskLimits, 'assertConcurrency'>;
  billing: Pick<Billing, 'reserveEach'>;
}

/**
 * Returns what each ask has reserved, null where nothing limits it, or why it is refused, in the order of the quotes.
 * @throws Refusal `concurrent` when they would be more runs at once than are allowed
 */
export type Permit = (tx: Tx) => Promise<(Reservation | Refusal | null)[]>;

/** Gives the permit for these asks of a user; null when nothing limits them, so they need no transaction for it. */
export function permitFor(
  { limits: { assertConcurrency }, billing }: PermitDeps,
  userId: string,
  quotes: readonly (Quoted | null)[],
): Permit | null {
  const limited = quotes.filter((quoted) => quoted !== null);
  if (!assertConcurrency && limited.length === 0) return null;
  return async (tx) => {
    await assertConcurrency?.(tx, userId, quotes.length);
    const reserved = limited.length > 0 ? await billing.reserveEach(tx, limited) : [];
    return quotes.map((quoted) => (quoted && reserved[limited.indexOf(quoted)]) ?? null);
  };
}
