import type { Db, Tx } from '@parley/db/client';
import { messages } from '@parley/db/tables/messages';
import type { EditMessage } from '@parley/schema/message-inputs';
import type { Message, MessagePart } from '@parley/schema/messages';
import { and, eq, sql } from 'drizzle-orm';
import { touchMessages } from '../convos/rows.ts';
import { countTokens } from '../endpoints/tokens.ts';
import { refuse } from '../errors.ts';
import { assertCan } from './can.ts';
import { forgetSummaries } from './forget-summaries.ts';
import { presentMessage, type MessageRow } from './present.ts';
import { assertMessage } from './thread.ts';
import { forgetUpstream } from './upstream.ts';
import { assertNotWritten } from './writing.ts';

/**
 * Gives a message another text; what it said beside its text stays.
 * @throws Refusal `not_found`, `conflict` where the endpoint allows no editing, `concurrent` while it is being written
 */
export async function editMessage(db: Db, userId: string, input: EditMessage): Promise<Message> {
  const tokenCount = await countTokens(input.text);
  return db.query.transaction(async (tx) => {
    const convo = await touchMessages(tx, userId, input.conversationId);
    const before = await assertMessage(tx, { userId, convoId: convo.id }, input.messageId);
    assertCan(before.endpointType, 'edit');
    await assertNotWritten(tx, convo, new Set([before.id]));
    return presentMessage(await setText(tx, before, input.text, tokenCount));
  });
}

/** The text of a message that is open to be changed. */
export async function setText(tx: Tx, before: MessageRow, text: string, tokenCount: number): Promise<MessageRow> {
  await forgetUpstream(tx, before.userId, before.convoId);
  await forgetSummaries(tx, before);
  const [row] = await tx
    .update(messages)
    .set({ parts: withText(before.parts, text), isEdited: true, tokenCount, updatedAt: sql`now()` })
    .where(and(eq(messages.userId, before.userId), eq(messages.id, before.id)))
    .returning();
  return row ?? refuse({ type: 'not_found', what: 'message' });
}

/** The first text part takes the text and the others go; without one it stands at the end. */
export function withText(parts: readonly MessagePart[], text: string): MessagePart[] {
  const first = parts.findIndex((part) => part.type === 'text');
  const edited: MessagePart = { type: 'text', text };
  if (first < 0) return [...parts, edited];
  const others = parts.filter((part, place) => place === first || part.type !== 'text');
  return others.with(first, edited);
}
