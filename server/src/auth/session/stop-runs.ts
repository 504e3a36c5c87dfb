import type { Tx } from '@parley/db/client';
import { generations } from '@parley/db/tables/generations';
import { and, eq, isNull } from 'drizzle-orm';

/**
 * Asks all answers of a user to stop, in whichever process they run: each sees the mark with the next write of its log,
 * and is saved with what arrived. Call it last in a transaction that keeps the user from asking, when it holds the lock
 * on the user's row: so an ask comes wholly before it, or is refused.
 */
export async function stopUserRuns(tx: Tx, userId: string): Promise<void> {
  await tx
    .update(generations)
    .set({ stopRequested: true })
    .where(and(eq(generations.userId, userId), isNull(generations.endedAt)));
}
