import type { GroupMember, GroupRow } from '@parley/schema/accounts/group-rules';
import { IconArrowLeft } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import pageClasses from '../../layout/page/page.module.css';
import { trpc } from '../../trpc.ts';
import { ListRow, MoreButton, Read, RowButton } from '../admin-list.tsx';
import adminClasses from '../admin.module.css';
import { GROUPS_PATH } from './group-paths.ts';
import classes from './groups.module.css';
import { describeAddressError, useAdminAction } from '../use-admin-action.ts';
import '@mantine/core/styles/Combobox.css';
import '@mantine/core/styles/Input.css';
import '@mantine/core/styles/Popover.css';
import { Autocomplete } from '@mantine/core';
import { useDeferredValue, useId, useState, type FormEvent } from 'react';
import { BusyButton } from '../../ui/busy-button.tsx';
import { fieldClasses } from '../../ui/fields/field-classes.ts';
import { VisuallyHidden } from '../../ui/primitives/visually-hidden.tsx';

/** Who is in a group; null for one that is gone. */
export function GroupPage({ group }: { group: GroupRow | null }) {
  const { t } = useTranslation();
  return (
    <section className={adminClasses.block}>
      <Link href={GROUPS_PATH} className={classes.back}>
        <IconArrowLeft aria-hidden />
        {t('com_groups')}
      </Link>
      {group ? (
        <>
          <h2 className={classes.title}>
            <bdi>{group.name}</bdi>
          </h2>
          <AddMemberForm groupId={group.id} />
          <Members groupId={group.id} />
        </>
      ) : (
        <p className={pageClasses.note}>{t('com_groups_gone')}</p>
      )}
    </section>
  );
}

function Members({ groupId }: { groupId: string }) {
  const { t } = useTranslation();
  const found = trpc.admin.groups.members.useInfiniteQuery(
    { groupId },
    { getNextPageParam: ({ next }) => next, initialCursor: undefined, refetchOnMount: 'always' },
  );
  return (
    <Read query={found} rows={4}>
      {({ pages }) => {
        const members = pages.flatMap((page) => page.members);
        if (members.length === 0) return <p className={pageClasses.note}>{t('com_groups_empty')}</p>;
        return (
          <>
            <ul className={adminClasses.list} aria-label={t('com_groups_member_list')}>
              {members.map((member) => (
                <Member key={member.userId} member={member} groupId={groupId} />
              ))}
            </ul>
            <MoreButton pages={found} />
          </>
        );
      }}
    </Read>
  );
}

function Member({ member: { userId, name, email }, groupId }: { member: GroupMember; groupId: string }) {
  const { t } = useTranslation();
  const { admin, client } = trpc.useUtils();
  const { act } = useAdminAction(admin.groups);
  const nameId = useId();
  const remove = () => client.admin.groups.removeMember.mutate({ groupId, userId });
  return (
    <ListRow name={name} nameId={nameId} about={email}>
      <RowButton nameId={nameId} onClick={() => void act(remove)}>
        {t('com_admin_providers_remove')}
      </RowButton>
    </ListRow>
  );
}

const SUGGESTED = 8;

/** Puts somebody into a group: people are suggested by name and address, and an address can be typed. */
function AddMemberForm({ groupId }: { groupId: string }) {
  const { t } = useTranslation();
  const { client, admin } = trpc.useUtils();
  const [text, setText] = useState('');
  const [added, setAdded] = useState('');
  const names = useSuggestions(text);
  const options = { describe: describeAddressError, isInPlace: true };
  const { act, isBusy, failure, forget } = useAdminAction(admin.groups, options);

  async function add(email: string): Promise<void> {
    if (email === '' || isBusy) return;
    if (!(await act(() => client.admin.groups.addMember.mutate({ groupId, email })))) return;
    setText('');
    setAdded(t('com_groups_added', { 0: email }));
  }

  return (
    <form
      className={classes.add}
      noValidate
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        void add(text.trim());
      }}
    >
      <Autocomplete
        className={classes.field}
        classNames={fieldClasses}
        label={t('com_groups_add')}
        description={t('com_groups_add_hint')}
        value={text}
        data={[...names.keys()]}
        // The server has looked for them: by names, too.
        filter={({ options }) => options}
        renderOption={({ option: { value } }) => (
          <span className={classes.suggestion}>
            <bdi>{names.get(value)}</bdi>
            <bdi className={classes.address}>{value}</bdi>
          </span>
        )}
        error={failure}
        maxLength={200}
        autoCapitalize="none"
        spellCheck={false}
        withScrollArea={false}
        onChange={(typed) => {
          setText(typed);
          forget();
        }}
        onOptionSubmit={(email) => void add(email)}
      />
      <BusyButton type="submit" isBusy={isBusy}>
        {t('com_people_add')}
      </BusyButton>
      <VisuallyHidden role="status">{added}</VisuallyHidden>
    </form>
  );
}

/** The names of people who are found by what is typed, by their addresses. */
function useSuggestions(text: string): ReadonlyMap<string, string> {
  const query = useDeferredValue(text.trim());
  const { data } = trpc.admin.people.list.useQuery(
    { query },
    { enabled: query !== '', placeholderData: (before) => before },
  );
  const people = query === '' ? [] : (data?.people ?? []);
  return new Map(people.slice(0, SUGGESTED).map(({ email, name }) => [email, name]));
}
