import type { Preset } from '@parley/schema/settings/presets';
import type { RestPreset } from '../shapes/preset.ts';
import { presentChosenTools } from './present-plugin.ts';

/** A preset with its settings at the top level, as conversations have in the REST API; unset fields are omitted. */
export function presentPreset(preset: Preset): RestPreset {
  const { presetId, title, endpoint, endpointType, model, settings, isDefault, order, user } = preset;
  return {
    ...Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== null)),
    ...(Array.isArray(settings.tools) && { tools: presentChosenTools(settings.tools) }),
    _id: presetId,
    presetId,
    user,
    title,
    endpoint,
    ...(endpointType === 'custom' && { endpointType }),
    ...(model !== null && { model }),
    ...(isDefault && { defaultPreset: true }),
    ...(order !== null && { order }),
    createdAt: preset.createdAt,
    updatedAt: preset.updatedAt,
  };
}
