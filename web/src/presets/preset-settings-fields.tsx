import type { EndpointType } from '@parley/schema/endpoints';
import type { Settings } from '@parley/schema/params';
import type { PresetSettings } from '@parley/schema/presets';
import { ParamFields } from '../params/param-fields.tsx';

interface PresetSettingsFieldsProps {
  type: EndpointType;
  model: string | null;
  settings: PresetSettings;
  onChange: (settings: PresetSettings) => void;
}

/** How a preset asks. What other clients keep beside the parameters stays as it is. */
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
