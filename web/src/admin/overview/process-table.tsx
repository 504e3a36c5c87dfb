import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { formatDateTime } from '../../lib/format-date.ts';
import { formatNumber } from '../../lib/format-number.ts';
import classes from '../people/people.module.css';
import type { Overview } from './overview.ts';
import own from './overview.module.css';
import { StateTag } from '../state-tag.tsx';

/** The processes of this server, the one that answers this page first. */
export function ProcessTable({ overview: { processes, silent } }: { overview: Overview }) {
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
      {silent > 0 && (
        <p className={`${classes.hint} ${own.warning}`}>
          {t('com_overview_silent', { 0: formatNumber(silent, i18n.language) })}
        </p>
      )}
    </section>
  );
}
