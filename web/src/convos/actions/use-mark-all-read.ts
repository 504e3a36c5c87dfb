import { useTranslation } from 'react-i18next';
import { showToast } from '../../ui/toast/toast.ts';
import { showUndo } from '../../ui/toast/undo.ts';
import { trpc } from '../../trpc.ts';

/** Returns a function that marks every convo as read, with an undo toast. The change feed updates the lists. */
export function useMarkAllRead(): () => void {
  const { t } = useTranslation();
  const onError = () => showToast({ message: t('com_ui_mark_all_read_failed'), severity: 'error' });
  const unmark = trpc.convos.markUnread.useMutation({ onError });
  const { mutate } = trpc.convos.markAllRead.useMutation({
    onSuccess: ({ count, conversationIds }) => {
      if (count === 0) showToast({ message: t('com_ui_mark_all_read_none'), severity: 'info' });
      // An undo takes only so many.
      else if (count > conversationIds.length)
        showToast({ message: t('com_ui_marked_all_read', { count }), severity: 'success' });
      else showUndo(t('com_ui_marked_all_read', { count }), () => unmark.mutate({ conversationIds }));
    },
    onError,
  });
  return () => mutate();
}
