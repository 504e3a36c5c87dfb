import { useSetAtom } from 'jotai';
import { useTranslation } from 'react-i18next';
import { showToast } from '../../ui/toast/toast.ts';
import { trpc } from '../../trpc.ts';
import { useOpenId } from '../open-convo.ts';
import { pendingRemovalsAtom, withoutRemovals, withRemovals } from '../pending-changes.ts';
import { showUndo } from '../../ui/toast/undo.ts';
import { useUpdateLists } from '../changes/use-update-lists.ts';
import { useForgetConvo } from './use-forget-convo.ts';
import { useNewChat } from '../../slots/use-new-chat.ts';
import { useRestore } from './use-restore.ts';

/**
 * Returns a function that deletes convos, at most `SELECTION_MAX`: they leave the list at once, with an undo toast; if
 * the request fails, they return with an error toast.
 */
export function useRemove(): (conversationIds: string[]) => void {
  const { t } = useTranslation();
  const newChat = useNewChat();
  const openId = useOpenId();
  const changeList = useUpdateLists();
  const forget = useForgetConvo();
  const restore = useRestore();
  const setRemovals = useSetAtom(pendingRemovalsAtom);

  const { mutate } = trpc.convos.removeMany.useMutation({
    onMutate: ({ conversationIds }) => {
      setRemovals((removals) => withRemovals(removals, conversationIds));
      const isOpen = openId !== null && conversationIds.includes(openId);
      if (isOpen) newChat();
      return { wasOpen: isOpen ? openId : null };
    },
    onSuccess: ({ deletionId, deletedCount }, { conversationIds }, { wasOpen }) => {
      changeList(conversationIds.map((conversationId) => ({ type: 'removed', conversationId })));
      conversationIds.forEach(forget);
      if (deletionId !== null)
        showUndo(t('com_ui_convos_deleted', { count: deletedCount }), () => void restore(deletionId, wasOpen));
    },
    onError: (_error, { conversationIds }) =>
      showToast({ message: t('com_ui_convos_delete_failed', { count: conversationIds.length }), severity: 'error' }),
    onSettled: (_result, _error, { conversationIds }) =>
      setRemovals((removals) => withoutRemovals(removals, conversationIds)),
  });
  return (conversationIds) => mutate({ conversationIds });
}
