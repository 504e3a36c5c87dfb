import '@mantine/core/styles/Progress.css';
import { Progress } from '@mantine/core';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import classes from '../export/export.module.css';
import type { ImportEnd, Import } from './current-import.ts';

/** The progress and result of an import. */
export function ImportProgress({ current }: { current: Import }) {
  const { t, i18n } = useTranslation();
  const { fileName, size, bytesDone, items, isWaiting, ending } = current;
  const percent = ending === 'done' || size === 0 ? 100 : Math.floor((bytesDone / size) * 100);
  const count = (...outcomes: string[]) =>
    items.filter(({ outcome }) => outcomes.includes(outcome)).length.toLocaleString(i18n.language);
  const counts = t('com_import_working', {
    0: count('imported', 'extended'),
    1: count('present'),
    2: count('skipped'),
  });
  return (
    <div className={classes.progress}>
      <div className={classes.file} dir="auto">
        {fileName}
      </div>
      <Progress
        value={percent}
        aria-label={t('com_import_progress', { 0: fileName })}
        {...(isWaiting && { color: 'gray' })}
      />
      <p className={classes.note}>{counts}</p>
      <p className={classes.note} role="status">
        {ending ? endingOf(ending, t) : isWaiting ? t('com_import_waiting') : ''}
      </p>
    </div>
  );
}

function endingOf(ending: ImportEnd, t: TFunction): string {
  switch (ending) {
    case 'done':
      return t('com_import_done');
    case 'stopped':
      return t('com_import_stopped');
    case 'empty':
      return t('com_import_empty');
    case 'zipped':
      return t('com_import_zipped');
    case 'not_json':
      return t('com_import_not_json');
    case 'cut_off':
      return t('com_import_cut_off');
    case 'unreachable':
    case 'stalled':
    case 'signed_out':
      return t('com_import_unreachable');
    default:
      return ending satisfies never;
  }
}
