import { useSetAtom } from 'jotai';
import { useTranslation } from 'react-i18next';
import { showToast } from '../lib/toast.tsx';
import { trpc } from '../trpc.ts';
import { useOpenId } from './open-convo.ts';
import { pendingRemovalsAtom } from './pending.ts';
import { useChangeList } from './use-change-list.ts';
import { useForgetConvo } from './use-forget-convo.ts';
import { useNewChat } from './use-new-chat.ts';

/** Returns a function that deletes a convo: gone from the list at once, back with a toast when that fails. */
export function useRemove() {
  const { t } = useTranslation();
  const newChat = useNewChat();
  const openId = useOpenId();
  const changeList = useChangeList();
  const forget = useForgetConvo();
  const setRemovals = useSetAtom(pendingRemovalsAtom);

  function gone(conversationId: string): void {
    changeList({ type: 'removed', conversationId });
    forget(conversationId);
  }

  const { mutate } = trpc.convos.remove.useMutation({
    onMutate: ({ conversationId }) => {
      setRemovals((removals) => new Set(removals).add(conversationId));
      if (conversationId === openId) newChat();
    },
    onSuccess: (_result, { conversationId }) => gone(conversationId),
    onError: (error, { conversationId }) => {
      // Deleted elsewhere in the meantime: what was wanted is so.
      if (error.data?.reason?.type === 'not_found') return gone(conversationId);
      showToast({ message: t('com_ui_convo_delete_failed'), severity: 'error' });
    },
    onSettled: (_result, _error, { conversationId }) =>
      setRemovals((removals) => new Set([...removals].filter((id) => id !== conversationId))),
  });
  return mutate;
}
