import type { ArchiveLine, FileSkip, ImportItem, LeftOut } from '@parley/schema/transfer/results';
import type { TFunction } from 'i18next';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import { i18n } from '../i18n.ts';
import classes from './import-report.module.css';
import { ScrollRegion } from '../ui/primitives/scroll-region.tsx';

/** Nobody reads a longer list; failures are first. */
const SHOWN_MAX = 300;

interface ImportReportProps {
  items: readonly ImportItem[];
  others: readonly ArchiveLine[];
  /** Called when a conversation is opened. */
  onLeave: () => void;
}

/** The result for each conversation of a file, after the files of an archive that were left out. */
export function ImportReport({ items, others, onLeave }: ImportReportProps) {
  const { t } = useTranslation();
  const leftOut = others.flatMap((line, position) =>
    line.kind === 'file' && line.outcome === 'skipped' ? [{ ...line, place: position }] : [],
  );
  const sorted = useMemo(
    () => items.toSorted((a, b) => rankOf(a) - rankOf(b) || a.index - b.index || (a.part ?? 0) - (b.part ?? 0)),
    [items],
  );
  if (items.length === 0 && leftOut.length === 0) return null;
  return (
    <ScrollRegion className={classes.report} role="region" aria-label={t('com_import_report')}>
      <ul>
        {leftOut.slice(0, SHOWN_MAX).map(({ place, name, reason }) => (
          <LeftOut key={place} name={name} reason={reason} />
        ))}
        {sorted.slice(0, SHOWN_MAX).map((item) => (
          <li key={`${item.index}.${item.part ?? 0}`} data-outcome={item.outcome}>
            <Name item={item} onLeave={onLeave} />
            <span className={classes.outcome}>{describe(item, t)}</span>
          </li>
        ))}
        {sorted.length > SHOWN_MAX && (
          <li className={classes.outcome}>
            {t('com_import_more', { 0: (sorted.length - SHOWN_MAX).toLocaleString(i18n.language) })}
          </li>
        )}
      </ul>
    </ScrollRegion>
  );
}

function LeftOut({ name, reason }: { name: string; reason: FileSkip }) {
  const { t } = useTranslation();
  return (
    <li data-outcome="skipped">
      <b dir="auto">{name}</b>
      <span className={classes.outcome}>{t(`com_import_file_${reason}`)}</span>
    </li>
  );
}

function Name({ item, onLeave }: { item: ImportItem; onLeave: () => void }) {
  const { t } = useTranslation();
  const name =
    item.title ?? `${t('com_import_untitled')} (${t('com_import_number', { 0: (item.part ?? item.index) + 1 })})`;
  if (item.outcome === 'skipped') return <b dir="auto">{name}</b>;
  return (
    <Link href={`/c/${item.conversationId}`} onClick={onLeave} dir="auto">
      {name}
    </Link>
  );
}

function rankOf(item: ImportItem): number {
  if (item.outcome === 'skipped') return 0;
  return 'dropped' in item && (item.dropped > 0 || item.leftOut) ? 1 : 2;
}

function describe(item: ImportItem, t: TFunction): string {
  switch (item.outcome) {
    case 'skipped':
      return t(`com_import_skip_${item.reason}`, { 0: item.product ?? '' });
    case 'present':
      return t('com_import_was_present');
    case 'imported':
    case 'extended': {
      const dropped = item.dropped > 0 ? [t('com_import_dropped', { count: item.dropped })] : [];
      return inARow([
        t(`com_import_was_${item.outcome}`, { count: item.messages }),
        ...dropped,
        ...describeLeftOut(item.leftOut ?? {}, t),
      ]);
    }
    default:
      return item satisfies never;
  }
}

function describeLeftOut({ kinds = {}, tags = [] }: LeftOut, t: TFunction): string[] {
  const named = Object.entries(kinds).map(([kind, count]) => (count === 1 ? kind : `${count} × ${kind}`));
  return [
    ...(named.length > 0 ? [t('com_import_left_kinds', { 0: inARow(named) })] : []),
    ...(tags.length > 0 ? [t('com_import_left_tags', { 0: inARow(tags) })] : []),
  ];
}

function inARow(said: readonly string[]): string {
  return new Intl.ListFormat(i18n.language, { type: 'unit', style: 'short' }).format(said);
}
