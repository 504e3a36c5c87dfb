// What users may spend, in credits, and the ledger of every change of it. The two are only ever written together.
import type { Db, Query, Tx } from '@parley/db/client';
import { generations } from '@parley/db/tables/generations';
import { balances, transactions } from '@parley/db/tables/money';
import { eq, sql } from 'drizzle-orm';

/** One entry of the ledger that is still to be paid. */
export interface Item {
  tokenType: 'prompt' | 'completion';
  tokens: number;
  /** Credits a token. */
  rate: number;
  credits: number;
}

export interface Bill {
  userId: string;
  convoId: string;
  generationId: string | null;
  model: string | null;
  context: Exclude<(typeof transactions.$inferSelect)['context'], 'added'>;
  /** Nobody told the tokens: they are a guess. */
  isEstimated: boolean;
  items: readonly Item[];
}

/** Undefined for a user who never had any credits. */
export async function findBalance(query: Query, userId: string): Promise<{ credits: number } | undefined> {
  const [row] = await query.select({ credits: balances.credits }).from(balances).where(eq(balances.userId, userId));
  return row;
}

/** Gives credits, and the balance after. */
export async function addCredits(db: Db, userId: string, credits: number): Promise<number> {
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

/** What is neither spent nor set aside, held until the transaction ends. */
export async function lockSpendable(tx: Tx, userId: string): Promise<number> {
  const [row] = await tx.select().from(balances).where(eq(balances.userId, userId)).for('update');
  return row ? row.credits - row.reserved : 0;
}

/** Sets credits aside, of which there must be as many; fewer than none are given back. */
export async function setAside(tx: Tx, userId: string, credits: number): Promise<void> {
  await tx
    .update(balances)
    .set({ reserved: sql`${balances.reserved} + ${credits}` })
    .where(eq(balances.userId, userId));
}

/** A run that is under way, in the hands of its owner. */
export interface RunningKey {
  userId: string;
  owner: string;
  generationId: string;
}

/**
 * Sets more credits aside for a run, as many of these as are free, and tells how many: none once it has ended or is
 * another's. In the order of the transaction that ends a run: first the run is locked, then the balance.
 */
export async function setMoreAside(query: Query, run: RunningKey, credits: number): Promise<number> {
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
 * Pays what was used, and frees what had been set aside for it. A bill may still be a little larger than that, which is
 * what was counted while the answer grew, and a guess: then it takes what nothing else was promised, never what other
 * runs have set aside, and what is lacking is written off. So no balance goes below 0, however many are asked at once.
 */
export async function pay(tx: Tx, { items, ...bill }: Bill, setAsideBefore: number): Promise<void> {
  const { userId } = bill;
  let left = (await lockSpendable(tx, userId)) + setAsideBefore;
  const entries = items.map(({ tokenType, tokens, rate, credits }) => {
    const paid = Math.max(0, Math.min(left, credits));
    left -= paid;
    return { ...bill, tokenType, rate, rawAmount: -tokens, tokenValue: -paid };
  });
  const paid = entries.reduce((sum, { tokenValue }) => sum - tokenValue, 0);
  await tx
    .update(balances)
    .set({ credits: sql`${balances.credits} - ${paid}`, reserved: sql`${balances.reserved} - ${setAsideBefore}` })
    .where(eq(balances.userId, userId));
  if (entries.length > 0) await tx.insert(transactions).values(entries);
}
