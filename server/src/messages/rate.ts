import type { Db } from '@parley/db/client';
import { messages } from '@parley/db/tables/messages';
import type { RateMessage } from '@parley/schema/messages/message-inputs';
import type { Message } from '@parley/schema/messages/messages';
import { and, eq, sql } from 'drizzle-orm';
import { touchMessages } from '../convos/rows.ts';
import { refuse } from '../platform/errors.ts';
import { presentMessage } from './present.ts';
import { assertMessage } from './thread.ts';

/**
 * Keeps what the owner of a reply thinks of it. It goes nowhere else.
 * @throws Refusal `not_found`, `conflict` for a question or a reply that is being written
 */
export async function rateMessage(db: Db, userId: string, input: RateMessage): Promise<Message> {
  return db.query.transaction(async (tx) => {
    const convo = await touchMessages(tx, userId, input.conversationId);
    const { id, isCreatedByUser, generationId, unfinished } = await assertMessage(
      tx,
      { userId, convoId: convo.id },
      input.messageId,
    );
    if (isCreatedByUser) refuse({ type: 'conflict', text: 'Only answers can be rated' });
    const isWritten = convo.runsLeft > 0 ? unfinished : generationId !== null && generationId === convo.running;
    if (isWritten) refuse({ type: 'conflict', text: 'This answer is still being written' });
    const [row] = await tx
      .update(messages)
      // Browsers load a message again when it is newer than what they have.
      .set({ rating: input.rating, updatedAt: sql`now()` })
      .where(and(eq(messages.userId, userId), eq(messages.id, id)))
      .returning();
    return presentMessage(row ?? refuse({ type: 'not_found', what: 'message' }));
  });
}
