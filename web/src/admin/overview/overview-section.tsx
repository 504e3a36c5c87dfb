import type { TFunction } from 'i18next';
import { type ReactNode, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import { Block, ListRow, StateTag } from '../admin-list.tsx';
import classes from '../admin.module.css';
import { DataTable } from '../data-table.tsx';
import { type Check, type Overview, checkServer, describeFree, mailSentence } from './check-server.ts';
import own from './overview.module.css';
import { useCopied } from '../../content/use-copied.ts';
import { describeError } from '../../errors/describe-error.ts';
import { formatBytes } from '../../files/format-bytes.ts';
import pageClasses from '../../layout/page/page.module.css';
import { formatDateTime } from '../../lib/format-date.ts';
import { formatNumber } from '../../lib/format-number.ts';
import { trpc } from '../../trpc.ts';
import { buttonClasses } from '../../ui/button-classes.ts';
import { Button } from '../../ui/button.tsx';
import { Modal } from '../../ui/modal.tsx';
import { ButtonRow } from '../../ui/primitives/button-row.tsx';
import { SkeletonRows } from '../../ui/skeleton/skeleton-rows.tsx';
import usageClasses from '../../usage/usage.module.css';

/** While the page is visible. */
const REREAD_EVERY_MS = 10_000;

/** What needs an administrator, and how the server is at this moment. */
export function OverviewSection() {
  const { t, i18n } = useTranslation();
  const { data, error, dataUpdatedAt } = trpc.admin.overview.useQuery(undefined, {
    refetchInterval: REREAD_EVERY_MS,
    refetchOnMount: 'always',
    refetchOnWindowFocus: true,
  });
  const waiting = trpc.admin.people.list.useQuery({ isWaiting: true }, { refetchOnMount: 'always' });
  if (!data || waiting.isPending)
    return error ? <p className={pageClasses.note}>{describeError(error, t)}</p> : <SkeletonRows count={6} />;
  const names = waiting.data?.people.map(({ name }) => name) ?? [];
  const checks = checkServer(data, names, t, i18n.language);
  const well = checks.filter(({ problem }) => !problem);
  const readAt = formatDateTime(new Date(dataUpdatedAt).toISOString(), i18n.language);
  return (
    <>
      {error && (
        <p className={pageClasses.note} role="alert">
          {describeError(error, t)} {t('com_overview_stale', { 0: readAt })}
        </p>
      )}
      <Needs checks={checks} command={data.backup.command} />
      <details>
        <summary className={own.healthy}>
          {t('com_overview_well', { 0: well.map(({ title }) => title).join(' · ') })}
        </summary>
        <StateCards overview={data} />
        <ProcessTable processes={data.processes} />
      </details>
    </>
  );
}

/** The processes of this server, the one that answers this page first. */
function ProcessTable({ processes }: Pick<Overview, 'processes'>) {
  const { t, i18n } = useTranslation();
  const { language } = i18n;
  return (
    <Block title={t('com_overview_processes')}>
      <DataTable<Overview['processes'][number]>
        rows={processes}
        keyOf={({ id }) => id}
        columns={[
          { title: t('com_overview_process'), cell: ({ host }) => <bdi className={classes.name}>{host}</bdi> },
          { title: t('com_overview_version'), cell: ({ version }) => version },
          { title: t('com_overview_started'), cell: ({ startedAt }) => formatDateTime(startedAt, language) },
          { title: t('com_overview_answers'), cell: ({ answers }) => formatNumber(answers, language) },
          {
            title: t('com_people_state'),
            isPlain: true,
            cell: ({ state }) => (
              <StateTag tone={state === 'ready' ? 'good' : 'bad'}>{t(`com_overview_state_${state}`)}</StateTag>
            ),
          },
        ]}
      />
    </Block>
  );
}

function StateCards({ overview }: { overview: Overview }) {
  const { t, i18n } = useTranslation();
  const { language } = i18n;
  const { answers, queued, database, disks, files, mail, backup } = overview;
  const ms = database.ms.toLocaleString(language, {
    style: 'unit',
    unit: 'millisecond',
    maximumFractionDigits: database.ms < 10 ? 1 : 0,
  });
  return (
    <div className={`${usageClasses.cards} ${own.cards}`}>
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

function Card({ title, figure, children }: { title: string; figure: string; children: ReactNode }) {
  const titleId = useId();
  return (
    <section className={usageClasses.card} aria-labelledby={titleId}>
      <h2 id={titleId} className={usageClasses.cardTitle}>
        {title}
      </h2>
      <p className={usageClasses.sum}>{figure}</p>
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

/** What needs an administrator, each with what can be done about it; nothing when nothing does. */
export function Needs({ checks, command }: { checks: readonly Check[]; command: string }) {
  const { t } = useTranslation();
  const [isBackup, setBackup] = useState(false);
  const needs = checks.flatMap(({ title, problem }) => (problem ? [{ title, ...problem }] : []));
  if (needs.length === 0) return null;
  return (
    <Block title={t('com_overview_needs')}>
      <ul className={classes.list}>
        {needs.map(({ title, words, section, isBackup: isOfBackup }) => (
          <ListRow key={`${title} ${words}`} name={title} about={words}>
            {section && (
              <Link href={`/admin/${section.name}`} className={buttonClasses({ size: 'sm' })}>
                {t(section.title)}
              </Link>
            )}
            {isOfBackup && (
              <Button size="sm" onClick={() => setBackup(true)}>
                {t('com_overview_backup_how')}
              </Button>
            )}
          </ListRow>
        ))}
      </ul>
      {isBackup && <BackupDialog command={command} onClose={() => setBackup(false)} />}
    </Block>
  );
}

function BackupDialog({ command, onClose }: { command: string; onClose: () => void }) {
  const { t } = useTranslation();
  const { copied, copy } = useCopied();
  return (
    <Modal title={t('com_overview_backup_how')} onClose={onClose}>
      <p className={classes.hint}>{t('com_overview_backup_run')}</p>
      <code className={own.command} dir="ltr">
        {command}
      </code>
      <ButtonRow end>
        <Button variant="filled" data-autofocus onClick={() => copy(command)}>
          <span aria-live="polite">{t(copied ? 'com_share_copied' : 'com_content_copy')}</span>
        </Button>
      </ButtonRow>
    </Modal>
  );
}
