import type { Preset } from '@parley/schema/presets';

/** A preset with its settings beside its identity, as conversations are on this wire: what was not set is left out. */
export function presentPreset(preset: Preset) {
  const { presetId, title, endpoint, endpointType, model, settings, isDefault, order, user } = preset;
  return {
    ...Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== null)),
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
