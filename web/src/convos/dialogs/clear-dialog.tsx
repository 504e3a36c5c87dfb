import type { TRASH_DAYS } from '@parley/schema/convos/deletions';
import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '../../dialogs/confirm-dialog.tsx';
import { useClear } from '../actions/use-clear.ts';

const DAYS: typeof TRASH_DAYS = 7;

/** Confirms and deletes every conversation. */
export function ClearDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const { clear } = useClear();
  return (
    <ConfirmDialog
      title={t('com_nav_clear_convos')}
      text={`${t('com_nav_clear_convos_confirm')} ${t('com_ui_delete_undo', { count: DAYS })}`}
      verb={t('com_nav_clear_convos_verb')}
      testId="clear-convos-confirm"
      onCancel={onClose}
      onConfirm={() => {
        onClose();
        // A failure shows its toast.
        clear().catch(() => undefined);
      }}
    />
  );
}
