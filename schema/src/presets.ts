import * as z from 'zod';
import { cleanText } from './clean-text.ts';
import type { EndpointType } from './endpoints.ts';
import { Id } from './ids.ts';
import type { SettingValue } from './params.ts';

/** Whom and how to ask, saved under a name. */
export interface Preset {
  presetId: string;
  title: string;
  /** Null where it was made for an endpoint that nobody knows here. */
  endpoint: string | null;
  endpointType: EndpointType | null;
  model: string | null;
  settings: PresetSettings;
  /** New chats start with it. */
  isDefault: boolean;
  /** Its place in the list; those without stand behind, the newest first. */
  order: number | null;
  /** Whose it is. */
  user: string;
  createdAt: string;
  updatedAt: string;
}

/** An endpoint's parameters and what clients keep beside them; what equals a default is left out. */
export type PresetSettings = Record<string, SettingValue | AgentOptions>;

/** How the plugins endpoint has its tools used. */
export const AgentOptions = z.object({
  agent: z.enum(['functions', 'classic']),
  skipCompletion: z.boolean(),
  model: z.string().max(256),
  temperature: z.number().min(0).max(2),
});
export type AgentOptions = z.infer<typeof AgentOptions>;

/** What a preset is called that was given no name. */
export const UNNAMED = 'My Preset';
export const PRESET_TITLE_MAX = 255;
/** Presets that a user may have. */
export const PRESETS_MAX = 1000;

/**
 * Makes a preset, or changes one: what is left out stays as it is. With an endpoint come its model and settings, whole;
 * settings that the endpoint cannot have are the defaults.
 */
export const SavePreset = z.strictObject({
  /** Absent for a new one. */
  presetId: Id.nullish(),
  title: z.string().overwrite(cleanText).trim().max(PRESET_TITLE_MAX, 'The title is too long').nullish(),
  endpoint: z.string().max(128).overwrite(cleanText).nullish(),
  model: z.string().max(256).overwrite(cleanText).nullish(),
  settings: z.record(z.string().max(64), z.unknown()).default({}),
  isDefault: z.boolean().optional(),
  order: z.int().min(0).max(1_000_000).nullish(),
});
export type SavePreset = z.infer<typeof SavePreset>;

export const PresetRef = z.strictObject({ presetId: Id });
