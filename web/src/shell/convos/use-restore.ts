import { useStore } from 'jotai';
import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { navigate } from 'wouter/use-browser-location';
import { describeError } from '../../lib/describe-error.ts';
import { showToast } from '../../lib/toast.tsx';
import { trpc } from '../../trpc.ts';
import { pendingRemovalsAtom, withoutRemovals } from './pending.ts';

/**
 * Returns a function that takes a deletion back; true when that was done. The feed brings what comes back. `reopen` is
 * the conversation that was open when it was deleted: it opens again unless the person has gone on to another one.
 */
export function useRestore(): (deletionId: string, reopen?: string | null) => Promise<boolean> {
  const { t } = useTranslation();
  const { client } = trpc.useUtils();
  const store = useStore();
  return useCallback(
    async (deletionId, reopen = null) => {
      try {
        const { conversationIds } = await client.convos.restore.mutate({ deletionId });
        store.set(pendingRemovalsAtom, (removals) => withoutRemovals(removals, conversationIds));
        if (reopen && window.location.pathname === '/c/new') navigate(`/c/${reopen}`);
        return true;
      } catch (error) {
        showToast({ message: describeError(error, t), severity: 'error' });
        return false;
      }
    },
    [client, store, t],
  );
}
