import type { CopiedShare } from '@parley/schema/convos/shares';
import { i18n } from '../i18n.ts';
import { showToast } from '../ui/toast/toast.ts';

/** Names on one notice. */
const NAMES_MAX = 5;

/** Says which files of a shared conversation are not in the copy. */
export function notifyMissingFiles({ missing }: CopiedShare): void {
  if (missing.length === 0) return;
  const names = missing.length > NAMES_MAX ? [...missing.slice(0, NAMES_MAX), '…'] : missing;
  const message = i18n.t('com_share_not_copied', { 0: new Intl.ListFormat(i18n.language).format(names) });
  showToast({ message, severity: 'warning', duration: 10_000 });
}
