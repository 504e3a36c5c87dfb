import { applySizes } from './apply-sizes.ts';
import { startSettingsSync } from './sync-settings.ts';

/** What follows the settings beside the components that read them. Returns the function that ends it. */
export function followSettings(): () => void {
  const ends = [applySizes(), startSettingsSync()];
  return () => ends.forEach((end) => end());
}
