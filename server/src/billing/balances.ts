// Tests of this room: tests/unit/billing, tests/integration/billing.

// Users' token credits and the ledger of their changes. A balance and its ledger entries are only written together, in
// one transaction.
import type { Db, Query, Tx } from '@parley/db/client';
import { generations } from '@parley/db/tables/generations';
import { balances, transactions } from '@parley/db/tables/balances';
import type { PricedTokens } from '@parley/schema/catalog/rates';
import { eq, sql } from 'drizzle-orm';

/** Describes a ledger entry to be written. */
export interface Item extends PricedTokens {
  credits: number;
}

export interface Bill {
  userId: string;
  convoId: string | null;
  generationId: string | null;
  model: string | null;
  context: Exclude<(typeof transactions.$inferSelect)['context'], 'added'>;
  /** The provider reported no usage: the tokens are an estimate. */
  isEstimated: boolean;
  items: readonly Item[];
}

/** Undefined for a user who never had any credits. */
export async function findBalance(
  query: Query,
  userId: string,
): Promise<{ credits: number; reserved: number } | undefined> {
  const { credits, reserved } = balances;
  const [row] = await query.select({ credits, reserved }).from(balances).where(eq(balances.userId, userId));
  return row;
}

/** Adds credits and returns the new balance. */
export async function addCredits(db: Pick<Db, 'query'>, userId: string, credits: number): Promise<number> {
  return db.query.transaction(async (tx) => {
    const [row] = await tx
      .insert(balances)
      .values({ userId, credits })
      .onConflictDoUpdate({ target: balances.userId, set: { credits: sql`${balances.credits} + ${credits}` } })
      .returning({ credits: balances.credits });
    const added = { tokenType: 'credits', context: 'added', rawAmount: credits, tokenValue: credits } as const;
    await tx.insert(transactions).values({ userId, ...added });
    return row?.credits ?? credits;
  });
}

/** Reads a user's credits, and how many of them are reserved. Locks the balance until the transaction ends. */
export async function lockBalance(tx: Tx, userId: string): Promise<{ credits: number; reserved: number }> {
  const [row] = await tx.select().from(balances).where(eq(balances.userId, userId)).for('update');
  return row ?? { credits: 0, reserved: 0 };
}

/** Reserves credits, which must be available; a negative number releases some. */
export async function reserve(tx: Tx, userId: string, credits: number): Promise<void> {
  await tx
    .update(balances)
    .set({ reserved: sql`${balances.reserved} + ${credits}` })
    .where(eq(balances.userId, userId));
}

/** Identifies a run and its current owner. */
export interface RunningKey {
  userId: string;
  owner: string;
  generationId: string;
}

/**
 * Reserves up to this many more credits for a run and returns how many: none once the run has ended or belongs to
 * another owner. Locks the run first and then the balance, in the same order as the transaction that ends a run.
 */
export async function extendReservation(query: Query, run: RunningKey, credits: number): Promise<number> {
  const { userId, owner, generationId } = run;
  const [row] = await query.execute<{ credits: string }>(sql`
    with run as (
      select id from ${generations}
      where id = ${generationId} and owner = ${owner} and ended_at is null and reservation is not null
      for no key update
    ), free as (
      select b.user_id, least(${credits}::bigint, b.credits - b.reserved) as credits from ${balances} b, run
      where b.user_id = ${userId} and b.credits > b.reserved
      for no key update of b
    ), taken as (
      update ${balances} b set reserved = b.reserved + free.credits from free where b.user_id = free.user_id
      returning free.credits
    )
    update ${generations} g set reservation = g.reservation + taken.credits from taken where g.id = ${generationId}
    returning taken.credits`);
  return Number(row?.credits ?? 0);
}

/**
 * Charges what a run used and releases its reservation. The bill may be slightly larger than the reservation, which is
 * estimated while the reply grows. Then it takes only credits that no other run has reserved, and the rest is written
 * off. So no balance goes below 0, however many asks run at once.
 */
export async function pay(tx: Tx, { items, ...bill }: Bill, reserved: number): Promise<void> {
  const { userId } = bill;
  const balance = await lockBalance(tx, userId);
  let left = balance.credits - balance.reserved + reserved;
  const entries = items.map(({ tokenType, tokens, rate, credits }) => {
    const paid = Math.max(0, Math.min(left, credits));
    left -= paid;
    return { ...bill, tokenType, rate, rawAmount: -tokens, tokenValue: -paid };
  });
  const paid = entries.reduce((sum, { tokenValue }) => sum - tokenValue, 0);
  await tx
    .update(balances)
    .set({ credits: sql`${balances.credits} - ${paid}`, reserved: sql`${balances.reserved} - ${reserved}` })
    .where(eq(balances.userId, userId));
  if (entries.length > 0) await tx.insert(transactions).values(entries);
}
