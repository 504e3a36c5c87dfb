import type { PersonRow } from '@parley/schema/accounts/people';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { formatDate } from '../../lib/format-date.ts';
import { trpc } from '../../trpc.ts';
import { BusyButton } from '../../ui/busy-button.tsx';
import { Button } from '../../ui/button.tsx';
import classes from './people.module.css';
import { PersonTaskDialog } from './person-task.tsx';
import { usePersonAction } from './use-person-action.ts';

/** Those who registered and wait for an administrator; nothing when nobody does. */
export function WaitingPeople() {
  const { t } = useTranslation();
  const titleId = useId();
  const { data } = trpc.admin.people.list.useQuery({ isWaiting: true }, { refetchOnMount: 'always' });
  if (!data || data.people.length === 0) return null;
  return (
    <section className={classes.block} aria-labelledby={titleId}>
      <h2 id={titleId} className={classes.title}>
        {t('com_people_waiting')}
      </h2>
      <ul className={classes.list}>
        {data.people.map((person) => (
          <WaitingRow key={person.id} person={person} />
        ))}
      </ul>
    </section>
  );
}

function WaitingRow({ person }: { person: PersonRow }) {
  const { t, i18n } = useTranslation();
  const act = usePersonAction();
  const { people } = trpc.useUtils().client.admin;
  const [isBusy, setBusy] = useState(false);
  const [isRemoving, setRemoving] = useState(false);

  async function approve(): Promise<void> {
    setBusy(true);
    await act(() => people.approve.mutate({ userId: person.id }));
    setBusy(false);
  }

  return (
    <li className={classes.row}>
      <span className={classes.person}>
        <bdi className={classes.name}>{person.name}</bdi>
        <bdi className={classes.muted}>{person.email}</bdi>
      </span>
      <span className={classes.muted}>{formatDate(person.createdAt, i18n.language)}</span>
      <span className={classes.buttons}>
        <BusyButton size="sm" isBusy={isBusy} onClick={() => void approve()}>
          {t('com_people_approve')}
        </BusyButton>
        <Button size="sm" variant="danger" onClick={() => setRemoving(true)}>
          {t('com_ui_delete')}
        </Button>
      </span>
      {isRemoving && <PersonTaskDialog task={{ kind: 'remove', person }} onClose={() => setRemoving(false)} />}
    </li>
  );
}
