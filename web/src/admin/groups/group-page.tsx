import type { GroupMember, GroupRow } from '@parley/schema/accounts/group-rules';
import { IconArrowLeft } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import { describeError } from '../../errors/describe-error.ts';
import pageClasses from '../../layout/page/page.module.css';
import { trpc } from '../../trpc.ts';
import { Button } from '../../ui/button.tsx';
import { SkeletonRows } from '../../ui/skeleton/skeleton-rows.tsx';
import peopleClasses from '../people/people.module.css';
import { AddMemberForm } from './add-member-form.tsx';
import { GROUPS_PATH } from './group-paths.ts';
import classes from './groups.module.css';
import { useGroupAction } from './use-group-action.ts';

/** Who is in a group; null for one that is gone. */
export function GroupPage({ group }: { group: GroupRow | null }) {
  const { t } = useTranslation();
  return (
    <section className={peopleClasses.block}>
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
  if (found.error) return <p className={pageClasses.note}>{describeError(found.error, t)}</p>;
  if (!found.data) return <SkeletonRows count={4} />;
  const members = found.data.pages.flatMap((page) => page.members);
  if (members.length === 0) return <p className={pageClasses.note}>{t('com_groups_empty')}</p>;
  return (
    <>
      <ul className={peopleClasses.list} aria-label={t('com_groups_member_list')}>
        {members.map((member) => (
          <Member key={member.userId} member={member} groupId={groupId} />
        ))}
      </ul>
      {found.hasNextPage && (
        <div>
          <Button onClick={() => void found.fetchNextPage()}>{t('com_people_more')}</Button>
        </div>
      )}
    </>
  );
}

function Member({ member: { userId, name, email }, groupId }: { member: GroupMember; groupId: string }) {
  const { t } = useTranslation();
  const { client } = trpc.useUtils();
  const act = useGroupAction();
  const nameId = `member-${userId}`;
  const buttonId = `remove-${userId}`;
  return (
    <li className={peopleClasses.row}>
      <span className={peopleClasses.person}>
        <bdi id={nameId} className={peopleClasses.name}>
          {name}
        </bdi>
        <bdi className={peopleClasses.muted}>{email}</bdi>
      </span>
      <Button
        size="sm"
        id={buttonId}
        aria-labelledby={`${buttonId} ${nameId}`}
        onClick={() => void act(() => client.admin.groups.removeMember.mutate({ groupId, userId }))}
      >
        {t('com_admin_providers_remove')}
      </Button>
    </li>
  );
}
