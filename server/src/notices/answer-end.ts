// Tests of this room: tests/unit/notices, tests/integration/notices.

// What is told of an answer that has ended.
import type { NoticeKind } from '@parley/schema/notices/notices';
import { isLoopCall, type Message } from '@parley/schema/messages/messages';
import type { NoticeSettings } from '@parley/schema/settings/notice-settings';

export interface AnswerEnd {
  userId: string;
  generationId: string;
  conversationId: string;
  /** Of the conversation; null until it has one. */
  title: string | null;
  kind: NoticeKind;
  settings: NoticeSettings;
}

type AnswerParts = Pick<Message, 'reason' | 'finishReason' | 'parts'>;

/** Null for an answer that its person has stopped. */
export function noticeKind({ reason, finishReason, parts }: AnswerParts): NoticeKind | null {
  if (reason) return 'failed';
  if (parts.some((part) => isLoopCall(part) && part.call.state === 'waiting')) return 'waiting';
  return finishReason === 'incomplete' ? null : 'ready';
}
