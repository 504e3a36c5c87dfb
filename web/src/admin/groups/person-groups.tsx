import type { PersonRow } from '@parley/schema/accounts/people';
import { Checkbox } from '@mantine/core';
import '@mantine/core/styles/Checkbox.css';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import { FailureAlert } from '../../auth/failure-alert.tsx';
import { describeError } from '../../errors/describe-error.ts';
import { trpc } from '../../trpc.ts';
import { Modal } from '../../ui/modal.tsx';
import classes from '../admin.module.css';
import { GROUPS_PATH } from './group-paths.ts';
import { useAdminAction } from '../use-admin-action.ts';

/** The groups that a person is in, to tick. */
export function PersonGroups({ person: { id: userId, name }, onClose }: { person: PersonRow; onClose: () => void }) {
  const { t } = useTranslation();
  const { client, admin } = trpc.useUtils();
  const { act } = useAdminAction(admin.groups);
  const { data: groups, error } = trpc.admin.groups.list.useQuery(undefined, { refetchOnMount: 'always' });
  const { data: own } = trpc.admin.groups.of.useQuery({ userId }, { refetchOnMount: 'always' });

  async function tick(groupId: string, isIn: boolean): Promise<void> {
    const { addMember, removeMember } = client.admin.groups;
    admin.groups.of.setData({ userId }, (ids = []) =>
      isIn ? [...ids, groupId] : ids.filter((other) => other !== groupId),
    );
    await act(() => (isIn ? addMember : removeMember).mutate({ groupId, userId }));
  }

  return (
    <Modal title={t('com_groups_of', { 0: name })} onClose={onClose}>
      <FailureAlert sentence={error && describeError(error, t)} />
      {groups?.length === 0 && (
        <p className={classes.hint}>
          {t('com_groups_none')} <Link href={GROUPS_PATH}>{t('com_groups_new')}</Link>
        </p>
      )}
      {groups && groups.length > 0 && own && (
        <>
          {groups.map((group) => (
            <Checkbox
              key={group.id}
              label={<bdi>{group.name}</bdi>}
              checked={own.includes(group.id)}
              onChange={({ currentTarget }) => void tick(group.id, currentTarget.checked)}
            />
          ))}
        </>
      )}
    </Modal>
  );
}
