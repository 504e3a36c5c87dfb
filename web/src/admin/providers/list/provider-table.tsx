import type { ProviderRow } from '@parley/schema/catalog/saved-providers';
import { useTranslation } from 'react-i18next';
import { endpointLabel } from '../../../catalog/choose-model.ts';
import { EndpointIcon } from '../../../endpoints/endpoint-icons.tsx';
import { useAccessSentences } from '../access/describe-access.ts';
import { describeLeftOut, describeSource, describeState } from '../describe-provider.ts';
import { describeCredits } from '../../../usage/usage-words.ts';
import { VisuallyHidden } from '../../../ui/primitives/visually-hidden.tsx';
import { ProviderMenu, type ProviderMenuProps } from './provider-menu.tsx';
import classes from './provider-table.module.css';
import { StateTag } from '../../state-tag.tsx';

interface TableProps extends Omit<ProviderMenuProps, 'row'> {
  rows: readonly ProviderRow[];
}

/** The providers in the order of the menu; on a phone each is a card. */
export function ProviderTable({ rows, ...rest }: TableProps) {
  const { t } = useTranslation();
  const sentences = useAccessSentences(t);
  return (
    <table className={classes.table}>
      <thead>
        <tr>
          <th scope="col">{t('com_admin_providers_provider')}</th>
          <th scope="col">{t('com_admin_providers_state')}</th>
          <th scope="col">{t('com_admin_providers_key_column')}</th>
          <th scope="col">{t('com_admin_providers_models')}</th>
          <th scope="col">{t('com_admin_providers_month')}</th>
          <th scope="col">
            <VisuallyHidden>{t('com_files_column_actions')}</VisuallyHidden>
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <Row key={`${row.source} ${row.name}`} row={row} access={sentences.get(row.name)} {...rest} />
        ))}
      </tbody>
    </table>
  );
}

interface RowProps extends Omit<TableProps, 'rows'> {
  row: ProviderRow;
  /** Who may use it, where that is not everybody. */
  access: string | undefined;
}

function Row({ row, access, ...rest }: RowProps) {
  const { t, i18n } = useTranslation();
  const { name, type, saved, models, leftOut, month, isMonthEstimate } = row;
  const label = endpointLabel(name);
  const { tone, word, sentence } = describeState(row, label, t);
  return (
    <tr className={classes.row}>
      <th scope="row" className={classes.first}>
        <div className={classes.provider}>
          <EndpointIcon endpointType={type} endpoint={name} model={null} size="small" />
          <span className={classes.names}>
            <bdi className={classes.name}>{label}</bdi>
            {saved?.baseURL !== undefined && (
              <bdi className={classes.address} dir="ltr">
                {hostOf(saved.baseURL)}
              </bdi>
            )}
          </span>
        </div>
      </th>
      <td>
        <StateTag tone={tone}>{word}</StateTag>
        {sentence !== null && <span className={classes.sentence}>{sentence}</span>}
        {leftOut.length > 0 && <span className={classes.sentence}>{describeLeftOut(leftOut, i18n.language, t)}</span>}
        {access && <span className={classes.sentence}>{access}</span>}
      </td>
      <td className={classes.quiet} data-label={t('com_admin_providers_key_column')}>
        {describeSource(row, i18n.language, t)}
      </td>
      <td className={classes.quiet} data-label={t('com_admin_providers_models')}>
        {models.count === 0 ? '–' : new Intl.NumberFormat(i18n.language).format(models.count)}
        {models.first !== null && (
          <>
            {', '}
            <bdi>{t('com_admin_providers_first', { 0: models.first })}</bdi>
          </>
        )}
      </td>
      <td className={classes.quiet} data-label={t('com_admin_providers_month')}>
        {month === 0 ? '–' : describeCredits({ credits: month, unpriced: Number(isMonthEstimate) }, t, i18n.language)}
      </td>
      <td className={classes.menu}>
        <ProviderMenu row={row} {...rest} />
      </td>
    </tr>
  );
}

function hostOf(address: string): string {
  return URL.canParse(address) ? new URL(address).host : address;
}
