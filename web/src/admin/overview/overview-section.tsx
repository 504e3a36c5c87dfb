import { useTranslation } from 'react-i18next';
import { useId } from 'react';
import { describeError } from '../../errors/describe-error.ts';
import { formatDateTime } from '../../lib/format-date.ts';
import { trpc } from '../../trpc.ts';
import { SkeletonRows } from '../../ui/skeleton/skeleton-rows.tsx';
import { StateCards } from './state-cards.tsx';
import { checkServer } from './check-server.ts';
import { Needs } from './needs.tsx';
import { formatNumber } from '../../lib/format-number.ts';
import type { Overview } from './overview.ts';
import { StateTag } from '../state-tag.tsx';
import pageClasses from '../../layout/page/page.module.css';
import classes from '../admin.module.css';
import own from './overview.module.css';

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
  const titleId = useId();
  return (
    <section className={classes.block} aria-labelledby={titleId}>
      <h2 id={titleId} className={classes.title}>
        {t('com_overview_processes')}
      </h2>
      <table className={classes.table}>
        <thead>
          <tr>
            <th scope="col">{t('com_overview_process')}</th>
            <th scope="col">{t('com_overview_version')}</th>
            <th scope="col">{t('com_overview_started')}</th>
            <th scope="col">{t('com_overview_answers')}</th>
            <th scope="col">{t('com_people_state')}</th>
          </tr>
        </thead>
        <tbody>
          {processes.map(({ id, host, version, startedAt, answers, state }) => (
            <tr key={id}>
              <th scope="row">
                <bdi className={classes.name}>{host}</bdi>
              </th>
              <td>
                <span className={classes.label}>{t('com_overview_version')}</span>
                {version}
              </td>
              <td>
                <span className={classes.label}>{t('com_overview_started')}</span>
                {formatDateTime(startedAt, i18n.language)}
              </td>
              <td>
                <span className={classes.label}>{t('com_overview_answers')}</span>
                {formatNumber(answers, i18n.language)}
              </td>
              <td>
                <StateTag tone={state === 'ready' ? 'good' : 'bad'}>{t(`com_overview_state_${state}`)}</StateTag>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
