import type { Preset } from '@parley/schema/settings/presets';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { describeError } from '../errors/describe-error.ts';
import { errorReason } from '../errors/error-reason.ts';
import { showToast } from '../ui/toast/toast.ts';
import { trpc } from '../trpc.ts';

/** Saves presets, also in the list, which is fetched again for its order. Shows failures; `onSaved` runs after success. */
export function useSavePreset(onSaved: (preset: Preset) => void) {
  const { t } = useTranslation();
  const { presets } = trpc.useUtils();
  const { mutate, isPending } = trpc.presets.save.useMutation({
    onSuccess: (preset) => {
      const isSaved = ({ presetId }: Preset) => presetId === preset.presetId;
      presets.list.setData(undefined, (known) =>
        known?.some(isSaved) ? known.map((one) => (isSaved(one) ? preset : one)) : known && [preset, ...known],
      );
      void presets.list.invalidate();
      onSaved(preset);
    },
    onError: (error) => showToast({ message: describeFailure(error, t), severity: 'error' }),
  });
  return { save: mutate, isSaving: isPending };
}

/** A rejection states its reason; any other failure may succeed on a retry. */
function describeFailure(error: unknown, t: TFunction): string {
  const reason = errorReason(error);
  const isRefusal = reason !== null && reason.type !== 'unexpected_answer';
  return isRefusal ? describeError(error, t) : t('com_endpoint_preset_save_error');
}
