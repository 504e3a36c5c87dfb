import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '../../dialogs/confirm-dialog.tsx';
import { session } from '../../session/current-session.ts';

/** Confirms a sign-out that loses questions. `unsent` is their number. */
export function SignOutDialog({ unsent, onClose }: { unsent: number; onClose: () => void }) {
  const { t } = useTranslation();
  return (
    <ConfirmDialog
      title={t('com_nav_log_out_unsent_title')}
      text={t('com_nav_log_out_unsent', { 0: unsent })}
      verb={t('com_nav_log_out')}
      onCancel={onClose}
      onConfirm={() => {
        onClose();
        void session.signOut();
      }}
    />
  );
}
