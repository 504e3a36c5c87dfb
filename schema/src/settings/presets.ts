import * as z from 'zod';
import { cleanText } from '../clean-text.ts';
import type { EndpointType } from '../catalog/endpoints.ts';
import { Id } from '../ids.ts';
import { isFlat, TOO_NESTED } from '../nesting.ts';
import type { AgentOptions as Options, SettingValue } from '../catalog/params.ts';

/** An endpoint, model and settings saved under a name. */
export interface Preset {
  presetId: string;
  title: string;
  /** Null when its endpoint is unknown here. */
  endpoint: string | null;
  endpointType: EndpointType | null;
  model: string | null;
  settings: PresetSettings;
  /** New chats start with it. */
  isDefault: boolean;
  /** Its position in the list; presets without one come last, newest first. */
  order: number | null;
  /** The owner's id. */
  user: string;
  createdAt: string;
  updatedAt: string;
}

/** An endpoint's parameters and other fields that clients save; defaults are left out. */
export type PresetSettings = Record<string, SettingValue>;

/** How the plugins endpoint uses its tools. */
export const AgentOptions: z.ZodType<Options> = z.object({
  agent: z.enum(['functions', 'classic']),
  skipCompletion: z.boolean(),
  model: z.string().max(256),
  temperature: z.number().min(0).max(2),
});

/** The name of a preset saved without one. */
export const UNNAMED = 'My Preset';
export const PRESET_TITLE_MAX = 255;
/** Presets that a user may have. */
export const PRESETS_MAX = 1000;

/**
 * Creates or updates a preset: absent fields stay as they are. An endpoint replaces model and settings as a whole;
 * settings that are invalid for it become defaults.
 */
export const SavePreset = z.strictObject({
  /** Absent for a new one. */
  presetId: Id.nullish(),
  title: z.string().overwrite(cleanText).trim().max(PRESET_TITLE_MAX, 'The title is too long').nullish(),
  endpoint: z.string().max(128).overwrite(cleanText).nullish(),
  model: z.string().max(256).overwrite(cleanText).nullish(),
  settings: z.record(z.string().max(64), z.unknown()).refine(isFlat, TOO_NESTED).default({}),
  isDefault: z.boolean().optional(),
  order: z.int().min(0).max(1_000_000).nullish(),
});
export type SavePreset = z.infer<typeof SavePreset>;

/** Presets as the list has them; the server reads each column that travels. */
export const RestorePresets = z.strictObject({
  presets: z.array(z.record(z.string(), z.unknown()).refine(isFlat, TOO_NESTED)).max(PRESETS_MAX),
});

export const PresetRef = z.strictObject({ presetId: Id });
