import { IconPlayerPlay, IconPlayerStop } from '@tabler/icons-react';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { buttonClasses } from '../../ui/button-classes.ts';
import { Button } from '../../ui/button.tsx';
import classes from './run-bar.module.css';
import type { Run, RunNote } from './use-run.ts';

interface RunBarProps {
  run: Run;
  /** Puts an error into the message box; absent where there is none. */
  onExplain?: ((error: string) => void) | undefined;
}

/** Below a preview: whether it runs, what went wrong, and the way to start and stop it. */
export function RunBar({ run, onExplain }: RunBarProps) {
  const { t } = useTranslation();
  const { note, isRunning, canRun } = run;
  return (
    <div className={classes.bar}>
      {note && (
        <div className={classes.note} role="status" data-bad={note.state !== 'link' || undefined}>
          <span dir="auto">{sentenceOf(note, t)}</span>
          {note.state === 'link' && (
            <a
              className={buttonClasses({ size: 'sm' })}
              href={note.address}
              target="_blank"
              rel="noopener noreferrer nofollow"
            >
              {t('com_artifact_open_link')}
            </a>
          )}
          {note.state !== 'link' && onExplain && (
            <Button size="sm" onClick={() => onExplain(sentenceOf(note, t))}>
              {t('com_artifact_explain')}
            </Button>
          )}
        </div>
      )}
      <div className={classes.state}>
        <span>{t(isRunning ? 'com_artifact_sealed' : 'com_content_preview_still')}</span>
        {canRun && (
          <Button size="sm" onClick={isRunning ? run.stop : run.start}>
            {isRunning ? <IconPlayerStop aria-hidden /> : <IconPlayerPlay aria-hidden />}
            {t(isRunning ? 'com_artifact_stop' : 'com_artifact_run')}
          </Button>
        )}
      </div>
    </div>
  );
}

function sentenceOf(note: RunNote, t: TFunction): string {
  switch (note.state) {
    case 'failed':
      return note.line > 0
        ? t('com_artifact_failed_line', { 0: note.message, 1: note.line })
        : t('com_artifact_failed', { 0: note.message });
    case 'blocked':
      return note.address === '' ? t('com_artifact_blocked') : t('com_artifact_blocked_address', { 0: note.address });
    case 'unknown':
      return t('com_artifact_unknown', { 0: note.name });
    case 'link':
      return t('com_artifact_link', { 0: note.address });
    case 'silent':
      return t('com_artifact_silent');
    default:
      return note satisfies never;
  }
}
