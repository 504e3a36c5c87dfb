import { isFailure, textOf, type ContextRecord, type Message, type MessagePart } from '@parley/schema/messages';
import { NO_PARENT } from '@parley/schema/no-parent';
import type { Transcript } from './transcript.ts';

/** A message by the names that other programs know, and what else Parley has of it. */
export type ExportedMessage = ReturnType<typeof exportedMessage>;

export function exportedMessage(message: Message, { failureOf }: Pick<Transcript, 'failureOf'>) {
  const text = wordsOf(message, failureOf);
  return {
    messageId: message.messageId,
    conversationId: message.conversationId,
    parentMessageId: message.parentMessageId ?? NO_PARENT,
    sender: message.sender,
    text,
    isCreatedByUser: message.isCreatedByUser,
    isEdited: message.isEdited,
    error: isFailure(message),
    unfinished: message.unfinished,
    endpoint: message.endpoint,
    ...(message.endpointType !== message.endpoint && { endpointType: message.endpointType }),
    model: message.model,
    ...(message.finishReason && { finish_reason: message.finishReason }),
    ...(!isJustText(message.parts, text) && { parts: message.parts }),
    ...(message.reason && { reason: message.reason }),
    ...(message.usage && { usage: message.usage }),
    ...(message.context && { context: withoutPlace(message.context) }),
    createdAt: message.createdAt,
    updatedAt: message.updatedAt,
  };
}

/** Ids change when a file is imported. */
function withoutPlace({ oldestId: _place, ...context }: ContextRecord): ContextRecord {
  return context;
}

/** What a message says in a file that has nothing but text. */
export function wordsOf(message: Message, failureOf: Transcript['failureOf']): string {
  return isFailure(message) ? failureOf(message) : textOf(message);
}

function isJustText(parts: readonly MessagePart[], text: string): boolean {
  const [part] = parts;
  if (!part) return text === '';
  return parts.length === 1 && part.type === 'text' && part.text === text && text !== '';
}
