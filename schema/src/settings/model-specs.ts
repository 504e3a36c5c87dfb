// Models that the operator offers by names of their own, each with its settings.
import type { PresetSettings } from './presets.ts';

export interface ModelSpec {
  name: string;
  /** Shown in place of the model. */
  label: string;
  description?: string;
  /** Specs of one group stand together, below its name. */
  group?: string;
  /** The address of an image. */
  iconURL?: string;
  endpoint: string;
  /** Null for the endpoint's own default. */
  model: string | null;
  settings: PresetSettings;
  /** New chats start with it: all of them, or only those of a person who has chosen nothing yet. */
  startsChats?: 'always' | 'first';
}

export interface ModelSpecs {
  /** Nothing else is offered, except whole endpoints of `addedEndpoints`. */
  enforce: boolean;
  /** New chats start with a spec even where a person has a preset of their own for that. */
  prioritize: boolean;
  addedEndpoints: string[];
  list: ModelSpec[];
}
