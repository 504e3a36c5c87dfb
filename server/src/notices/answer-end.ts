// Tests of this room: tests/unit/notices, tests/integration/notices.

// What is told of an answer that has ended.
import type { NoticeKind } from '@parley/schema/notices/notices';
import { asFields } from '@parley/schema/json';
import type { Message } from '@parley/schema/messages/messages';
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

/** Null for an answer that its person has stopped. */
export function noticeKind({ reason, finishReason, parts }: Message): NoticeKind | null {
  if (reason) return 'failed';
  if (parts.some((part) => part.type === 'tool_call' && asFields(part.call).state === 'waiting')) return 'waiting';
  return finishReason === 'incomplete' ? null : 'ready';
}
