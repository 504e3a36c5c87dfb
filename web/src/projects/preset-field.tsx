import { useTranslation } from 'react-i18next';
import { usePresets } from '../presets/use-presets.ts';
import { SelectField } from '../ui/fields/select-field.tsx';

/** Milliseconds that the list of presets counts as new. */
const FRESH_MS = 60_000;
const NO_PRESET = 'none';

interface PresetFieldProps {
  presetId: string | null;
  onChoose: (presetId: string | null) => void;
}

/** What new chats of a folder begin with. Absent for somebody without presets. */
export function PresetField({ presetId, onChoose }: PresetFieldProps) {
  const { t } = useTranslation();
  const { presets = [] } = usePresets(FRESH_MS);
  if (presets.length === 0) return null;
  const options = presets.map((preset) => ({ value: preset.presetId, label: preset.title }));
  const isThere = presets.some((preset) => preset.presetId === presetId);
  return (
    <SelectField
      label={t('com_ui_folder_preset')}
      value={isThere ? presetId : NO_PRESET}
      options={[{ value: NO_PRESET, label: t('com_ui_folder_no_preset') }, ...options]}
      onChange={(id) => onChoose(id === NO_PRESET ? null : id)}
    />
  );
}
