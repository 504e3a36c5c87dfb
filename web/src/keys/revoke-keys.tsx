import './lazy-words.ts';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { showToast } from '../lib/toast.tsx';
import { Setting } from '../settings/setting.tsx';
import { trpc } from '../trpc.ts';
import { useKnownKeys } from './known-keys.ts';
import { TwoClickButton } from '../lib/two-click-button.tsx';

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
    <Setting name={t('com_ui_revoke_info')} nameId={id}>
      <TwoClickButton
        label={t('com_ui_revoke')}
        confirm={t('com_ui_revoke_confirm')}
        describedBy={id}
        testId="revoke-keys"
        run={() => removeAll.mutateAsync()}
      />
    </Setting>
  );
}
