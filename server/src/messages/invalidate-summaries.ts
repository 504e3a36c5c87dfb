import type { Tx } from '@parley/db/client';
import { messages } from '@parley/db/tables/messages';
import { and, eq, gte, isNotNull } from 'drizzle-orm';

/**
 * Deletes the summaries that cover a message when it changes, is deleted or is restored. Only messages below it can
 * hold them: the rest of the conversation keeps its summaries.
 */
export async function invalidateSummaries(
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
