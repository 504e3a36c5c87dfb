import { useEffect, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { errorReason } from '../../errors/error-reason.ts';
import { formatBytes } from '../../files/format-bytes.ts';
import { saveFile } from '../../lib/save-file.ts';
import { Button } from '../../ui/button.tsx';
import { showToast } from '../../ui/toast/toast.ts';
import { Setting } from '../setting.tsx';
import classes from './export-all.module.css';
import { downloadExport, ExportError } from './download-export.ts';

/** Setting row: downloads everything of the person as one file. Closing the dialog cancels. */
export function ExportAll() {
  const { t, i18n } = useTranslation();
  const id = useId();
  const [bytes, setBytes] = useState<number | null>(null);
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);

  async function start(): Promise<void> {
    const controller = new AbortController();
    running.current = controller;
    setBytes(0);
    try {
      const file = await downloadExport(setBytes, controller.signal);
      saveFile(file, `parley-export-${new Date().toISOString().slice(0, 10)}.zip`);
      showToast({ message: t('com_account_exported'), severity: 'success' });
    } catch (error) {
      if (!controller.signal.aborted) showToast({ message: t(sentenceOf(error)), severity: 'error' });
    }
    setBytes(null);
  }

  return (
    <Setting name={t('com_account_export')} nameId={id} hint={t('com_account_export_hint')}>
      {bytes === null ? (
        <Button size="sm" aria-describedby={id} data-testid="export-all" onClick={() => void start()}>
          {t('com_account_export_start')}
        </Button>
      ) : (
        <div className={classes.progress}>
          <span className={classes.muted} role="status">
            {t('com_account_export_received', { 0: formatBytes(bytes, i18n.language) })}
          </span>
          <Button size="sm" data-testid="cancel-export-all" onClick={() => running.current?.abort()}>
            {t('com_ui_cancel')}
          </Button>
        </div>
      )}
    </Setting>
  );
}

function sentenceOf(error: unknown) {
  if (errorReason(error)?.type === 'step_up_needed') return 'com_error_step_up_needed';
  return error instanceof ExportError && error.status === 429
    ? 'com_account_export_later'
    : 'com_account_export_failed';
}
