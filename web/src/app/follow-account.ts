import { showAccountClaimed } from '../auth/notices/account-claimed.ts';
import { showAccountRestored } from '../auth/notices/account-restored.ts';
import { startSettingsSync } from '../settings/sync-settings.ts';
import { continueShare } from '../shares/continue-share.ts';
import { followProfile } from './follow-profile.ts';
import { applySizes } from './theme/apply-sizes.ts';

/**
 * What follows the account beside the components that read it, and what is to be said about the account after a sign-in
 * at another site. Returns the function that ends it.
 */
export function followAccount(): () => void {
  showNotice();
  void continueShare().catch(() => undefined);
  const ends = [applySizes(), startSettingsSync(), followProfile()];
  return () => ends.forEach((end) => end());
}

function showNotice(): void {
  const { search } = window.location;
  if (search === '?reclaimed') showAccountClaimed();
  if (search === '?restored') showAccountRestored();
}
