import type { Db, Tx } from '@parley/db/client';
import { messages } from '@parley/db/tables/messages';
import type { SaveMessage } from '@parley/schema/messages/message-inputs';
import type { Message } from '@parley/schema/messages/messages';
import { replySender } from '@parley/schema/catalog/sender';
import type { ConvoRow } from '../convos/present.ts';
import { touchMessages } from '../convos/rows.ts';
import { countTokens } from '../catalog/count-tokens.ts';
import { refuse } from '../platform/errors.ts';
import { setText } from './edit.ts';
import { presentMessage, type MessageRow } from './present.ts';
import { assertMessage, findMessage } from './thread.ts';
import { assertNotGenerating } from './in-progress.ts';

/**
 * Saves a message into a conversation without calling a model; an existing message of this id gets the text.
 * @throws Refusal `not_found` for the conversation or the parent, `conflict` when the id belongs elsewhere,
 * `concurrent`
 */
export async function saveMessage(db: Db, userId: string, input: SaveMessage): Promise<Message> {
  const tokenCount = await countTokens(input.text);
  return db.query.transaction(async (tx) => {
    const convo = await touchMessages(tx, userId, input.conversationId);
    const known = await findMessage(tx, userId, input.messageId);
    if (!known) return presentMessage(await insert(tx, convo, input, tokenCount));
    if (known.convoId !== convo.id || known.deletedAt !== null)
      refuse({ type: 'conflict', text: 'This message id is taken' });
    await assertNotGenerating(tx, convo, new Set([known.id]));
    return presentMessage(await setText(tx, known, input.text, tokenCount));
  });
}

async function insert(tx: Tx, convo: ConvoRow, input: SaveMessage, tokenCount: number): Promise<MessageRow> {
  const { userId, id: convoId, endpoint, endpointType, model } = convo;
  const { messageId, parentMessageId: parentId, isCreatedByUser, text } = input;
  const parent = parentId === null ? null : await assertMessage(tx, { userId, convoId }, parentId);
  const [row] = await tx
    .insert(messages)
    .values({
      userId,
      id: messageId,
      convoId,
      parentId,
      depth: parent ? parent.depth + 1 : 0,
      isCreatedByUser,
      sender: input.sender || (isCreatedByUser ? 'User' : replySender(convo)),
      endpoint,
      endpointType,
      model,
      parts: [{ type: 'text', text }],
      finishReason: isCreatedByUser ? null : 'stop',
      tokenCount,
    })
    .returning();
  return row ?? refuse({ type: 'not_found', what: 'convo' });
}
