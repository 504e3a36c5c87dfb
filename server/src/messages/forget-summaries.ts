import type { Tx } from '@parley/db/client';
import { messages } from '@parley/db/tables/messages';
import { and, eq, gte, isNotNull } from 'drizzle-orm';

/**
 * Whatever was summed up with a message is forgotten when that message changes, goes or comes back. What stands below it
 * is younger: the rest of the conversation keeps its summaries.
 */
export async function forgetSummaries(
  tx: Tx,
  { userId, convoId, seq }: { userId: string; convoId: string; seq: number },
): Promise<void> {
  await tx
    .update(messages)
    .set({ summary: null, summaryTokens: null })
    .where(
      and(
        eq(messages.userId, userId),
        eq(messages.convoId, convoId),
        gte(messages.seq, seq),
        isNotNull(messages.summary),
      ),
    );
}
