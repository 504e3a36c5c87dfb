import type { UsageFigures } from '@parley/schema/accounts/usage';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { describeFigures } from './usage-words.ts';
import classes from './usage.module.css';

export interface UsageLineProps extends UsageFigures {
  key: string;
  name: ReactNode;
  /** Smaller, beside the name. */
  of?: string | undefined;
}

/** Questions, tokens and cost of whatever the rows are. */
export function UsageTable({ title, rows }: { title: string; rows: readonly UsageLineProps[] }) {
  const { t, i18n } = useTranslation();
  return (
    <table className={classes.table}>
      <thead>
        <tr>
          <th scope="col">{title}</th>
          <th scope="col">{t('com_usage_asks')}</th>
          <th scope="col">{t('com_usage_tokens')}</th>
          <th scope="col">{t('com_usage_cost')}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ key, name, of, ...row }) => {
          const { asks, tokens, cost } = describeFigures(row, t, i18n.language);
          return (
            <tr key={key}>
              <th scope="row">
                <bdi>{name}</bdi> {of !== undefined && <bdi className={classes.of}>{of}</bdi>}
              </th>
              <td>{asks}</td>
              <td>{tokens}</td>
              <td>{cost}</td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
