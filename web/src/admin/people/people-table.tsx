import { Menu } from '@mantine/core';
import {
  type Icon,
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
import type { PersonRow } from '@parley/schema/accounts/people';
import { useAtomValue } from 'jotai';
import { useState } from 'react';
import type { ParseKeys } from 'i18next';
import { useTranslation } from 'react-i18next';
import { navigate } from 'wouter/use-browser-location';
import { MenuRow } from '../../ui/menu/menu-row.tsx';
import { RowMenu } from '../../ui/menu/row-menu.tsx';
import classes from '../admin.module.css';
import { DataTable } from '../data-table.tsx';
import { StateMark, roleWord, waysIn } from './person-facts.tsx';
import { type PersonTask, PersonTaskDialog } from './person-task.tsx';
import { formatDate } from '../../lib/format-date.ts';
import { formatCredits } from '../../lib/format-number.ts';
import { session } from '../../session/current-session.ts';
import { useStartup } from '../../startup.ts';

/** A row for each person, with a menu; on phones a card. */
export function PeopleTable({ people }: { people: PersonRow[] }) {
  const { t, i18n } = useTranslation();
  const hasCredits = useStartup()?.checkBalance === true;
  const ownId = useAtomValue(session.state).user?.id;
  const [task, setTask] = useState<PersonTask | null>(null);
  const { language } = i18n;
  return (
    <>
      <DataTable<PersonRow>
        rows={people}
        keyOf={({ id }) => id}
        columns={[
          {
            title: t('com_people_person'),
            cell: ({ name, email }) => (
              <>
                <bdi className={classes.name}>{name}</bdi>
                <bdi className={classes.muted}>{email}</bdi>
              </>
            ),
          },
          { title: t('com_people_role'), cell: ({ role }) => roleWord(role, t) },
          { title: t('com_people_state'), cell: (person) => <StateMark person={person} />, isPlain: true },
          { title: t('com_people_created'), cell: ({ createdAt }) => formatDate(createdAt, language) },
          {
            title: t('com_people_seen'),
            cell: ({ lastSeenAt: at }) => (at === null ? t('com_people_seen_never') : formatDate(at, language)),
          },
          {
            title: t('com_people_sign_in'),
            cell: ({ provider, hasSecondFactor }) => (
              <>
                {waysIn(provider, t)}
                {hasSecondFactor && <span className={classes.muted}> {t('com_factor_title')}</span>}
              </>
            ),
          },
          ...(hasCredits
            ? [
                {
                  title: t('com_usage_balance'),
                  cell: ({ balance = 0 }: PersonRow) => formatCredits(balance, language),
                },
              ]
            : []),
          {
            title: t('com_ui_more'),
            isTitleHidden: true,
            isPlain: true,
            className: classes.menu,
            cell: (person) => (
              <PersonMenu
                person={person}
                isOneself={person.id === ownId}
                onTask={(kind) => setTask({ kind, person })}
              />
            ),
          },
        ]}
      />
      {task && <PersonTaskDialog task={task} onClose={() => setTask(null)} />}
    </>
  );
}

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
function PersonMenu({ person, isOneself, onTask }: PersonMenuProps) {
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
