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
import { endpointLabel } from '../../../catalog/choose-model.ts';
import { PROVIDERS_PATH } from '../../../catalog/provider-paths.ts';
import { MenuRow } from '../../../ui/menu/menu-row.tsx';
import { RowMenu } from '../../row-menu.tsx';
import type { useProviderActions } from '../use-providers.ts';

export interface ProviderMenuProps {
  row: ProviderRow;
  actions: ReturnType<typeof useProviderActions>;
  /** What opens a dialog. */
  onOpen: (what: 'access' | 'prices' | 'removal', row: ProviderRow) => void;
}

/** What can be done with a provider; most of it only with one that is saved. */
export function ProviderMenu(props: ProviderMenuProps) {
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
