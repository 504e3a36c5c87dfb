import { useTranslation } from 'react-i18next';
import { showToast } from '../../ui/toast/toast.ts';
import { trpc } from '../../trpc.ts';
import { useOpenId } from '../open-convo.ts';
import { showUndo } from '../../ui/toast/undo.ts';
import { useNewChat } from '../../slots/use-new-chat.ts';
import { useRefreshLists } from '../changes/use-refresh-lists.ts';
import { useRestore } from './use-restore.ts';

/** Deletes every conversation, with an undo toast. */
export function useClear(): { clear: () => Promise<unknown> } {
  const { t } = useTranslation();
  const newChat = useNewChat();
  const openId = useOpenId();
  const refresh = useRefreshLists();
  const restore = useRestore();
  const { mutateAsync } = trpc.convos.clear.useMutation({
    onMutate: () => {
      if (openId !== null) newChat();
      return { wasOpen: openId };
    },
    onSuccess: ({ deletionId, deletedCount }, _input, { wasOpen }) => {
      void refresh();
      if (deletionId === null) showToast({ message: t('com_nav_clear_convos_none'), severity: 'info' });
      else showUndo(t('com_ui_convos_deleted', { count: deletedCount }), () => void restore(deletionId, wasOpen));
    },
    onError: () => showToast({ message: t('com_nav_clear_convos_failed'), severity: 'error' }),
  });
  return { clear: () => mutateAsync() };
}
