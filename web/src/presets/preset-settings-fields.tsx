import type { EndpointType } from '@parley/schema/catalog/endpoints';
import type { PresetSettings } from '@parley/schema/settings/presets';
import { useAgentModels } from '../endpoints/use-agent-models.ts';
import { ParamFields } from '../params/param-fields.tsx';

interface PresetSettingsFieldsProps {
  endpoint: string;
  type: EndpointType;
  model: string | null;
  settings: PresetSettings;
  onChange: (settings: PresetSettings) => void;
}

/** The settings of a preset. Fields of other clients stay unchanged. */
export function PresetSettingsFields({ endpoint, type, ...rest }: PresetSettingsFieldsProps) {
  return <ParamFields key={type} type={type} agentModels={useAgentModels(endpoint)} isNewChat {...rest} />;
}
