// Tells why an upload takes long.
import { i18n } from '../../i18n.ts';
import { showToast } from '../../ui/toast/toast.ts';

/** Milliseconds until a slow upload is explained, and how long the explanation stays. */
const SLOW_AFTER_MS = 3_000;
const SLOW_SHOWN_MS = 7_000;

/** One explanation is enough for all uploads that are slow at the same time. */
let shownUntil = 0;

/** Explains an upload that is slow. Returns how to take the explanation away, as the signal's abort does. */
export function explainSlowUpload(name: string, signal: AbortSignal): () => void {
  let hide = () => {};
  const timer = setTimeout(() => (hide = explain(name)), SLOW_AFTER_MS);
  signal.addEventListener('abort', end);
  return end;

  function end(): void {
    clearTimeout(timer);
    hide();
    hide = () => {};
  }
}

function explain(name: string): () => void {
  if (Date.now() < shownUntil) return () => {};
  shownUntil = Date.now() + SLOW_SHOWN_MS;
  const dismiss = showToast({
    message: i18n.t('com_files_slow', { 0: name }),
    severity: 'warning',
    duration: SLOW_SHOWN_MS,
  });
  return () => {
    shownUntil = 0;
    dismiss();
  };
}
