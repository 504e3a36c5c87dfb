import { useTranslation } from 'react-i18next';
import { showToast } from '../ui/toast/toast.ts';
import { readPresetFile } from './preset-file.ts';
import { useSavePreset } from './use-save-preset.ts';

/** Returns a function that saves the contents of a file as a new preset. */
export function useImportPreset(): (file: File) => Promise<void> {
  const { t } = useTranslation();
  const { save } = useSavePreset(({ title }) =>
    showToast({ message: t('com_endpoint_preset_imported', { 0: title }), severity: 'success' }),
  );
  return async (file) => {
    const preset = await readPresetFile(file).catch(() => null);
    if (preset) save({ ...preset, title: preset.title ?? t('com_endpoint_new_preset') });
    else showToast({ message: t('com_endpoint_preset_import_error'), severity: 'error' });
  };
}
