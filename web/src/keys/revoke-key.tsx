import { keyNameOf } from '@parley/schema/accounts/key-name';
import { useTranslation } from 'react-i18next';
import { endpointLabel } from '../catalog/choose-model.ts';
import { showToast } from '../ui/toast/toast.ts';
import { trpc } from '../trpc.ts';
import { useKeyCache } from './use-key-cache.ts';
import { TwoClickButton } from '../ui/two-click-button.tsx';

interface RevokeKeyProps {
  endpoint: string;
  /** Disabled: no key is saved. */
  onRevoked: () => void;
}

/** Revokes the key of one endpoint. */
export function RevokeKey({ endpoint, onRevoked }: RevokeKeyProps) {
  const { t } = useTranslation();
  const known = useKeyCache();
  const config = trpc.endpoints.list.useQuery(undefined, { staleTime: Infinity }).data?.[endpoint];
  const remove = trpc.keys.remove.useMutation({
    onSuccess: () => {
      known.drop(keyNameOf(endpoint, config?.azure ?? false));
      onRevoked();
      showToast({ message: t('com_ui_revoked', { 0: endpointLabel(endpoint) }), severity: 'success' });
    },
    onError: () => showToast({ message: t('com_ui_revoke_failed'), severity: 'error' }),
  });
  return (
    <TwoClickButton
      label={t('com_ui_revoke')}
      confirm={t('com_ui_revoke_confirm')}
      testId="revoke-key"
      run={() => remove.mutateAsync({ name: endpoint })}
    />
  );
}
