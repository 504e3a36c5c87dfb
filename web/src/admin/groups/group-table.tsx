import type { GroupRow } from '@parley/schema/accounts/group-rules';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import { formatNumber } from '../../lib/format-number.ts';
import { Button } from '../../ui/button.tsx';
import peopleClasses from '../people/people.module.css';
import { GroupDialog } from './group-dialog.tsx';
import { groupPath } from './group-paths.ts';
import classes from './groups.module.css';
import { endpointLabel } from '../../catalog/choose-model.ts';
import { ConfirmDialog } from '../../dialogs/confirm-dialog.tsx';
import { trpc } from '../../trpc.ts';
import { useGroupAction } from './use-group-action.ts';

type Task = { kind: 'rename' | 'delete'; group: GroupRow };

export function GroupTable({ groups }: { groups: readonly GroupRow[] }) {
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
  const { client } = trpc.useUtils();
  const act = useGroupAction();
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
