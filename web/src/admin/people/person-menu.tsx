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
} from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { navigate } from 'wouter/use-browser-location';
import { useStartup } from '../../startup.ts';
import { DotsButton } from '../../ui/menu/dots-button.tsx';
import { DotsMenu } from '../../ui/menu/dots-menu.tsx';
import { MenuRow } from '../../ui/menu/menu-row.tsx';
import type { PersonTask } from './person-task.tsx';

interface PersonMenuProps {
  person: PersonRow;
  /** Nobody does to themselves what could lock everybody out. */
  isOneself: boolean;
  onTask: (task: PersonTask['kind']) => void;
}

/** What it is to let somebody in, by why they are out. */
const LETS_IN = { active: 'enable', disabled: 'enable', waiting: 'approve', unconfirmed: 'confirm' } as const;
const MENU_WIDTH = 260;

/** The button of the menu; the menu is made when it is opened first. */
export function PersonMenu(props: PersonMenuProps) {
  const { t } = useTranslation();
  const [isWanted, setWanted] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  if (isWanted) return <OpenPersonMenu {...props} />;
  return (
    <DotsButton
      buttonProps={{ label: t('com_ui_more_for', { 0: props.person.name }) }}
      ref={button}
      preload={() => undefined}
      onOpen={() => setWanted(true)}
    />
  );
}

/** What can be done about a person, each in a dialog of its own. */
function OpenPersonMenu({ person, isOneself, onTask }: PersonMenuProps) {
  const { t } = useTranslation();
  const startup = useStartup();
  const { state, role, deletionDueAt, hasSecondFactor } = person;
  const isShut = state !== 'active' || deletionDueAt !== null;
  return (
    <DotsMenu
      buttonProps={{ label: t('com_ui_more_for', { 0: person.name }) }}
      position="bottom-end"
      width={MENU_WIDTH}
    >
      {!isOneself && isShut && (
        <MenuRow icon={IconUserCheck} onClick={() => onTask('enable')}>
          {t(`com_people_${LETS_IN[state]}`)}
        </MenuRow>
      )}
      {!isOneself && (
        <MenuRow icon={IconShieldCheck} onClick={() => onTask('role')}>
          {role === 'ADMIN' ? t('com_people_make_user') : t('com_people_make_admin')}
        </MenuRow>
      )}
      <MenuRow icon={IconUsersGroup} onClick={() => onTask('groups')}>
        {t('com_groups')}
      </MenuRow>
      {startup?.emailLoginEnabled && (
        <MenuRow icon={IconKey} onClick={() => onTask('resetLink')}>
          {t('com_people_reset_link')}
        </MenuRow>
      )}
      {startup?.checkBalance && (
        <MenuRow icon={IconCoins} onClick={() => onTask('credits')}>
          {t('com_people_add_balance')}
        </MenuRow>
      )}
      <MenuRow icon={IconHistory} onClick={() => navigate(`/admin/audit?person=${person.id}`)}>
        {t('com_people_events')}
      </MenuRow>
      {!isOneself && (
        <>
          <Menu.Divider />
          <MenuRow icon={IconLogout} onClick={() => onTask('endSessions')}>
            {t('com_people_end_sessions')}
          </MenuRow>
          {hasSecondFactor && (
            <MenuRow icon={IconDeviceMobileOff} onClick={() => onTask('resetFactors')}>
              {t('com_people_reset_factors')}
            </MenuRow>
          )}
          {state !== 'disabled' && (
            <MenuRow icon={IconUserOff} onClick={() => onTask('disable')}>
              {t('com_people_disable')}
            </MenuRow>
          )}
          <MenuRow icon={IconTrash} onClick={() => onTask('remove')}>
            {t('com_people_remove')}
          </MenuRow>
        </>
      )}
    </DotsMenu>
  );
}
