// A user's credits for tests: the balance, the ledger, and whether the two agree.
import type { Db } from '@parley/db/client';
import { generations } from '@parley/db/tables/generations';
import { balances, transactions } from '@parley/db/tables/balances';
import { and, asc, eq, isNull, sum } from 'drizzle-orm';
import { expect } from 'vitest';

export async function balanceOf({ query }: Db, userId: string) {
  const [row] = await query.select().from(balances).where(eq(balances.userId, userId));
  return { credits: row?.credits ?? 0, reserved: row?.reserved ?? 0 };
}

/** The debits, oldest first. */
export async function spendingOf({ query }: Db, userId: string, generationId?: string) {
  const entries = await query
    .select()
    .from(transactions)
    .where(and(eq(transactions.userId, userId), generationId ? eq(transactions.generationId, generationId) : undefined))
    .orderBy(asc(transactions.id));
  return entries.filter(({ tokenType }) => tokenType !== 'credits');
}

/**
 * The ledger adds up to the balance, and the reserved amount equals that of the unfinished runs: at one moment, since a
 * run may end between two looks.
 */
export async function expectBooksToAgree({ query }: Db, userId: string): Promise<void> {
  const { balance, ledger, open } = await query.transaction(readBooks, { isolationLevel: 'repeatable read' });
  expect(balance?.credits).toBe(Number(ledger?.total ?? 0));
  expect(balance?.reserved).toBe(Number(open?.total ?? 0));
  expect(balance?.credits).toBeGreaterThanOrEqual(balance?.reserved ?? 0);

  async function readBooks(tx: Pick<Db['query'], 'select'>) {
    const [balance] = await tx.select().from(balances).where(eq(balances.userId, userId));
    const [ledger] = await tx
      .select({ total: sum(transactions.tokenValue) })
      .from(transactions)
      .where(eq(transactions.userId, userId));
    const [open] = await tx
      .select({ total: sum(generations.reservation) })
      .from(generations)
      .where(and(eq(generations.userId, userId), isNull(generations.endedAt)));
    return { balance, ledger, open };
  }
}
