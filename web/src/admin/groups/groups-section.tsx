import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearch, Link } from 'wouter';
import type { GroupRow } from '@parley/schema/accounts/group-rules';
import { describeError } from '../../errors/describe-error.ts';
import { trpc } from '../../trpc.ts';
import { Button } from '../../ui/button.tsx';
import { SkeletonRows } from '../../ui/skeleton/skeleton-rows.tsx';
import { GroupDialog } from './group-dialog.tsx';
import { GroupPage } from './group-page.tsx';
import { formatNumber } from '../../lib/format-number.ts';
import { groupPath } from './group-paths.ts';
import { endpointLabel } from '../../catalog/choose-model.ts';
import { ConfirmDialog } from '../../dialogs/confirm-dialog.tsx';
import { useAdminAction } from '../use-admin-action.ts';
import pageClasses from '../../layout/page/page.module.css';
import providerClasses from '../providers/providers-section.module.css';
import peopleClasses from '../admin.module.css';
import classes from './groups.module.css';

/** The groups of this server, and the page of one of them. */
export function GroupsSection() {
  const { t } = useTranslation();
  const { data: groups, error } = trpc.admin.groups.list.useQuery(undefined, { refetchOnMount: 'always' });
  const opened = new URLSearchParams(useSearch()).get('group');
  const [isNew, setNew] = useState(false);
  if (error) return <p className={pageClasses.note}>{describeError(error, t)}</p>;
  if (!groups) return <SkeletonRows count={4} />;
  if (opened !== null) return <GroupPage group={groups.find(({ id }) => id === opened) ?? null} />;
  return (
    <>
      <div className={providerClasses.top}>
        <p className={pageClasses.note}>{t('com_groups_about')}</p>
        <Button variant="filled" onClick={() => setNew(true)}>
          {t('com_groups_new')}
        </Button>
      </div>
      {groups.length === 0 ? (
        <p className={pageClasses.note}>{t('com_groups_none')}</p>
      ) : (
        <GroupTable groups={groups} />
      )}
      {isNew && <GroupDialog group={null} onClose={() => setNew(false)} />}
    </>
  );
}

type Task = { kind: 'rename' | 'delete'; group: GroupRow };

function GroupTable({ groups }: { groups: readonly GroupRow[] }) {
  const [task, setTask] = useState<Task | null>(null);
  const close = () => setTask(null);
  return (
    <>
      <ul className={peopleClasses.list}>
        {groups.map((group) => (
          <Row key={group.id} group={group} onTask={(kind) => setTask({ kind, group })} />
        ))}
      </ul>
      {task?.kind === 'rename' && <GroupDialog group={task.group} onClose={close} />}
      {task?.kind === 'delete' && <DeleteGroup group={task.group} onClose={close} />}
    </>
  );
}

function Row({ group: { id, name, members }, onTask }: { group: GroupRow; onTask: (kind: Task['kind']) => void }) {
  const { t, i18n } = useTranslation();
  const nameId = `group-${id}`;
  return (
    <li className={peopleClasses.row}>
      <Link id={nameId} href={groupPath(id)} className={classes.name}>
        <bdi>{name}</bdi>
      </Link>
      <span className={peopleClasses.muted}>{t('com_groups_count', { 0: formatNumber(members, i18n.language) })}</span>
      <span className={peopleClasses.buttons}>
        <Button
          size="sm"
          id={`rename-${id}`}
          aria-labelledby={`rename-${id} ${nameId}`}
          onClick={() => onTask('rename')}
        >
          {t('com_ui_rename')}
        </Button>
        <Button
          size="sm"
          variant="danger"
          id={`delete-${id}`}
          aria-labelledby={`delete-${id} ${nameId}`}
          onClick={() => onTask('delete')}
        >
          {t('com_ui_delete')}
        </Button>
      </span>
    </li>
  );
}

/** Says what falls away with a group, and deletes it. */
function DeleteGroup({ group, onClose }: { group: GroupRow; onClose: () => void }) {
  const { t, i18n } = useTranslation();
  const { admin, client } = trpc.useUtils();
  const { act } = useAdminAction(admin.groups);
  const { id, version, name, members, budgets, endpoints } = group;
  const falling = [
    t('com_groups_delete_members', { 0: formatNumber(members, i18n.language) }),
    ...(budgets > 0 ? [t('com_groups_delete_budgets')] : []),
    ...(endpoints.length > 0 ? [t('com_groups_delete_models', { 0: endpoints.map(endpointLabel).join(', ') })] : []),
  ];
  return (
    <ConfirmDialog
      title={t('com_groups_delete_title', { 0: name })}
      text={falling.join(' ')}
      verb={t('com_ui_delete')}
      onCancel={onClose}
      onConfirm={() => {
        void act(() => client.admin.groups.remove.mutate({ id, version }));
        onClose();
      }}
    />
  );
}
