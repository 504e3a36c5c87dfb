import type { EndpointType } from '@parley/schema/catalog/endpoints';
import type { Settings } from '@parley/schema/catalog/params';
import type { PresetSettings } from '@parley/schema/settings/presets';
import { ParamFields } from '../params/param-fields.tsx';

interface PresetSettingsFieldsProps {
  type: EndpointType;
  model: string | null;
  settings: PresetSettings;
  onChange: (settings: PresetSettings) => void;
}

/** The settings of a preset. Fields of other clients stay unchanged. */
export function PresetSettingsFields({ type, model, settings, onChange }: PresetSettingsFieldsProps) {
  const { agentOptions, ...own } = settings;
  const beside: PresetSettings = agentOptions === undefined ? {} : { agentOptions };
  return (
    <ParamFields
      key={type}
      type={type}
      model={model}
      settings={own as Settings}
      isNewChat
      onChange={(changed) => onChange({ ...changed, ...beside })}
    />
  );
}
