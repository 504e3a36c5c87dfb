import { GROUP_NAME_MAX, type GroupRow } from '@parley/schema/accounts/group-rules';
import { useTranslation } from 'react-i18next';
import { navigate } from 'wouter/use-browser-location';
import { errorReason } from '../../errors/error-reason.ts';
import { trpc } from '../../trpc.ts';
import { TextField } from '../../ui/fields/text-field.tsx';
import { FormDialog, useAdminForm } from '../admin-form.tsx';
import { groupPath } from './group-paths.ts';

interface GroupDialogProps {
  /** Null for a new one. */
  group: GroupRow | null;
  onClose: () => void;
}

/** Names a group. The page of a new one is opened: who is in it comes next. */
export function GroupDialog({ group, onClose }: GroupDialogProps) {
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
