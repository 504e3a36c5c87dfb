import type { Message, Rating } from '@parley/schema/messages/messages';
import { describeError } from '../../errors/describe-error.ts';
import { i18n } from '../../i18n.ts';
import { api } from '../../trpc.ts';
import { showToast } from '../../ui/toast/toast.ts';
import type { MessageCache } from '../cache/message-cache.ts';

/** Thumbs up or down at once, and on the server; the same again takes it back. */
export async function rateMessage(
  cache: Pick<MessageCache, 'putMessages'>,
  message: Message,
  pressed: Rating,
): Promise<void> {
  const { conversationId, messageId, rating: before, ...rest } = message;
  const rating = before === pressed ? null : pressed;
  cache.putMessages(conversationId, [{ ...rest, conversationId, messageId, ...(rating && { rating }) }]);
  try {
    cache.putMessages(conversationId, [await api.messages.rate.mutate({ conversationId, messageId, rating })]);
  } catch (error) {
    cache.putMessages(conversationId, [message]);
    showToast({ message: describeError(error, i18n.t), severity: 'error' });
  }
}
