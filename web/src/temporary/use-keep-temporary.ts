import { useTranslation } from 'react-i18next';
import { useUpdateLists } from '../convos/changes/use-update-lists.ts';
import { trpc } from '../trpc.ts';
import { showToast } from '../ui/toast/toast.ts';

/** Makes a temporary chat one that stays: from then on it is in the list, with all that can be done with a chat. */
export function useKeepTemporary(conversationId: string): { isKeeping: boolean; keep(): void } {
  const { t } = useTranslation();
  const changeList = useUpdateLists();
  const { isPending, mutate } = trpc.convos.keep.useMutation({
    onSuccess(convo) {
      changeList([{ type: 'convo', convo }]);
      showToast({ message: t('com_temporary_kept'), severity: 'success' });
    },
    onError: () => showToast({ message: t('com_temporary_keep_failed'), severity: 'error' }),
  });
  return { isKeeping: isPending, keep: () => mutate({ conversationId }) };
}
