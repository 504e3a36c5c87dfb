import type { Preset, PresetSettings } from '@parley/schema/presets';

/** A preset as it is before it is saved. */
export interface PresetDraft {
  /** Absent for one that is not saved yet. */
  presetId?: string | undefined;
  title: string;
  endpoint: string | null;
  model: string | null;
  settings: PresetSettings;
}

export function draftOf({ presetId, title, endpoint, model, settings }: Preset): PresetDraft {
  return { presetId, title, endpoint, model, settings };
}
