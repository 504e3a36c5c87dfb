// Asks about an answer that is there, and what a conversation then looks like.
import { randomUUID } from 'node:crypto';
import type { AskInput } from '@parley/schema/chat/ask';
import type { FinalEvent } from '@parley/schema/generation/events';
import { question } from '../../support/exchange.ts';

type Ended = Pick<FinalEvent, 'convo' | 'reply'>;

/** More of the same answer. */
export function continuation({ convo, reply }: Ended, over: Partial<AskInput> = {}): AskInput {
  const { messageId } = reply;
  const ids = { conversationId: convo.conversationId, replyId: messageId };
  return question('', { ...ids, target: { kind: 'continue', messageId }, ...over });
}

/** Another answer beside this one, which goes on from an edited text. */
export function edition(text: string, { convo, reply }: Ended, over: Partial<AskInput> = {}): AskInput {
  const target = { kind: 'edit' as const, messageId: reply.messageId, text };
  return question('', { conversationId: convo.conversationId, replyId: randomUUID(), target, ...over });
}

/** Another answer to the same question. */
export function another({ convo, request }: Pick<FinalEvent, 'convo' | 'request'>, over: Partial<AskInput> = {}) {
  const target = { kind: 'regenerate' as const, parentMessageId: request.messageId };
  return question('', { conversationId: convo.conversationId, target, ...over });
}
