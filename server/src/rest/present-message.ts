import { isFailure, textOf, type Message } from '@parley/schema/messages';
import { NO_PARENT } from '@parley/schema/no-parent';
import { failureTextOf } from './failure-text.ts';
import { presentContent } from './present-content.ts';

/** A message as clients of these paths know it. Their schema takes no null for what is optional: it is left out. */
export function presentMessage(userId: string, message: Message) {
  const { messageId, conversationId, parentMessageId, sender, endpoint, model, isCreatedByUser } = message;
  const content = presentContent(message.parts);
  const tokenCount = message.tokenCount ?? message.usage?.output;
  return {
    messageId,
    conversationId,
    parentMessageId: parentMessageId ?? NO_PARENT,
    user: userId,
    endpoint,
    model,
    sender,
    text: wordsOf(message),
    isCreatedByUser,
    isEdited: message.isEdited,
    unfinished: message.unfinished,
    error: isFailure(message),
    ...(message.finishReason && { finish_reason: message.finishReason }),
    ...(tokenCount !== undefined && { tokenCount }),
    ...(content && { content }),
    createdAt: message.createdAt,
    updatedAt: message.updatedAt,
  };
}

/** A failure says why in its text; clients read it from there. */
function wordsOf(message: Message): string {
  return message.reason && isFailure(message)
    ? failureTextOf(message.reason, { date: message.updatedAt })
    : textOf(message);
}
