import './lazy-words.ts';
import { i18n } from '../i18n.ts';
import { showToast } from '../lib/toast.tsx';

/** Long enough to be read twice. */
const DURATION = 20_000;

/** Says what became of the password and the keys of an account that a sign-in elsewhere has proven to be its owner's. */
export function sayReclaimed(): void {
  window.history.replaceState(window.history.state, '', window.location.pathname);
  showToast({ message: i18n.t('com_auth_reclaimed'), severity: 'warning', duration: DURATION });
}
