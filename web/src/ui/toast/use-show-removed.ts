import { useTranslation } from 'react-i18next';
import { trpc } from '../../trpc.ts';
import { showToast } from './toast.ts';
import { useShowError } from './use-show-error.ts';

/** Returns a function that says that something is in the trash, and offers to bring it back; `reread` shows it again. */
export function useShowRemoved(reread: () => Promise<void>): (message: string, deletionId: string | null) => void {
  const { t } = useTranslation();
  const { mutate: restore } = trpc.convos.restore.useMutation({ onSuccess: reread, onError: useShowError() });
  return (message, deletionId) => {
    const action = { label: t('com_ui_undo'), run: () => deletionId && restore({ deletionId }) };
    showToast({ message, severity: 'info', duration: 10_000, ...(deletionId && { action }) });
  };
}
