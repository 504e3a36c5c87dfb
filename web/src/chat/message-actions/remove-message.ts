import type { Message } from '@parley/schema/messages/messages';
import { i18n } from '../../i18n.ts';
import { describeError } from '../../errors/describe-error.ts';
import { showToast } from '../../ui/toast/toast.ts';
import { showUndo } from '../../ui/toast/undo.ts';
import { api } from '../../trpc.ts';
import type { MessageCache } from '../cache/message-cache.ts';

type Cache = Pick<MessageCache, 'refresh'>;

/** Deletes one message; its children move up to its parent. Can be undone for a while. */
export async function removeMessage(cache: Cache, { conversationId, messageId }: Message): Promise<void> {
  await remove(cache, conversationId, async () => {
    const { deletionId } = await api.messages.remove.mutate({ conversationId, messageId });
    return { deletionId, count: 1 };
  });
}

/** Deletes a message and all its descendants, on every branch. Can be undone for a while. */
export async function pruneBranch(cache: Cache, { conversationId, messageId }: Message): Promise<void> {
  await remove(cache, conversationId, () => api.messages.prune.mutate({ conversationId, messageId }));
}

async function remove(
  cache: Cache,
  conversationId: string,
  work: () => Promise<{ deletionId: string; count: number }>,
): Promise<void> {
  await withErrorToast(async () => {
    const { deletionId, count } = await work();
    focusThread();
    cache.refresh(conversationId);
    showUndo(i18n.t('com_chat_removed', { count }), () => void restore(cache, conversationId, deletionId));
  });
}

async function restore(cache: Cache, conversationId: string, deletionId: string): Promise<void> {
  await withErrorToast(async () => {
    await api.convos.restore.mutate({ deletionId });
    cache.refresh(conversationId);
  });
}

async function withErrorToast(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    showToast({ message: describeError(error, i18n.t), severity: 'error' });
  }
}

/** Focuses the thread before the focused message is removed. */
function focusThread(): void {
  const thread = document.querySelector<HTMLElement>('[role=log]');
  const { activeElement } = document;
  if (activeElement === document.body || thread?.contains(activeElement)) thread?.focus({ preventScroll: true });
}
