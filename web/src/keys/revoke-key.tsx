import './lazy-words.ts';
import { keyNameOf } from '@parley/schema/key-name';
import { useTranslation } from 'react-i18next';
import { endpointLabel } from '../endpoints/choose.ts';
import { showToast } from '../lib/toast.tsx';
import { trpc } from '../trpc.ts';
import { useKnownKeys } from './known-keys.ts';
import { TwoClickButton } from '../lib/two-click-button.tsx';

interface RevokeKeyProps {
  endpoint: string;
  /** There is nothing left to revoke. */
  onRevoked: () => void;
}

/** Revokes the key of one endpoint. */
export function RevokeKey({ endpoint, onRevoked }: RevokeKeyProps) {
  const { t } = useTranslation();
  const known = useKnownKeys();
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
