import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from './confirm-dialog.tsx';
import { useClear } from '../convos/use-clear.ts';

/** Asks whether every conversation is to be deleted, and deletes them. */
export function ClearDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const { clear } = useClear();
  return (
    <ConfirmDialog
      title={t('com_nav_clear_convos')}
      text={t('com_nav_clear_convos_confirm')}
      verb={t('com_nav_clear_convos_verb')}
      testId="clear-convos-confirm"
      onCancel={onClose}
      onConfirm={() => {
        onClose();
        clear();
      }}
    />
  );
}
