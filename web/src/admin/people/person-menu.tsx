import type { PersonRow } from '@parley/schema/accounts/people';
import { Menu } from '@mantine/core';
import {
  IconCoins,
  IconDeviceMobileOff,
  IconHistory,
  IconKey,
  IconLogout,
  IconShieldCheck,
  IconTrash,
  IconUserCheck,
  IconUserOff,
  IconUsersGroup,
  type Icon,
} from '@tabler/icons-react';
import type { ParseKeys } from 'i18next';
import { useTranslation } from 'react-i18next';
import { navigate } from 'wouter/use-browser-location';
import { useStartup } from '../../startup.ts';
import { MenuRow } from '../../ui/menu/menu-row.tsx';
import { RowMenu } from '../row-menu.tsx';
import type { PersonTask } from './person-task.tsx';

interface PersonMenuProps {
  person: PersonRow;
  /** Nobody does to themselves what could lock everybody out. */
  isOneself: boolean;
  onTask: (task: PersonTask['kind']) => void;
}

/** What it is to let somebody in, by why they are out. */
const LETS_IN = {
  active: 'com_people_enable',
  disabled: 'com_people_enable',
  waiting: 'com_people_approve',
  unconfirmed: 'com_people_confirm',
} as const;

/** What can be done about a person, each in a dialog of its own. */
export function PersonMenu({ person, isOneself, onTask }: PersonMenuProps) {
  const { t } = useTranslation();
  const startup = useStartup();
  const { id, name, state, role, deletionDueAt, hasSecondFactor } = person;
  const isShut = state !== 'active' || deletionDueAt !== null;
  const task = (kind: PersonTask['kind'], icon: Icon, label: ParseKeys) => (
    <MenuRow icon={icon} onClick={() => onTask(kind)}>
      {t(label)}
    </MenuRow>
  );
  return (
    <RowMenu label={t('com_ui_more_for', { 0: name })} width={260}>
      {!isOneself && isShut && task('enable', IconUserCheck, LETS_IN[state])}
      {!isOneself && task('role', IconShieldCheck, role === 'ADMIN' ? 'com_people_make_user' : 'com_people_make_admin')}
      {task('groups', IconUsersGroup, 'com_groups')}
      {startup?.emailLoginEnabled && task('resetLink', IconKey, 'com_people_reset_link')}
      {startup?.checkBalance && task('credits', IconCoins, 'com_people_add_balance')}
      <MenuRow icon={IconHistory} onClick={() => navigate(`/admin/audit?person=${id}`)}>
        {t('com_people_events')}
      </MenuRow>
      {!isOneself && (
        <>
          <Menu.Divider />
          {task('endSessions', IconLogout, 'com_people_end_sessions')}
          {hasSecondFactor && task('resetFactors', IconDeviceMobileOff, 'com_people_reset_factors')}
          {state !== 'disabled' && task('disable', IconUserOff, 'com_people_disable')}
          {task('remove', IconTrash, 'com_people_remove')}
        </>
      )}
    </RowMenu>
  );
}
