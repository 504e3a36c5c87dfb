import { useStore } from 'jotai';
import { useCallback } from 'react';
import { navigate } from 'wouter/use-browser-location';
import type { Store } from '../../chat/exchanges/exchange.ts';
import { i18n } from '../../i18n.ts';
import { describeError } from '../../lib/describe-error.ts';
import { showToast } from '../../lib/toast.tsx';
import { api } from '../../trpc.ts';
import { pendingRemovalsAtom, withoutRemovals } from './pending.ts';

/** Returns `restoreDeletion` for the page's store. */
export function useRestore(): (deletionId: string, reopen?: string | null) => Promise<boolean> {
  const store = useStore();
  return useCallback((deletionId, reopen) => restoreDeletion(store, deletionId, reopen), [store]);
}

/**
 * Takes a deletion back; true when that was done. The feed brings what comes back. `reopen` is the conversation that was
 * open when it was deleted: it opens again unless the person has gone on to another one.
 */
export async function restoreDeletion(
  store: Store,
  deletionId: string,
  reopen: string | null = null,
): Promise<boolean> {
  try {
    const { conversationIds } = await api.convos.restore.mutate({ deletionId });
    store.set(pendingRemovalsAtom, (removals) => withoutRemovals(removals, conversationIds));
    if (reopen && isNewChat()) navigate(`/c/${reopen}`);
    return true;
  } catch (error) {
    showToast({ message: describeError(error, i18n.t), severity: 'error' });
    return false;
  }
}

export function isNewChat(): boolean {
  return window.location.pathname === '/c/new';
}
