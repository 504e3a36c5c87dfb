import type { EndpointType } from '@parley/schema/endpoints';
import type { PresetSettings } from '@parley/schema/presets';
import { useTranslation } from 'react-i18next';
import classes from './preset-dialog.module.css';

export interface PresetSettingsFieldsProps {
  type: EndpointType;
  model: string | null;
  settings: PresetSettings;
  onChange: (settings: PresetSettings) => void;
}

/** How a preset asks: the settings that are not the defaults. */
export function PresetSettingsFields({ settings }: PresetSettingsFieldsProps) {
  const { t } = useTranslation();
  const count = Object.keys(settings).length;
  return count > 0 && <p className={classes.note}>{t('com_endpoint_preset_settings_kept', { count })}</p>;
}
