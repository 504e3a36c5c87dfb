import type { Preset } from '@parley/schema/settings/presets';
import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '../dialogs/confirm-dialog.tsx';
import { useRemovePresets } from './use-remove-presets.ts';

/** Confirms and deletes a preset. */
export function RemovePresetDialog({ preset, onClose }: { preset: Preset; onClose: () => void }) {
  const { t } = useTranslation();
  const { removeOne } = useRemovePresets();
  return (
    <ConfirmDialog
      title={t('com_endpoint_preset_delete')}
      text={t('com_endpoint_preset_delete_confirm', { 0: preset.title })}
      verb={t('com_ui_delete')}
      onCancel={onClose}
      onConfirm={() => {
        onClose();
        void removeOne(preset);
      }}
    />
  );
}
