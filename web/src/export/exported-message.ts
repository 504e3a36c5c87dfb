import {
  attachmentsOf,
  isFailure,
  textOf,
  type Attachment,
  type ContextRecord,
  type Message,
  type MessagePart,
} from '@parley/schema/messages/messages';
import { NO_PARENT } from '@parley/schema/messages/no-parent';
import type { Transcript } from './transcript.ts';

/** A message with the field names of other programs, and Parley's extra fields. */
export type ExportedMessage = ReturnType<typeof exportedMessage>;

export function exportedMessage(message: Message, { failureOf }: Pick<Transcript, 'failureOf'>) {
  const text = plainTextOf(message, failureOf);
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

/** An import assigns new ids. */
function withoutPlace({ oldestId: _place, ...context }: ContextRecord): ContextRecord {
  return context;
}

/** The text of a message, without its files. */
export function plainTextOf(message: Message, failureOf: Transcript['failureOf']): string {
  return isFailure(message) ? failureOf(message) : textOf(message);
}

/** The text of a message in formats that hold nothing else: its files are named before it, one a line. */
export function textWithFiles(message: Message, failureOf: Transcript['failureOf']): string {
  const files = attachmentsOf(message).map((file) => `[${file.type}: ${nameOf(file)}]`);
  return [...files, plainTextOf(message, failureOf)].filter((line) => line !== '').join('\n');
}

function nameOf(file: Attachment): string {
  const made = file.type === 'image' ? file.prompt : undefined;
  return (file.name ?? made ?? file.path).replaceAll(/\s+/g, ' ');
}

function isJustText(parts: readonly MessagePart[], text: string): boolean {
  const [part] = parts;
  if (!part) return text === '';
  return parts.length === 1 && part.type === 'text' && !part.citations && part.text === text && text !== '';
}
