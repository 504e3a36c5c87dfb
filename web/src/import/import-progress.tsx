import '@mantine/core/styles/Progress.css';
import { Progress } from '@mantine/core';
import type { ArchiveLine } from '@parley/schema/transfer/results';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import classes from '../export/export.module.css';
import type { ImportEnd, Import } from './current-import.ts';

/** The progress and result of an import. */
export function ImportProgress({ current }: { current: Import }) {
  const { t, i18n } = useTranslation();
  const { fileName, size, bytesDone, items, others, isWaiting, ending } = current;
  const percent = ending === 'done' || size === 0 ? 100 : Math.floor((bytesDone / size) * 100);
  const isRefused = isRefusal(ending);
  const written = (number: number) => number.toLocaleString(i18n.language);
  const count = (of: readonly { outcome: string }[], ...outcomes: string[]) =>
    written(of.filter(({ outcome }) => outcomes.includes(outcome)).length);
  const countsOf = (of: readonly { outcome: string }[]) => ({
    0: count(of, 'imported', 'extended'),
    1: count(of, 'present'),
    2: count(of, 'skipped'),
  });
  const files = others.filter((line) => line.kind === 'file');
  return (
    <div className={classes.progress}>
      <div className={classes.file} dir="auto">
        {fileName}
      </div>
      {/* Of a file that was given up, the way that was left says nothing. */}
      {!isRefused && (
        <Progress
          value={percent}
          aria-label={t('com_import_progress', { 0: fileName })}
          {...(isWaiting && { color: 'gray' })}
        />
      )}
      {(!isRefused || items.length > 0) && <p className={classes.note}>{t('com_import_working', countsOf(items))}</p>}
      {files.length > 0 && <p className={classes.note}>{t('com_import_files', countsOf(files))}</p>}
      {others
        .filter(({ kind }) => kind !== 'file')
        .map((line) => (
          <OtherCounts key={line.kind} line={line} written={written} />
        ))}
      <p className={isRefused ? 'problem' : classes.note} role="status">
        {ending ? endingOf(ending, t) : isWaiting ? t('com_import_waiting') : ''}
      </p>
    </div>
  );
}

/** Whether it ended for what is wrong with the file, or because nobody answers. */
function isRefusal(ending: ImportEnd | null): boolean {
  return ending !== null && ending !== 'done' && ending !== 'stopped';
}

function OtherCounts({ line, written }: { line: ArchiveLine; written: (number: number) => string }) {
  const { t } = useTranslation();
  switch (line.kind) {
    case 'assistants':
    case 'actions':
    case 'presets':
    case 'prompts':
    case 'skills':
    case 'drafts':
    case 'queue':
    case 'schedules':
    case 'memories':
    case 'sets': {
      const { kind, imported, present, skipped } = line;
      const counts = { 0: written(imported), 1: written(present), 2: written(skipped) };
      return <p className={classes.note}>{t(`com_import_${kind}`, counts)}</p>;
    }
    case 'settings': {
      const counts = { 0: written(line.imported), 1: written(line.kept) };
      return <p className={classes.note}>{t('com_import_settings', counts)}</p>;
    }
    case 'file':
    case 'progress':
      return null;
    default:
      return line satisfies never;
  }
}

function endingOf(ending: ImportEnd, t: TFunction): string {
  switch (ending) {
    case 'done':
      return t('com_import_done');
    case 'stopped':
      return t('com_import_stopped');
    case 'empty':
      return t('com_import_empty');
    case 'damaged_zip':
    case 'foreign_zip':
    case 'large_zip':
    case 'disk_full':
      return t(`com_import_${ending}`);
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
