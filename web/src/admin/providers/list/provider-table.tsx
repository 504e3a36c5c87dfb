import { Menu } from '@mantine/core';
import { isPriced } from '@parley/schema/catalog/rates';
import type { ProviderRow } from '@parley/schema/catalog/saved-providers';
import {
  IconArrowDown,
  IconArrowUp,
  IconCoin,
  IconPencil,
  IconPower,
  IconTrash,
  IconUsersGroup,
} from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { navigate } from 'wouter/use-browser-location';
import { RowMenu, StateTag } from '../../admin-list.tsx';
import { useAccessSentences } from '../access/access-dialog.tsx';
import { describeLeftOut, describeSource, describeState } from '../describe-provider.ts';
import adminClasses from '../../admin.module.css';
import classes from './provider-table.module.css';
import type { useProviderActions } from '../use-providers.ts';
import { endpointLabel } from '../../../catalog/choose-model.ts';
import { PROVIDERS_PATH } from '../../../catalog/provider-paths.ts';
import { EndpointIcon } from '../../../endpoints/endpoint-icons.tsx';
import { MenuRow } from '../../../ui/menu/menu-row.tsx';
import { VisuallyHidden } from '../../../ui/primitives/visually-hidden.tsx';
import { describeCredits } from '../../../usage/usage-words.ts';

interface TableProps extends Omit<ProviderMenuProps, 'row'> {
  rows: readonly ProviderRow[];
}

/** The providers in the order of the menu; on a phone each is a card. */
export function ProviderTable({ rows, ...rest }: TableProps) {
  const { t } = useTranslation();
  const sentences = useAccessSentences(t);
  return (
    <table className={`${adminClasses.cards} ${classes.table}`}>
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

interface ProviderMenuProps {
  row: ProviderRow;
  actions: ReturnType<typeof useProviderActions>;
  /** What opens a dialog. */
  onOpen: (what: 'access' | 'prices' | 'removal', row: ProviderRow) => void;
}

/** What can be done with a provider; most of it only with one that is saved. */
function ProviderMenu(props: ProviderMenuProps) {
  const { t } = useTranslation();
  const { row, onOpen } = props;
  return (
    <RowMenu label={t('com_admin_providers_menu', { 0: endpointLabel(row.name) })} width={220}>
      <MenuRow icon={IconUsersGroup} onClick={() => onOpen('access', row)}>
        {t('com_access_menu')}
      </MenuRow>
      {isPriced(row.type) && (
        <MenuRow icon={IconCoin} onClick={() => onOpen('prices', row)}>
          {t('com_prices_menu')}
        </MenuRow>
      )}
      {row.saved && <SavedRows {...props} saved={row.saved} />}
    </RowMenu>
  );
}

type SavedRowsProps = ProviderMenuProps & { saved: NonNullable<ProviderRow['saved']> };

function SavedRows({ row, saved, actions, onOpen }: SavedRowsProps) {
  const { t } = useTranslation();
  const { name } = row;
  const { isOn, version } = saved;
  // The button itself keeps the focus, which comes back to it from the menu.
  const disabled = actions.isBusy;
  return (
    <>
      <MenuRow icon={IconPencil} onClick={() => navigate(`${PROVIDERS_PATH}?edit=${encodeURIComponent(name)}`)}>
        {t('com_ui_edit')}
      </MenuRow>
      <MenuRow icon={IconPower} disabled={disabled} onClick={() => actions.setOn({ name, version, isOn: !isOn })}>
        {t(isOn ? 'com_admin_providers_switch_off' : 'com_admin_providers_switch_on')}
      </MenuRow>
      {actions.canMove(name, -1) && (
        <MenuRow icon={IconArrowUp} disabled={disabled} onClick={() => actions.move(name, -1)}>
          {t('com_admin_providers_up')}
        </MenuRow>
      )}
      {actions.canMove(name, 1) && (
        <MenuRow icon={IconArrowDown} disabled={disabled} onClick={() => actions.move(name, 1)}>
          {t('com_admin_providers_down_one')}
        </MenuRow>
      )}
      <Menu.Divider />
      <MenuRow icon={IconTrash} disabled={disabled} onClick={() => onOpen('removal', row)}>
        {t('com_admin_providers_remove')}
      </MenuRow>
    </>
  );
}
