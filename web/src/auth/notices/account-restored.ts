import { i18n } from '../../i18n.ts';
import { showToast } from '../../ui/toast/toast.ts';

/** Milliseconds: long enough to read it twice. */
const SHOWN_MS = 20_000;

/** Tells a user that signing in has kept an account that was to be deleted. */
export function showAccountRestored(): void {
  if (window.location.search === '?restored')
    window.history.replaceState(window.history.state, '', window.location.pathname);
  showToast({ message: i18n.t('com_account_restored'), severity: 'success', duration: SHOWN_MS });
}
