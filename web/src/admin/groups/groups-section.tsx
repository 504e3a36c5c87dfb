import { GROUP_NAME_MAX, type GroupRow } from '@parley/schema/accounts/group-rules';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useSearch } from 'wouter';
import { navigate } from 'wouter/use-browser-location';
import { FormDialog, useAdminForm } from '../admin-form.tsx';
import { Read, RowButton } from '../admin-list.tsx';
import classes from '../admin.module.css';
import { GroupPage } from './group-page.tsx';
import { groupPath } from './group-paths.ts';
import own from './groups.module.css';
import { useAdminAction } from '../use-admin-action.ts';
import { endpointLabel } from '../../catalog/choose-model.ts';
import { ConfirmDialog } from '../../dialogs/confirm-dialog.tsx';
import { errorReason } from '../../errors/error-reason.ts';
import pageClasses from '../../layout/page/page.module.css';
import { formatNumber } from '../../lib/format-number.ts';
import { trpc } from '../../trpc.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/fields/text-field.tsx';

/** The groups of this server, and the page of one of them. */
export function GroupsSection() {
  const found = trpc.admin.groups.list.useQuery(undefined, { refetchOnMount: 'always' });
  const opened = new URLSearchParams(useSearch()).get('group');
  return (
    <Read query={found} rows={4}>
      {(groups) =>
        opened === null ? (
          <Groups groups={groups} />
        ) : (
          <GroupPage group={groups.find(({ id }) => id === opened) ?? null} />
        )
      }
    </Read>
  );
}

/** A dialog; the group is null for a new one. */
type Task = { kind: 'name'; group: GroupRow | null } | { kind: 'delete'; group: GroupRow };

function Groups({ groups }: { groups: readonly GroupRow[] }) {
  const { t } = useTranslation();
  const [task, setTask] = useState<Task | null>(null);
  const close = () => setTask(null);
  return (
    <>
      <div className={classes.top}>
        <p className={pageClasses.note}>{t('com_groups_about')}</p>
        <Button variant="filled" onClick={() => setTask({ kind: 'name', group: null })}>
          {t('com_groups_new')}
        </Button>
      </div>
      {groups.length === 0 ? (
        <p className={pageClasses.note}>{t('com_groups_none')}</p>
      ) : (
        <ul className={classes.list}>
          {groups.map((group) => (
            <Row key={group.id} group={group} onTask={(kind) => setTask({ kind, group })} />
          ))}
        </ul>
      )}
      {task?.kind === 'name' && <GroupDialog group={task.group} onClose={close} />}
      {task?.kind === 'delete' && <DeleteGroup group={task.group} onClose={close} />}
    </>
  );
}

function Row({ group: { id, name, members }, onTask }: { group: GroupRow; onTask: (kind: Task['kind']) => void }) {
  const { t, i18n } = useTranslation();
  const nameId = useId();
  return (
    <li className={classes.row}>
      <Link id={nameId} href={groupPath(id)} className={own.name}>
        <bdi>{name}</bdi>
      </Link>
      <span className={classes.muted}>{t('com_groups_count', { 0: formatNumber(members, i18n.language) })}</span>
      <span className={classes.buttons}>
        <RowButton nameId={nameId} onClick={() => onTask('name')}>
          {t('com_ui_rename')}
        </RowButton>
        <RowButton nameId={nameId} variant="danger" onClick={() => onTask('delete')}>
          {t('com_ui_delete')}
        </RowButton>
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

interface GroupDialogProps {
  /** Null for a new one. */
  group: GroupRow | null;
  onClose: () => void;
}

/** Names a group. The page of a new one is opened: who is in it comes next. */
function GroupDialog({ group, onClose }: GroupDialogProps) {
  const { t } = useTranslation();
  const { client, admin } = trpc.useUtils();
  const form = useAdminForm({
    initial: { name: group?.name ?? '' },
    check: ({ name }) => ({ name: name.trim() === '' && t('com_groups_name_needed') }),
    async save({ name }) {
      if (group) {
        await client.admin.groups.rename.mutate({ id: group.id, version: group.version, name });
        await admin.groups.invalidate();
        return onClose();
      }
      const { id } = await client.admin.groups.create.mutate({ name });
      // Its page looks for it there.
      await admin.groups.list.invalidate();
      onClose();
      navigate(groupPath(id));
    },
    changed: admin.groups,
    isInPlace: true,
  });
  const isTaken = errorReason(form.refusal)?.type === 'invalid_input';
  return (
    <FormDialog
      title={t(group ? 'com_ui_rename' : 'com_groups_new')}
      verb={t(group ? 'com_ui_save' : 'com_groups_create')}
      form={{ ...form, failure: isTaken ? null : form.failure }}
      onCancel={onClose}
      onClose={onClose}
    >
      <TextField
        label={t('com_groups_name')}
        {...form.typed('name')}
        error={isTaken ? t('com_groups_taken') : form.error('name')}
        maxLength={GROUP_NAME_MAX}
        dir="auto"
        data-autofocus
      />
    </FormDialog>
  );
}
