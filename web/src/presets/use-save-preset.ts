import type { Preset } from '@parley/schema/presets';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { describeError } from '../lib/describe-error.ts';
import { reasonOf } from '../lib/reason-of.ts';
import { showToast } from '../lib/toast.tsx';
import { trpc } from '../trpc.ts';

/** Saves presets and reads the list again. Failures are told; `onSaved` tells of success. */
export function useSavePreset(onSaved: (preset: Preset) => void) {
  const { t } = useTranslation();
  const { presets } = trpc.useUtils();
  const { mutate, isPending } = trpc.presets.save.useMutation({
    onSuccess: (preset) => {
      void presets.list.invalidate();
      onSaved(preset);
    },
    onError: (error) => showToast({ message: describeFailure(error, t), severity: 'error' }),
  });
  return { save: mutate, isSaving: isPending };
}

/** A refusal says why; everything else is worth another try. */
function describeFailure(error: unknown, t: TFunction): string {
  const reason = reasonOf(error);
  const isRefusal = reason !== null && reason.type !== 'unexpected_answer';
  return isRefusal ? describeError(error, t) : t('com_endpoint_preset_save_error');
}
