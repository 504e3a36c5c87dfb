import type { Message } from '@parley/schema/messages';
import { i18n } from '../../i18n.ts';
import { describeError } from '../../lib/describe-error.ts';
import { showToast } from '../../lib/toast.tsx';
import { showUndo } from '../../shell/convos/undo.ts';
import { api } from '../../trpc.ts';
import { focusThread } from '../thread/focus-thread.ts';
import type { MessageCache } from '../thread/message-cache.ts';

type Cache = Pick<MessageCache, 'refresh'>;

/** Deletes one message; what answered it then stands under what it stood under. It can be taken back for a while. */
export async function removeMessage(cache: Cache, { conversationId, messageId }: Message): Promise<void> {
  await remove(cache, conversationId, async () => {
    const { deletionId } = await api.messages.remove.mutate({ conversationId, messageId });
    return { deletionId, count: 1 };
  });
}

/** Deletes a message with all that follows it, on every branch. It can be taken back for a while. */
export async function pruneBranch(cache: Cache, { conversationId, messageId }: Message): Promise<void> {
  await remove(cache, conversationId, () => api.messages.prune.mutate({ conversationId, messageId }));
}

async function remove(
  cache: Cache,
  conversationId: string,
  work: () => Promise<{ deletionId: string; count: number }>,
): Promise<void> {
  await orSay(async () => {
    const { deletionId, count } = await work();
    focusThread();
    cache.refresh(conversationId);
    showUndo(i18n.t('com_chat_removed', { count }), () => void restore(cache, conversationId, deletionId));
  });
}

async function restore(cache: Cache, conversationId: string, deletionId: string): Promise<void> {
  await orSay(async () => {
    await api.convos.restore.mutate({ deletionId });
    cache.refresh(conversationId);
  });
}

async function orSay(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    showToast({ message: describeError(error, i18n.t), severity: 'error' });
  }
}
