import {
  messageAttachments,
  isFailure,
  type ContextRecord,
  type Message,
  type MessagePart,
  type ToolCall,
} from '@parley/schema/messages/messages';
import { readableText } from '@parley/schema/messages/readable-text';
import { isSourcesCall } from '@parley/schema/tools/web-sources';
import { NO_PARENT } from '@parley/schema/messages/no-parent';
import { listSources } from '../files/citations/list-sources.ts';
import { listPages, sourceTitle } from '../files/citations/web-sources.ts';
import { callAsText, fileLine } from './tool-text.ts';
import type { Transcript } from './transcript.ts';

/** A message with the field names of other programs, and Parley's extra fields. */
export type ExportedMessage = ReturnType<typeof exportedMessage>;

export function exportedMessage(message: Message, { failureOf }: Pick<Transcript, 'failureOf'>) {
  const text = plainMessageText(message, failureOf);
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
    ...(message.context && { context: withoutPosition(message.context) }),
    ...(message.rating && { rating: message.rating }),
    createdAt: message.createdAt,
    updatedAt: message.updatedAt,
  };
}

/** An import assigns new ids. */
function withoutPosition({ oldestId: _place, ...context }: ContextRecord): ContextRecord {
  return context;
}

/** The text of a message, without its files. */
function plainMessageText(message: Message, failureOf: Transcript['failureOf']): string {
  return isFailure(message) ? failureOf(message) : readableText(message);
}

interface Writers {
  call(call: ToolCall): string;
  name(line: string): string;
  text(text: string): string;
}

/**
 * The text of a message in formats that hold nothing else: its files are named before it, one a line; its tool calls
 * stand where they were made. `call`, `name` and `text` write calls, the lines of files, and what was said.
 */
export function wholeMessageText(
  message: Message,
  failureOf: Transcript['failureOf'],
  { call, name, text: write }: Writers = { call: callAsText, name: String, text: String },
): string {
  const files = messageAttachments(message).map((file) => name(fileLine(file)));
  const pieces = piecesOf(message.parts, call);
  const body = isFailure(message)
    ? [...pieces.filter(({ isCall }) => isCall).map(({ text }) => text), failureOf(message)]
    : pieces.map(({ text, isCall }) => (isCall ? text : write(text)));
  return [...files, ...body].filter((line) => line !== '').join('\n');
}

/** What the person thought of an answer, where they said so. */
export function ratingLine({ rating }: Pick<Message, 'rating'>): string {
  if (!rating) return '';
  return rating === 1 ? 'Rated helpful' : 'Rated not helpful';
}

/**
 * What the marks of an answer stand for, one a line such as `[1] a.pdf`, and the pages that it stands on without a mark;
 * empty without any. `write` writes a line.
 */
export function sourceLines(message: Pick<Message, 'parts'>, write: (line: string) => string = String): string {
  const files = listSources(message).flatMap(({ name, passages }) => passages.map(({ mark }) => `${mark} ${name}`));
  const pages = listPages(message).map(({ source, marks }) =>
    [marks.join(''), `${sourceTitle(source)}: ${source.url}`].filter((text) => text !== '').join(' '),
  );
  const lines = [...files, ...pages].map(write);
  return lines.length === 0 ? '' : `\nSources:\n${lines.join('\n')}\n`;
}

/** Texts without a call between them are one. */
function piecesOf(parts: readonly MessagePart[], drawCall: (call: ToolCall) => string) {
  const pieces: { text: string; isCall: boolean }[] = [];
  for (const part of parts) {
    const last = pieces.at(-1);
    if (part.type === 'tool_call' && isSourcesCall(part.call)) continue;
    if (part.type === 'tool_call') pieces.push({ text: drawCall(part.call), isCall: true });
    if (part.type !== 'text') continue;
    if (last && !last.isCall) last.text += part.text;
    else pieces.push({ text: part.text, isCall: false });
  }
  return pieces;
}

function isJustText(parts: readonly MessagePart[], text: string): boolean {
  const [part] = parts;
  if (!part) return text === '';
  return parts.length === 1 && part.type === 'text' && !part.citations && part.text === text && text !== '';
}
