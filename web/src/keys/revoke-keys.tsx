import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { showToast } from '../lib/toast.tsx';
import { trpc } from '../trpc.ts';
import classes from './key-dialog.module.css';
import { useKnownKeys } from './known-keys.ts';
import { TwoClickButton } from './two-click-button.tsx';

/** A row of the settings: revokes every key that this person has saved. */
export function RevokeKeys() {
  const { t } = useTranslation();
  const id = useId();
  const known = useKnownKeys();
  const removeAll = trpc.keys.removeAll.useMutation({
    onSuccess: () => {
      known.dropAll();
      showToast({ message: t('com_ui_revoked_all'), severity: 'success' });
    },
    onError: () => showToast({ message: t('com_ui_revoke_failed'), severity: 'error' }),
  });
  return (
    <div className={classes.row}>
      <span id={id}>{t('com_ui_revoke_info')}</span>
      <TwoClickButton
        label={t('com_ui_revoke')}
        confirm={t('com_ui_revoke_confirm')}
        describedBy={id}
        testId="revoke-keys"
        run={() => removeAll.mutateAsync()}
      />
    </div>
  );
}
