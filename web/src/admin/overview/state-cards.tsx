import type { TFunction } from 'i18next';
import { useId, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { formatBytes } from '../../files/format-bytes.ts';
import { formatDateTime } from '../../lib/format-date.ts';
import { formatNumber } from '../../lib/format-number.ts';
import classes from '../../usage/usage.module.css';
import { describeFree, mailSentence } from './check-server.ts';
import type { Overview } from './overview.ts';
import own from './overview.module.css';

export function StateCards({ overview }: { overview: Overview }) {
  const { t, i18n } = useTranslation();
  const { language } = i18n;
  const { answers, queued, database, disks, files, mail, backup } = overview;
  const ms = database.ms.toLocaleString(language, {
    style: 'unit',
    unit: 'millisecond',
    maximumFractionDigits: database.ms < 10 ? 1 : 0,
  });
  return (
    <div className={`${classes.cards} ${own.cards}`}>
      <Card title={t('com_overview_answers')} figure={formatNumber(answers.running, language)}>
        <p>{t('com_overview_queued', { 0: formatNumber(queued, language) })}</p>
        {answers.left > 0 && (
          <p className={own.warning}>{t('com_overview_left', { 0: formatNumber(answers.left, language) })}</p>
        )}
      </Card>
      <Card title={t('com_overview_database')} figure={ms}>
        <p>{t('com_overview_size', { 0: formatBytes(database.bytes, language) })}</p>
      </Card>
      {disks.map(({ holds, free, total }) => (
        <Card
          key={holds}
          title={t(holds === 'data' ? 'com_overview_disk' : 'com_overview_disk_files')}
          figure={t('com_overview_free', { 0: formatBytes(free, language) })}
        >
          <p>{describeFree({ free, total }, t, language)}</p>
        </Card>
      ))}
      <Card title={t('com_overview_files')} figure={storeName(files.source, t)}>
        <p>{t(files.isAnswering ? 'com_overview_answering' : 'com_overview_not_answering')}</p>
      </Card>
      <Card title={t('com_overview_mail')} figure={t(mail.isSetUp ? 'com_overview_mail_on' : 'com_overview_mail_off')}>
        <p>{mailSentence(mail, t, language)}</p>
      </Card>
      {(backup.made || backup.restored) && <BackupCard backup={backup} />}
    </div>
  );
}

function BackupCard({ backup: { made, restored } }: Pick<Overview, 'backup'>) {
  const { t, i18n } = useTranslation();
  const { language } = i18n;
  const figure = made ? formatDateTime(made.endedAt, language) : t('com_overview_backup_never');
  return (
    <Card title={t('com_overview_backup')} figure={figure}>
      {made && <p>{t('com_overview_backup_of', { 0: formatBytes(made.bytes, language), 1: made.version })}</p>}
      {restored && (
        <p>
          {t('com_overview_restored', {
            0: formatDateTime(restored.at, language),
            1: formatDateTime(restored.madeAt, language),
          })}
        </p>
      )}
    </Card>
  );
}

interface CardProps {
  title: string;
  figure: string;
  children: ReactNode;
}

function Card({ title, figure, children }: CardProps) {
  const titleId = useId();
  return (
    <section className={classes.card} aria-labelledby={titleId}>
      <h2 id={titleId} className={classes.cardTitle}>
        {title}
      </h2>
      <p className={classes.sum}>{figure}</p>
      <div className={own.details}>{children}</div>
    </section>
  );
}

function storeName(source: Overview['files']['source'], t: TFunction): string {
  switch (source) {
    case 's3':
      return 'S3';
    case 'firebase':
      return 'Firebase';
    default:
      return t('com_overview_files_local');
  }
}
