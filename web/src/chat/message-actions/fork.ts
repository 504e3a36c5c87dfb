import type { Message } from '@parley/schema/messages/messages';
import { navigate } from 'wouter/use-browser-location';
import { i18n } from '../../i18n.ts';
import { describeError } from '../../errors/describe-error.ts';
import { showToast } from '../../ui/toast/toast.ts';
import { api } from '../../trpc.ts';
import type { MessageCache } from '../cache/message-cache.ts';
import { newId } from '../../lib/new-id.ts';

/** Copies the branch that ends in a message into a new conversation and opens that. */
export async function forkAt(
  cache: Pick<MessageCache, 'putConvo'>,
  { conversationId, messageId }: Message,
): Promise<void> {
  try {
    const convo = await api.convos.fork.mutate({ conversationId, messageId, forkId: newId() });
    cache.putConvo(convo);
    navigate(`/c/${convo.conversationId}`);
    showToast({ message: i18n.t('com_chat_forked'), severity: 'success' });
  } catch (error) {
    showToast({ message: describeError(error, i18n.t), severity: 'error' });
  }
}
