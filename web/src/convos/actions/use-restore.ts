import { useStore } from 'jotai';
import { useCallback } from 'react';
import { navigate } from 'wouter/use-browser-location';
import { i18n } from '../../i18n.ts';
import { describeError } from '../../errors/describe-error.ts';
import { showToast } from '../../ui/toast/toast.ts';
import { api } from '../../trpc.ts';
import { onNewChat } from '../../slots/use-new-chat.ts';
import { pendingRemovalsAtom, withoutRemovals } from '../pending-changes.ts';
import type { Store } from '../../lib/jotai-store.ts';

/** Returns `restoreDeletion` bound to the page's store. */
export function useRestore(): (deletionId: string, reopen?: string | null) => Promise<boolean> {
  const store = useStore();
  return useCallback((deletionId, reopen) => restoreDeletion(store, deletionId, reopen), [store]);
}

/**
 * Undoes a deletion; true on success. The change feed brings the convos back. `reopen` is the conversation that was
 * open when it was deleted: it opens again unless the user has moved on to another one.
 */
export async function restoreDeletion(
  store: Store,
  deletionId: string,
  reopen: string | null = null,
): Promise<boolean> {
  let hasMovedOn = false;
  const stopListening = onNewChat(() => (hasMovedOn = true));
  try {
    const { conversationIds } = await api.convos.restore.mutate({ deletionId });
    store.set(pendingRemovalsAtom, (removals) => withoutRemovals(removals, conversationIds));
    if (reopen && isNewChat() && !hasMovedOn) navigate(`/c/${reopen}`);
    return true;
  } catch (error) {
    showToast({ message: describeError(error, i18n.t), severity: 'error' });
    return false;
  } finally {
    stopListening();
  }
}

export function isNewChat(): boolean {
  return window.location.pathname === '/c/new';
}
