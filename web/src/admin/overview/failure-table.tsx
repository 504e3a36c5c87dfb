import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { endpointLabel } from '../../catalog/choose-model.ts';
import { describeReason } from '../../errors/describe-reason.ts';
import { formatNumber } from '../../lib/format-number.ts';
import classes from '../people/people.module.css';
import type { Overview } from './overview.ts';
import own from './overview.module.css';

/** Which providers failed lately, and why most often. */
export function FailureTable({ failures }: Pick<Overview, 'failures'>) {
  const { t, i18n } = useTranslation();
  const titleId = useId();
  return (
    <section className={classes.block} aria-labelledby={titleId}>
      <h2 id={titleId} className={classes.title}>
        {t('com_overview_failed')}
      </h2>
      {failures.length === 0 ? (
        <p className={classes.hint}>{t('com_overview_failed_none')}</p>
      ) : (
        <table className={`${classes.table} ${own.failures}`}>
          <thead>
            <tr>
              <th scope="col">{t('com_admin_providers_provider')}</th>
              <th scope="col">{t('com_overview_failed_count')}</th>
              <th scope="col">{t('com_overview_reason')}</th>
            </tr>
          </thead>
          <tbody>
            {failures.map(({ endpoint, failed, reason }) => (
              <tr key={endpoint}>
                <th scope="row">
                  <bdi className={classes.name}>{endpointLabel(endpoint)}</bdi>
                </th>
                <td>
                  <span className={classes.label}>{t('com_overview_failed_count')}</span>
                  {formatNumber(failed, i18n.language)}
                </td>
                <td>{describeReason(reason, t, { endpoint, isOperator: true, quotesApart: true })}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}
