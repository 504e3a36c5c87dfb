import type { Db, Tx } from '@parley/db/client';
import { messages } from '@parley/db/tables/messages';
import type { EditMessage } from '@parley/schema/messages/message-inputs';
import { withText } from '@parley/schema/messages/edited-parts';
import { messageAttachments, type Message } from '@parley/schema/messages/messages';
import { and, eq, sql } from 'drizzle-orm';
import { touchMessages } from '../convos/rows.ts';
import { countTokens } from '../catalog/count-tokens.ts';
import { refuse } from '../platform/errors.ts';
import { assertSupports } from './capabilities.ts';
import { invalidateSummaries } from './invalidate-summaries.ts';
import { presentMessage, type MessageRow } from './present.ts';
import { assertMessage } from './thread.ts';
import { clearProviderThreads } from './clear-provider-threads.ts';
import { assertNotGenerating } from './in-progress.ts';

/**
 * Replaces the text of a message; its other parts stay.
 * @throws Refusal `not_found`, `invalid_input` for an empty text without files, `conflict` where the endpoint allows no editing, `concurrent` while it is being written
 */
export async function editMessage(db: Db, userId: string, input: EditMessage): Promise<Message> {
  const tokenCount = await countTokens(input.text);
  return db.query.transaction(async (tx) => {
    const convo = await touchMessages(tx, userId, input.conversationId);
    const before = await assertMessage(tx, { userId, convoId: convo.id }, input.messageId);
    assertSupports(before.endpointType, 'edit');
    if (input.text === '' && !(before.isCreatedByUser && messageAttachments(before).length > 0))
      refuse({ type: 'invalid_input', text: 'The text is empty' });
    await assertNotGenerating(tx, convo, new Set([before.id]));
    return presentMessage(await setText(tx, before, input.text, tokenCount));
  });
}

/** Sets the text of a message whose change is already permitted. */
export async function setText(tx: Tx, before: MessageRow, text: string, tokenCount: number): Promise<MessageRow> {
  await clearProviderThreads(tx, before.userId, before.convoId);
  await invalidateSummaries(tx, before);
  const [row] = await tx
    .update(messages)
    .set({ parts: withText(before.parts, text), isEdited: true, tokenCount, updatedAt: sql`now()` })
    .where(and(eq(messages.userId, before.userId), eq(messages.id, before.id)))
    .returning();
  return row ?? refuse({ type: 'not_found', what: 'message' });
}
