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
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { DotsButton } from '../../../ui/menu/dots-button.tsx';
import { DotsMenu } from '../../../ui/menu/dots-menu.tsx';
import { MenuRow } from '../../../ui/menu/menu-row.tsx';
import type { useProviderActions } from '../use-providers.ts';

interface MenuProps {
  row: ProviderRow;
  label: string;
  actions: ReturnType<typeof useProviderActions>;
  onAccess: (name: string) => void;
  onPrices: (name: string) => void;
  onEdit: (name: string) => void;
  onRemove: (row: ProviderRow) => void;
}

const LOADED = () => undefined;

/** What can be done with a provider; most of it only with one that is saved. */
export function ProviderMenu(props: MenuProps) {
  const { t } = useTranslation();
  const [wasOpened, setOpened] = useState(false);
  const { row, label, onAccess, onPrices } = props;
  const { name, type, saved } = row;
  const buttonProps = { label: t('com_admin_providers_menu', { 0: label }) };
  if (!wasOpened)
    return <DotsButton buttonProps={buttonProps} ref={null} preload={LOADED} onOpen={() => setOpened(true)} />;
  return (
    <DotsMenu buttonProps={buttonProps} position="bottom-end" width={220}>
      <MenuRow icon={IconUsersGroup} onClick={() => onAccess(name)}>
        {t('com_access_menu')}
      </MenuRow>
      {isPriced(type) && (
        <MenuRow icon={IconCoin} onClick={() => onPrices(name)}>
          {t('com_prices_menu')}
        </MenuRow>
      )}
      {saved && <SavedRows {...props} saved={saved} />}
    </DotsMenu>
  );
}

function SavedRows({
  row,
  saved,
  actions,
  onEdit,
  onRemove,
}: MenuProps & { saved: NonNullable<ProviderRow['saved']> }) {
  const { t } = useTranslation();
  const { name } = row;
  const { isOn, version } = saved;
  // The button itself keeps the focus, which comes back to it from the menu.
  const disabled = actions.isBusy;
  return (
    <>
      <MenuRow icon={IconPencil} onClick={() => onEdit(name)}>
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
      <MenuRow icon={IconTrash} disabled={disabled} onClick={() => onRemove(row)}>
        {t('com_admin_providers_remove')}
      </MenuRow>
    </>
  );
}
