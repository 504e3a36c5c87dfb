import { i18n } from '../../i18n.ts';
import { showToast } from '../../ui/toast/toast.ts';

/** Milliseconds: long enough to read it twice. */
const SHOWN_MS = 20_000;

/**
 * Tells the owner what happened to the password and keys of an account that an OAuth sign-in has proven to be theirs.
 */
export function showAccountClaimed(): void {
  window.history.replaceState(window.history.state, '', window.location.pathname);
  showToast({ message: i18n.t('com_auth_reclaimed'), severity: 'warning', duration: SHOWN_MS });
}
