import { followProfile } from '../settings/follow-profile.ts';
import { startSettingsSync } from '../settings/sync-settings.ts';
import { applySizes } from './theme/apply-sizes.ts';

/** What follows the settings beside the components that read them. Returns the function that ends it. */
export function followSettings(): () => void {
  const ends = [applySizes(), startSettingsSync(), followProfile()];
  return () => ends.forEach((end) => end());
}
