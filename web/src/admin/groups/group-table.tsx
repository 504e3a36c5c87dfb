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
import { DeleteGroup } from './delete-group.tsx';

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
