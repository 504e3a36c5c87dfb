import type { EndpointType } from '@parley/schema/catalog/endpoints';
import type { PresetSettings } from '@parley/schema/settings/presets';
import { ParamFields } from '../params/param-fields.tsx';

interface PresetSettingsFieldsProps {
  type: EndpointType;
  model: string | null;
  /** That the endpoint offers. */
  models: readonly string[];
  settings: PresetSettings;
  onChange: (settings: PresetSettings) => void;
}

/** The settings of a preset. Fields of other clients stay unchanged. */
export function PresetSettingsFields({ type, ...rest }: PresetSettingsFieldsProps) {
  return <ParamFields key={type} type={type} isNewChat {...rest} />;
}
