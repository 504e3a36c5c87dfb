import { COLUMNS_MAX, COLUMNS_MIN } from '@parley/schema/chat/columns';
import type { Message } from '@parley/schema/messages/messages';
import { readableText } from '@parley/schema/messages/readable-text';

/**
 * Which of the answers to one question stand side by side, in the order of `replies`: `messageId` and the newest others
 * with text, at most four. Answers without text only where there would be one column else.
 * @param replies oldest first
 */
export function pickSideBySide(replies: readonly Message[], messageId: string): Message[] {
  const newest = replies.filter((reply) => reply.messageId !== messageId).toReversed();
  const withText = newest.filter((reply) => readableText(reply) !== '').slice(0, COLUMNS_MAX - 1);
  const others = withText.length > 0 ? withText : newest.slice(0, COLUMNS_MIN - 1);
  return replies.filter((reply) => reply.messageId === messageId || others.includes(reply));
}
