import { GROUP_NAME_MAX, type GroupRow } from '@parley/schema/accounts/group-rules';
import { useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { navigate } from 'wouter/use-browser-location';
import { FailureAlert } from '../../auth/failure-alert.tsx';
import { errorReason } from '../../errors/error-reason.ts';
import { trpc } from '../../trpc.ts';
import { BusyButton } from '../../ui/busy-button.tsx';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/fields/text-field.tsx';
import { Modal } from '../../ui/modal.tsx';
import classes from '../admin.module.css';
import { groupPath } from './group-paths.ts';
import { describeChangeError } from '../use-admin-action.ts';
import { ButtonRow } from '../../ui/primitives/button-row.tsx';

interface GroupDialogProps {
  /** Null for a new one. */
  group: GroupRow | null;
  onClose: () => void;
}

/** Names a group. The page of a new one is opened: who is in it comes next. */
export function GroupDialog({ group, onClose }: GroupDialogProps) {
  const { t } = useTranslation();
  const { client, admin } = trpc.useUtils();
  const [name, setName] = useState(group?.name ?? '');
  const [isBusy, setBusy] = useState(false);
  const [wrong, setWrong] = useState<string | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const title = t(group ? 'com_ui_rename' : 'com_groups_new');

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (isBusy) return;
    setFailure(null);
    setWrong(name.trim() === '' ? t('com_groups_name_needed') : null);
    if (name.trim() === '') return;
    setBusy(true);
    try {
      await save();
    } catch (error) {
      if (errorReason(error)?.type === 'invalid_input') setWrong(t('com_groups_taken'));
      else setFailure(describeChangeError(error, t));
      setBusy(false);
    }
    void admin.audit.invalidate();
  }

  async function save(): Promise<void> {
    if (group) {
      await client.admin.groups.rename.mutate({ id: group.id, version: group.version, name });
      await admin.groups.invalidate();
      onClose();
      return;
    }
    const { id } = await client.admin.groups.create.mutate({ name });
    await admin.groups.list.invalidate();
    onClose();
    navigate(groupPath(id));
  }

  return (
    <Modal title={title} onClose={onClose}>
      <form className={classes.form} onSubmit={(event) => void submit(event)} noValidate>
        <FailureAlert sentence={failure} />
        <TextField
          label={t('com_groups_name')}
          value={name}
          maxLength={GROUP_NAME_MAX}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
          error={wrong}
          dir="auto"
          data-autofocus
        />
        <ButtonRow end>
          <Button onClick={onClose}>{t('com_ui_cancel')}</Button>
          <BusyButton type="submit" variant="filled" isBusy={isBusy}>
            {t(group ? 'com_ui_save' : 'com_groups_create')}
          </BusyButton>
        </ButtonRow>
      </form>
    </Modal>
  );
}
