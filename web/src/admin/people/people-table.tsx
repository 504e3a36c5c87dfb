import type { PersonRow } from '@parley/schema/accounts/people';
import { useAtomValue } from 'jotai';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import classes from '../admin.module.css';
import { StateMark, roleWord, waysIn } from './person-facts.tsx';
import { PersonMenu, type PersonTask, PersonTaskDialog } from './person-task.tsx';
import { formatDate } from '../../lib/format-date.ts';
import { formatCredits } from '../../lib/format-number.ts';
import { session } from '../../session/current-session.ts';
import { useStartup } from '../../startup.ts';

/** A row for each person, with a menu; on phones a card. */
export function PeopleTable({ people }: { people: PersonRow[] }) {
  const { t } = useTranslation();
  const hasCredits = useStartup()?.checkBalance === true;
  const ownId = useAtomValue(session.state).user?.id;
  const [task, setTask] = useState<PersonTask | null>(null);
  return (
    <>
      <table className={classes.table}>
        <thead>
          <tr>
            <th scope="col">{t('com_people_person')}</th>
            <th scope="col">{t('com_people_role')}</th>
            <th scope="col">{t('com_people_state')}</th>
            <th scope="col">{t('com_people_created')}</th>
            <th scope="col">{t('com_people_seen')}</th>
            <th scope="col">{t('com_people_sign_in')}</th>
            {hasCredits && <th scope="col">{t('com_usage_balance')}</th>}
            <th scope="col" aria-label={t('com_ui_more')} />
          </tr>
        </thead>
        <tbody>
          {people.map((person) => (
            <tr key={person.id}>
              <Facts person={person} hasCredits={hasCredits} />
              <td className={classes.menu}>
                <PersonMenu
                  person={person}
                  isOneself={person.id === ownId}
                  onTask={(kind) => setTask({ kind, person })}
                />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {task && <PersonTaskDialog task={task} onClose={() => setTask(null)} />}
    </>
  );
}

function Facts({ person, hasCredits }: { person: PersonRow; hasCredits: boolean }) {
  const { t, i18n } = useTranslation();
  const { name, email, role, createdAt, lastSeenAt, provider, hasSecondFactor, balance } = person;
  const seen = lastSeenAt === null ? t('com_people_seen_never') : formatDate(lastSeenAt, i18n.language);
  return (
    <>
      <th scope="row">
        <bdi className={classes.name}>{name}</bdi>
        <bdi className={classes.muted}>{email}</bdi>
      </th>
      <Fact label={t('com_people_role')}>{roleWord(role, t)}</Fact>
      <td>
        <StateMark person={person} />
      </td>
      <Fact label={t('com_people_created')}>{formatDate(createdAt, i18n.language)}</Fact>
      <Fact label={t('com_people_seen')}>{seen}</Fact>
      <Fact label={t('com_people_sign_in')}>
        {waysIn(provider, t)}
        {hasSecondFactor && <span className={classes.muted}> {t('com_factor_title')}</span>}
      </Fact>
      {hasCredits && <Fact label={t('com_usage_balance')}>{formatCredits(balance ?? 0, i18n.language)}</Fact>}
    </>
  );
}

/** The word of its column is seen where there are no columns. */
function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <td>
      <span className={classes.label} aria-hidden>
        {label}
      </span>
      {children}
    </td>
  );
}
