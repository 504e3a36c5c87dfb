import { useTranslation } from 'react-i18next';
import { showToast } from '../ui/toast/toast.ts';
import { trpc } from '../trpc.ts';

/** Deletes presets and refetches the list; shows failures. */
export function useRemovePresets() {
  const { t } = useTranslation();
  const { presets } = trpc.useUtils();
  const options = {
    onSuccess: () => void presets.list.invalidate(),
    onError: () => showToast({ message: t('com_endpoint_preset_delete_error'), severity: 'error' as const }),
  };
  const one = trpc.presets.remove.useMutation(options);
  const all = trpc.presets.removeAll.useMutation(options);
  return {
    removeOne: (presetId: string) => one.mutate({ presetId }),
    removeAll: () => all.mutate(),
  };
}
