// What is said about an account after signing in, whichever way.
import type { ParseKeys } from 'i18next';
import { i18n, loadSentences } from '../../i18n.ts';
import { showToast, type Severity } from '../../ui/toast/toast.ts';

/** Milliseconds: long enough to read it twice. */
const SHOWN_MS = 20_000;

/** Tells a user that signing in has kept an account that was to be deleted. */
export function showAccountRestored(): void {
  void show('com_account_restored', 'success');
}

/**
 * Tells the owner what happened to the password and keys of an account that an OAuth sign-in has proven to be theirs.
 */
export function showAccountClaimed(): void {
  void show('com_auth_reclaimed', 'warning');
}

async function show(sentence: ParseKeys, severity: Severity): Promise<void> {
  const { pathname, search } = window.location;
  if (search === '?restored' || search === '?reclaimed')
    window.history.replaceState(window.history.state, '', pathname);
  // Neither screen comes with it.
  await loadSentences().catch(() => undefined);
  showToast({ message: i18n.t(sentence), severity, duration: SHOWN_MS });
}
