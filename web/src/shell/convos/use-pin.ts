import './lazy-words.ts';
import { useTranslation } from 'react-i18next';
import { showToast } from '../../lib/toast.tsx';
import { trpc } from '../../trpc.ts';
import { useChangeList } from './use-change-list.ts';

/** Returns a function that puts a convo above the dates, or back among them. */
export function usePin(): (conversationId: string, isPinned: boolean) => void {
  const { t } = useTranslation();
  const changeList = useChangeList();
  const { mutate } = trpc.convos.update.useMutation({
    onSuccess: (convo) => changeList([{ type: 'convo', convo }]),
    onError: () => showToast({ message: t('com_ui_pin_failed'), severity: 'error' }),
  });
  return (conversationId, isPinned) => mutate({ conversationId, isPinned });
}
