import { startSettingsSync } from '../settings/sync-settings.ts';
import { followProfile } from './follow-profile.ts';
import { applySizes } from './theme/apply-sizes.ts';

/** What follows the account beside the components that read it. Returns the function that ends it. */
export function followSettings(): () => void {
  const ends = [applySizes(), startSettingsSync(), followProfile()];
  return () => ends.forEach((end) => end());
}
