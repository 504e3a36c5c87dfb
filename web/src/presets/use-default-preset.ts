import type { Preset } from '@parley/schema/presets';
import { usePresets } from './use-presets.ts';

/** The preset that new chats start with, null when there is none or it cannot be read; undefined until that is known. */
export function useDefaultPreset(): Preset | null | undefined {
  const { presets, hasFailed } = usePresets(Infinity);
  if (!presets) return hasFailed ? null : undefined;
  return presets.find(({ isDefault }) => isDefault) ?? null;
}
