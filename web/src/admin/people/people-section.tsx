import { useDeferredValue, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { PersonRow } from '@parley/schema/accounts/people';
import { describeError } from '../../errors/describe-error.ts';
import { trpc } from '../../trpc.ts';
import { Button } from '../../ui/button.tsx';
import { SearchField } from '../../ui/fields/search-field.tsx';
import { Block, ListRow, MoreButton, Read } from '../admin-list.tsx';
import { AddDialog, InviteDialog } from './add-people.tsx';
import { PeopleTable } from './people-table.tsx';
import { RegistrationForm } from './registration-form.tsx';
import { formatDateTime, formatDate } from '../../lib/format-date.ts';
import { TwoClickButton } from '../../ui/two-click-button.tsx';
import { roleWord } from './person-facts.tsx';
import { useAdminAction } from '../use-admin-action.ts';
import { BusyButton } from '../../ui/busy-button.tsx';
import { PersonTaskDialog } from './person-task.tsx';
import pageClasses from '../../layout/page/page.module.css';
import classes from '../admin.module.css';

/** The people of this server: who they are and what they may, never what they write. */
export function PeopleSection() {
  const { t } = useTranslation();
  const [text, setText] = useState('');
  const [dialog, setDialog] = useState<'invite' | 'add' | null>(null);
  const query = useDeferredValue(text.trim());
  const close = () => setDialog(null);
  return (
    <>
      <div className={classes.head}>
        <SearchField
          className={classes.search}
          type="search"
          placeholder={t('com_people_search')}
          value={text}
          maxLength={200}
          onChange={({ currentTarget }) => setText(currentTarget.value)}
        />
        <Button variant="filled" onClick={() => setDialog('invite')}>
          {t('com_people_invite')}
        </Button>
        <Button onClick={() => setDialog('add')}>{t('com_people_add')}</Button>
      </div>
      <WaitingPeople />
      <FoundPeople query={query} />
      <InvitationList />
      <RegistrationForm />
      {dialog === 'invite' && <InviteDialog onClose={close} />}
      {dialog === 'add' && <AddDialog onClose={close} />}
    </>
  );
}

function FoundPeople({ query }: { query: string }) {
  const { t } = useTranslation();
  const found = trpc.admin.people.list.useInfiniteQuery(
    { query },
    {
      getNextPageParam: ({ next }) => next,
      initialCursor: undefined,
      refetchOnMount: 'always',
      placeholderData: (before) => before,
    },
  );
  return (
    <Read query={found} rows={6}>
      {({ pages }) => {
        const people = pages.flatMap((page) => page.people);
        if (people.length === 0) return <p className={pageClasses.note}>{t('com_people_none')}</p>;
        return (
          <div className={classes.block}>
            <PeopleTable people={people} />
            <MoreButton pages={found} />
          </div>
        );
      }}
    </Read>
  );
}

/** Invitations that can still be used; nothing when there are none. */
function InvitationList() {
  const { t, i18n } = useTranslation();
  const { admin, client } = trpc.useUtils();
  const { act } = useAdminAction(admin.people, { describe: describeError });
  const { data } = trpc.admin.people.invitations.useQuery(undefined, { refetchOnMount: 'always' });
  if (!data || data.length === 0) return null;
  return (
    <Block title={t('com_people_invitations')}>
      <ul className={classes.list}>
        {data.map(({ id, email, role, expiresAt }) => (
          <ListRow
            key={id}
            name={email ?? t('com_people_anybody')}
            about={`${roleWord(role, t)} · ${t('com_people_until', { 0: formatDateTime(expiresAt, i18n.language) })}`}
          >
            <TwoClickButton
              label={t('com_people_revoke')}
              confirm={t('com_people_revoke_confirm')}
              run={() => act(() => client.admin.people.revokeInvitation.mutate({ id }))}
            />
          </ListRow>
        ))}
      </ul>
    </Block>
  );
}

/** Those who registered and wait for an administrator; nothing when nobody does. */
function WaitingPeople() {
  const { t } = useTranslation();
  const { data } = trpc.admin.people.list.useQuery({ isWaiting: true }, { refetchOnMount: 'always' });
  if (!data || data.people.length === 0) return null;
  return (
    <Block title={t('com_people_waiting')}>
      <ul className={classes.list}>
        {data.people.map((person) => (
          <WaitingRow key={person.id} person={person} />
        ))}
      </ul>
    </Block>
  );
}

function WaitingRow({ person }: { person: PersonRow }) {
  const { t, i18n } = useTranslation();
  const { admin, client } = trpc.useUtils();
  const { act, isBusy } = useAdminAction(admin.people, { describe: describeError });
  const [isRemoving, setRemoving] = useState(false);
  const approve = () => client.admin.people.approve.mutate({ userId: person.id });
  return (
    <ListRow name={person.name} about={person.email}>
      <span className={classes.muted}>{formatDate(person.createdAt, i18n.language)}</span>
      <span className={classes.buttons}>
        <BusyButton size="sm" isBusy={isBusy} onClick={() => void act(approve)}>
          {t('com_people_approve')}
        </BusyButton>
        <Button size="sm" variant="danger" onClick={() => setRemoving(true)}>
          {t('com_ui_delete')}
        </Button>
      </span>
      {isRemoving && <PersonTaskDialog task={{ kind: 'remove', person }} onClose={() => setRemoving(false)} />}
    </ListRow>
  );
}
