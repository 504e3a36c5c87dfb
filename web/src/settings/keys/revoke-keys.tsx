import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { showToast } from '../../ui/toast/toast.ts';
import { Setting } from '../setting.tsx';
import { trpc } from '../../trpc.ts';
import { useKeyCache } from '../../keys/use-key-cache.ts';
import { TwoClickButton } from '../../ui/two-click-button.tsx';

/** Setting row: revokes all keys of this user. */
export function RevokeKeys() {
  const { t } = useTranslation();
  const id = useId();
  const known = useKeyCache();
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
