import './lazy-words.ts';
import '@mantine/core/styles/Button.css';
import { Button } from '@mantine/core';
import { useAtomValue, useSetAtom } from 'jotai';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { DialogFrame } from '../shell/dialogs/dialog-frame.tsx';
import classes from './export.module.css';
import { FileChooser } from './file-chooser.tsx';
import { ImportProgress } from './import-progress.tsx';
import { ImportReport } from './import-report.tsx';
import { currentImportAtom, forgetImportAtom, startImportAtom } from './running-import.ts';

/** Takes in the conversations of a file. Closing it in the middle asks first. */
export function ImportDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const current = useAtomValue(currentImportAtom);
  const start = useSetAtom(startImportAtom);
  const forget = useSetAtom(forgetImportAtom);
  const [isAsking, setAsking] = useState(false);
  const isRunning = current !== null && current.ending === null;

  function close(): void {
    if (isRunning) return setAsking(true);
    forget();
    onClose();
  }

  return (
    <DialogFrame title={t('com_nav_import_conversations')} size="lg" onClose={close}>
      {current === null ? (
        <FileChooser onFile={(file) => void start(file)} />
      ) : (
        <div className={classes.form}>
          <ImportProgress current={current} />
          {current.ending && <ImportReport items={current.items} />}
          {isRunning && isAsking ? (
            <StopQuestion onStop={current.stop} onGoOn={() => setAsking(false)} />
          ) : (
            <div className={classes.buttons}>
              {isRunning ? (
                <Button variant="default" onClick={current.stop}>
                  {t('com_import_stop')}
                </Button>
              ) : (
                <>
                  <Button variant="default" onClick={forget}>
                    {t('com_import_another')}
                  </Button>
                  <Button onClick={close}>{t('com_ui_close')}</Button>
                </>
              )}
            </div>
          )}
        </div>
      )}
    </DialogFrame>
  );
}

function StopQuestion({ onStop, onGoOn }: { onStop: () => void; onGoOn: () => void }) {
  const { t } = useTranslation();
  return (
    <div role="alertdialog" aria-label={t('com_import_stop_question')}>
      <p className={classes.note}>{t('com_import_stop_question')}</p>
      <div className={classes.buttons}>
        <Button variant="default" onClick={onStop}>
          {t('com_import_stop')}
        </Button>
        <Button onClick={onGoOn} autoFocus>
          {t('com_import_go_on')}
        </Button>
      </div>
    </div>
  );
}
