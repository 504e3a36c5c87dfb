import type { Tx } from '@parley/db/client';
import { messages } from '@parley/db/tables/messages';
import { and, eq, isNotNull } from 'drizzle-orm';

/**
 * Clears the provider's thread ids after a message was changed or deleted: the provider remembers the old text, so it
 * must get the whole conversation again.
 */
export async function clearProviderThreads(tx: Tx, userId: string, convoId: string): Promise<void> {
  await tx
    .update(messages)
    .set({ providerThread: null })
    .where(and(eq(messages.userId, userId), eq(messages.convoId, convoId), isNotNull(messages.providerThread)));
}
