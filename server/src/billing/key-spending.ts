// What a key may spend in a month. Its calls and asks are rows of `generations` that name it: of one that runs, `credits` are
// what is set aside.
import type { Db, Tx } from '@parley/db/client';
import { generations } from '@parley/db/tables/generations';
import { apiKeys } from '@parley/db/tables/users';
import type { Reason } from '@parley/schema/reasons';
import { and, eq, isNotNull, isNull, sql } from 'drizzle-orm';
import type { KeyHolder } from '../platform/requests/key-holder.ts';
import { Refusal } from '../platform/errors.ts';
import type { RunningKey } from './balances.ts';

/** Gives the start of this month in UTC. */
export const MONTH_START = sql`date_trunc('month', now() at time zone 'utc') at time zone 'utc'`;

/** A key has spent what it may spend in a month; its person's balance may hold more. */
export class KeySpent extends Refusal {
  readonly monthlyCredits: number;

  constructor(monthlyCredits: number, cost: Omit<Extract<Reason, { type: 'token_balance' }>, 'type'>) {
    super({ type: 'token_balance', ...cost });
    this.monthlyCredits = monthlyCredits;
  }
}

/** Tells what a key may spend in a month, in credits. */
export interface LeftOfKey {
  most: number;
  /** Neither spent nor set aside in this month; never below 0. */
  left: number;
  /** Not spent, set aside or not; never below 0. */
  unspent: number;
}

/** Locks the key until the transaction ends. */
export async function lockLeftOfKey(tx: Tx, { userId, keyId }: KeyHolder): Promise<LeftOfKey> {
  const [key] = await tx
    .select({ most: apiKeys.monthlyCredits })
    .from(apiKeys)
    .where(and(eq(apiKeys.userId, userId), eq(apiKeys.id, keyId)))
    .for('update');
  const [month] = await tx
    .select({
      taken: sql<number>`coalesce(sum(${generations.credits}), 0)::float8`,
      spent: sql<number>`coalesce(sum(${generations.credits}) filter (where ${generations.endedAt} is not null), 0)::float8`,
    })
    .from(generations)
    .where(and(eq(generations.apiKeyId, keyId), sql`${generations.createdAt} >= ${MONTH_START}`));
  const most = key?.most ?? 0;
  return { most, left: Math.max(0, most - (month?.taken ?? 0)), unspent: Math.max(0, most - (month?.spent ?? 0)) };
}

/** Sets up to so many credits more aside for a run: none once it has ended. `unspent` are the credits of its key. */
export function extendOfKey(
  { query }: Pick<Db, 'query'>,
  { generationId, owner }: RunningKey,
  holder: KeyHolder,
  wanted: number,
): Promise<{ credits: number; unspent: number }> {
  return query.transaction(async (tx) => {
    const { left, unspent } = await lockLeftOfKey(tx, holder);
    const more = Math.min(wanted, left);
    if (more <= 0) return { credits: 0, unspent };
    const isOurs = and(
      eq(generations.id, generationId),
      eq(generations.owner, owner),
      isNull(generations.endedAt),
      isNotNull(generations.credits),
    );
    const extended = await tx
      .update(generations)
      .set({ credits: sql`${generations.credits} + ${more}` })
      .where(isOurs)
      .returning({ id: generations.id });
    return { credits: extended.length > 0 ? more : 0, unspent };
  });
}
