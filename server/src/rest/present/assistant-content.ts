// The content of an assistant's answer in the first version of OpenAI's protocol for them.
import type { Message, MessagePart } from '@parley/schema/messages/messages';
import { inParagraphs } from '@parley/schema/messages/readable-text';
import type { ContentPart } from '../shapes/content.ts';
import { reasonFailureText } from './failure-text.ts';
import { presentPart } from './present-content.ts';
import { withToolImages } from './tool-images.ts';

/** What such clients show as a failed call. */
const FAILED_CALL = 'error processing tool';
/** The progress of a new call, and of one that was stopped. */
const BEGUN_PROGRESS = 0.01;
const STOPPED_PROGRESS = 2;

export function assistantThreadId(conversationId: string): string {
  return `thread_${conversationId}`;
}

/** All parts of an answer, and why it failed as the last one. */
export function presentReply(message: Pick<Message, 'parts' | 'reason' | 'updatedAt'>): ContentPart[] {
  const { parts, reason, updatedAt: date } = message;
  const shown = parts.flatMap((part) => presentReplyPart(reason ? withFailedCall(part) : part));
  return reason ? [...shown, { type: 'error', text: { value: reasonFailureText(reason, { date }) } }] : shown;
}

/** One part, or none for those that the protocol does not know. */
export function presentReplyPart(part: MessagePart): ContentPart[] {
  if (part.type === 'text') return [{ type: 'text', text: { value: withSources(part) } }];
  return withToolImages(part).flatMap((shown) => presentPart(shown.type === 'tool_call' ? withProgress(shown) : shown));
}

function withProgress({ call }: Extract<MessagePart, { type: 'tool_call' }>): MessagePart {
  const progress = call.state === 'stopped' ? STOPPED_PROGRESS : Math.max(BEGUN_PROGRESS, call.progress);
  return { type: 'tool_call', call: { ...call, progress } };
}

/** The text as it is shown: the joined values of its parts, in paragraphs. */
export function replyText(parts: readonly MessagePart[]): string {
  return inParagraphs(parts)
    .map((part) => (part.type === 'text' ? withSources(part) : ''))
    .join('');
}

/** Marks such as `[2]` become `^1^`, and the files that they stand for are listed at the end. */
function withSources({ text, citations = [] }: Extract<MessagePart, { type: 'text' }>): string {
  const sources: { fileId: string; name: string }[] = [];
  let shown = '';
  let from = 0;
  for (const { at, fileId, name } of citations) {
    const mark = /^\[\d{1,2}\]/.exec(text.slice(at, at + MARK_MAX))?.[0];
    if (!mark || at < from) continue;
    const known = sources.findIndex((source) => source.fileId === fileId);
    const position = known < 0 ? sources.push({ fileId, name }) : known + 1;
    shown += `${text.slice(from, at)}^${position}^`;
    from = at + mark.length;
  }
  if (sources.length === 0) return text;
  const list = sources.map(({ name }, index) => `^${index + 1}.^ ${name}`).join('\n');
  return `${shown}${text.slice(from)}\n\n${list}`;
}

/** The longest mark. */
const MARK_MAX = 4;

function withFailedCall(part: MessagePart): MessagePart {
  const isUnfinished = part.type === 'tool_call' && part.call.kind === 'function' && part.call.output === null;
  return isUnfinished ? { type: 'tool_call', call: { ...part.call, output: FAILED_CALL } } : part;
}
