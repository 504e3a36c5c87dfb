import type { Tx } from '@parley/db/client';
import { sql, type SQL } from 'drizzle-orm';

/**
 * Keeps the sweep from deleting words of this user until the transaction ends, for a transaction that copies entries
 * without the lock on the user's row. Only the sweep waits for it.
 */
export async function lockWordsForCopy(tx: Tx, userId: string): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock_shared(${SWEEPING}, ${hashOf(userId)})`);
}

/** Waits for the transactions that keep this user's words. Call it before locking any row. */
export async function lockWordsForSweep(tx: Tx, userId: string): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(${SWEEPING}, ${hashOf(userId)})`);
}

/** The class of these advisory locks. */
const SWEEPING = sql`7065541`;

function hashOf(userId: string): SQL {
  return sql`hashtext(${userId})`;
}
