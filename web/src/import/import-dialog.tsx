import { useAtomValue, useSetAtom } from 'jotai';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { DialogFrame } from '../dialogs/dialog-frame.tsx';
import { openDialogAtom } from '../dialogs/open-dialog.ts';
import { Button } from '../ui/button.tsx';
import classes from '../export/export.module.css';
import { FileChooser } from './file-chooser.tsx';
import { ImportProgress } from './import-progress.tsx';
import { ImportReport } from './import-report.tsx';
import { currentImportAtom, forgetImportAtom, startImportAtom } from './current-import.ts';
import { ButtonRow } from '../ui/primitives/button-row.tsx';

/** Imports the conversations of a file. Closing it during the import asks first. */
export function ImportDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const current = useAtomValue(currentImportAtom);
  const start = useSetAtom(startImportAtom);
  const forget = useSetAtom(forgetImportAtom);
  const setDialog = useSetAtom(openDialogAtom);
  const [isAsking, setAsking] = useState(false);
  const isRunning = current !== null && current.ending === null;

  function close(): void {
    if (isRunning) return setAsking(true);
    forget();
    onClose();
  }

  /** For a conversation of the report, also past the settings that this was opened from. */
  function leave(): void {
    forget();
    setDialog(null);
  }

  return (
    <DialogFrame title={t('com_nav_import_conversations')} size="lg" onClose={close}>
      {current === null ? (
        <FileChooser onFile={(file) => void start(file)} />
      ) : (
        <div className={classes.form}>
          <ImportProgress current={current} />
          {current.ending && <ImportReport items={current.items} others={current.others} onLeave={leave} />}
          {isRunning && isAsking ? (
            <StopQuestion onStop={current.stop} onGoOn={() => setAsking(false)} />
          ) : (
            <ButtonRow end className={classes.buttons}>
              {isRunning ? (
                <Button onClick={current.stop}>{t('com_import_stop')}</Button>
              ) : (
                <>
                  <Button onClick={forget}>{t('com_import_another')}</Button>
                  <Button variant="filled" onClick={close}>
                    {t('com_ui_close')}
                  </Button>
                </>
              )}
            </ButtonRow>
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
      <ButtonRow end className={classes.buttons}>
        <Button onClick={onStop}>{t('com_import_stop')}</Button>
        <Button variant="filled" onClick={onGoOn} autoFocus>
          {t('com_import_go_on')}
        </Button>
      </ButtonRow>
    </div>
  );
}
