import type { Preset, PresetSettings } from '@parley/schema/settings/presets';

/** A preset before it is saved. */
export interface PresetDraft {
  /** Absent until first saved. */
  presetId?: string | undefined;
  title: string;
  endpoint: string | null;
  model: string | null;
  settings: PresetSettings;
}

export function presetDraft({ presetId, title, endpoint, model, settings }: Preset): PresetDraft {
  return { presetId, title, endpoint, model, settings };
}
