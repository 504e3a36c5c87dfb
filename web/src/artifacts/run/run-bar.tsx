import { IconPlayerPlay, IconPlayerStop } from '@tabler/icons-react';
import { SHELF_TITLES } from '@parley/schema/artifacts/shelf/libraries';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { buttonClasses } from '../../ui/button-classes.ts';
import { Button } from '../../ui/button.tsx';
import classes from './run-bar.module.css';
import type { Run, RunFault } from './use-run.ts';

interface RunBarProps {
  run: Run;
  /** Puts an error into the message box; absent where there is none. */
  onExplain?: ((error: string) => void) | undefined;
}

/** Below a preview: whether it runs, what went wrong, and the way to start and stop it. */
export function RunBar({ run, onExplain }: RunBarProps) {
  const { t } = useTranslation();
  const { fault, link, isRunning, canRun } = run;
  return (
    <div className={classes.bar}>
      {fault && (
        <div className={classes.note} role="status" data-bad>
          <span dir="auto">
            {sentenceOf(fault, t)} {fault.state === 'failed' && <q>{fault.message}</q>}
          </span>
          {onExplain && (
            <Button size="sm" onClick={() => onExplain(wordsOf(fault, t))}>
              {t('com_artifact_explain')}
            </Button>
          )}
        </div>
      )}
      {link !== null && (
        <div className={classes.note} role="status">
          <span dir="auto">{t('com_artifact_link', { 0: link })}</span>
          <a className={buttonClasses({ size: 'sm' })} href={link} target="_blank" rel="noopener noreferrer nofollow">
            {t('com_artifact_open_link')}
          </a>
        </div>
      )}
      <div className={classes.state}>
        <span>{sealOf(run, t)}</span>
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

function wordsOf(fault: RunFault, t: TFunction): string {
  const sentence = sentenceOf(fault, t);
  return fault.state === 'failed' ? `${sentence} ${fault.message}` : sentence;
}

/** What the program itself says, such as of an error, is not in it. */
function sentenceOf(fault: RunFault, t: TFunction): string {
  switch (fault.state) {
    case 'failed':
      return fault.line > 0 ? t('com_artifact_failed_line', { 0: fault.line }) : t('com_artifact_failed');
    case 'blocked':
      return fault.address === '' ? t('com_artifact_blocked') : t('com_artifact_blocked_address', { 0: fault.address });
    case 'unknown':
      return t('com_artifact_unknown', { 0: fault.name, 1: SHELF_TITLES });
    case 'silent':
      return t('com_artifact_silent');
    case 'flood':
      return t('com_artifact_ended_flood');
    case 'navigation':
      return t('com_artifact_ended_navigation');
    case 'focus':
      return t('com_artifact_ended_focus');
    case 'history':
      return t('com_artifact_ended_history');
    default:
      return fault satisfies never;
  }
}

function sealOf({ isRunning, isSealed }: Run, t: TFunction): string {
  if (!isRunning) return t('com_content_preview_still');
  if (isSealed === null) return t('com_artifact_starting');
  return t(isSealed ? 'com_artifact_sealed' : 'com_artifact_unsealed');
}
