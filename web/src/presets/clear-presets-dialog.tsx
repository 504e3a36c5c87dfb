// Tests of this room: tests/unit/web/presets, tests/e2e/endpoints/presets.test.ts.
import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '../dialogs/confirm-dialog.tsx';
import { useRemovePresets } from './use-remove-presets.ts';

/** Confirms and deletes every preset. */
export function ClearPresetsDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const { removeAll } = useRemovePresets();
  return (
    <ConfirmDialog
      title={t('com_endpoint_presets_clear_title')}
      text={t('com_endpoint_presets_clear_confirm')}
      verb={t('com_endpoint_presets_clear')}
      onCancel={onClose}
      onConfirm={() => {
        onClose();
        void removeAll();
      }}
    />
  );
}
