import { useTranslation } from 'react-i18next';
import { showToast } from '../../ui/toast/toast.ts';
import { trpc } from '../../trpc.ts';
import { useUpdateLists } from '../changes/use-update-lists.ts';

/** Returns a function that pins or unpins a convo. */
export function usePin(): (conversationId: string, isPinned: boolean) => void {
  const { t } = useTranslation();
  const changeList = useUpdateLists();
  const { mutate } = trpc.convos.update.useMutation({
    onSuccess: (convo) => changeList([{ type: 'convo', convo }]),
    onError: () => showToast({ message: t('com_ui_pin_failed'), severity: 'error' }),
  });
  return (conversationId, isPinned) => mutate({ conversationId, isPinned });
}
