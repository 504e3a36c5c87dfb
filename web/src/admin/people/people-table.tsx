import type { PersonRow } from '@parley/schema/accounts/people';
import { useAtomValue } from 'jotai';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import classes from '../admin.module.css';
import { DataTable } from '../data-table.tsx';
import { StateMark, roleWord, waysIn } from './person-facts.tsx';
import { PersonMenu, type PersonTask, PersonTaskDialog } from './person-task.tsx';
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
