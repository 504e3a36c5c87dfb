import { i18n } from '../../i18n.ts';
import { showToast } from '../../ui/toast/toast.ts';

/** Milliseconds: long enough to read it. */
const SHOWN_MS = 10_000;

/** Tells the first person of a server that they administer it. */
export function showFirstPerson(): void {
  showToast({ message: i18n.t('com_auth_first_person'), severity: 'info', duration: SHOWN_MS });
}
