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
import { RowMenu } from '../../../ui/menu/row-menu.tsx';
import { StateTag } from '../../admin-list.tsx';
import { useAccessSentences } from '../access/access-dialog.tsx';
import { describeLeftOut, describeSource, describeState } from '../describe-provider.ts';
import { DataTable } from '../../data-table.tsx';
import classes from './provider-table.module.css';
import type { useProviderActions } from '../use-providers.ts';
import { endpointLabel } from '../../../catalog/choose-model.ts';
import { PROVIDERS_PATH } from '../../../catalog/provider-paths.ts';
import { EndpointIcon } from '../../../endpoints/endpoint-icons.tsx';
import { MenuRow } from '../../../ui/menu/menu-row.tsx';
import { describeCredits } from '../../../usage/usage-words.ts';

interface TableProps extends Omit<ProviderMenuProps, 'row'> {
  rows: readonly ProviderRow[];
}

/** The providers in the order of the menu; on a phone each is a card. */
export function ProviderTable({ rows, ...rest }: TableProps) {
  const { t, i18n } = useTranslation();
  const { language } = i18n;
  const { quiet } = classes;
  const access = useAccessSentences(t);
  const number = new Intl.NumberFormat(language);
  return (
    <DataTable<ProviderRow>
      cards={classes.table}
      rows={rows}
      keyOf={({ source, name }) => `${source} ${name}`}
      columns={[
        { title: t('com_admin_providers_provider'), className: classes.first, cell: (row) => <Provider row={row} /> },
        {
          title: t('com_admin_providers_state'),
          isPlain: true,
          cell: (row) => <State row={row} access={access.get(row.name)} />,
        },
        {
          title: t('com_admin_providers_key_column'),
          className: quiet,
          cell: (row) => describeSource(row, language, t),
        },
        {
          title: t('com_admin_providers_models'),
          className: quiet,
          cell: ({ models: { count, first } }) => (
            <>
              {count === 0 ? '–' : number.format(count)}
              {first !== null && ', '}
              {first !== null && <bdi>{t('com_admin_providers_first', { 0: first })}</bdi>}
            </>
          ),
        },
        {
          title: t('com_admin_providers_month'),
          className: quiet,
          cell: ({ month: credits, isMonthEstimate }) =>
            credits === 0 ? '–' : describeCredits({ credits, unpriced: Number(isMonthEstimate) }, t, language),
        },
        {
          title: t('com_files_column_actions'),
          className: classes.menu,
          isTitleHidden: true,
          isPlain: true,
          cell: (row) => <ProviderMenu row={row} {...rest} />,
        },
      ]}
    />
  );
}

function Provider({ row: { name, type, saved } }: { row: ProviderRow }) {
  return (
    <div className={classes.provider}>
      <EndpointIcon endpointType={type} endpoint={name} model={null} size="small" />
      <span className={classes.names}>
        <bdi className={classes.name}>{endpointLabel(name)}</bdi>
        {saved?.baseURL !== undefined && (
          <bdi className={classes.address} dir="ltr">
            {URL.canParse(saved.baseURL) ? new URL(saved.baseURL).host : saved.baseURL}
          </bdi>
        )}
      </span>
    </div>
  );
}

/** `access` says who may use it, where that is not everybody. */
function State({ row, access }: { row: ProviderRow; access: string | undefined }) {
  const { t, i18n } = useTranslation();
  const { tone, word, sentence } = describeState(row, endpointLabel(row.name), t);
  const leftOut = row.leftOut.length > 0 ? describeLeftOut(row.leftOut, i18n.language, t) : null;
  return (
    <>
      <StateTag tone={tone}>{word}</StateTag>
      {[sentence, leftOut, access].map(
        (said) =>
          said && (
            <span key={said} className={classes.sentence}>
              {said}
            </span>
          ),
      )}
    </>
  );
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
