// The dialogs of what is done about a person.
import '@mantine/core/styles/Checkbox.css';
import { Checkbox } from '@mantine/core';
import { DELETION_DAYS } from '@parley/schema/accounts/deletion-days';
import type { PersonRow } from '@parley/schema/accounts/people';
import type { ParseKeys } from 'i18next';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FormDialog, useAdminForm } from '../admin-form.tsx';
import classes from '../admin.module.css';
import { PersonGroups } from '../groups/person-groups.tsx';
import { LinkToCopy } from './link-to-copy.tsx';
import { useAdminAction } from '../use-admin-action.ts';
import { FailureAlert } from '../../auth/failure-alert.tsx';
import { describeError } from '../../errors/describe-error.ts';
import { DOLLAR } from '../../lib/format-number.ts';
import { readNumber } from '../../params/read-number.ts';
import { trpc } from '../../trpc.ts';
import { BusyButton } from '../../ui/busy-button.tsx';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/fields/text-field.tsx';
import { Modal } from '../../ui/modal.tsx';
import { ButtonRow } from '../../ui/primitives/button-row.tsx';

export interface PersonTask {
  kind: 'groups' | 'enable' | 'disable' | 'role' | 'endSessions' | 'resetFactors' | 'remove' | 'resetLink' | 'credits';
  person: PersonRow;
}

export function PersonTaskDialog({ task, onClose }: { task: PersonTask; onClose: () => void }) {
  switch (task.kind) {
    case 'resetLink':
      return <ResetLinkDialog person={task.person} onClose={onClose} />;
    case 'groups':
      return <PersonGroups person={task.person} onClose={onClose} />;
    case 'credits':
      return <CreditsDialog person={task.person} onClose={onClose} />;
    default:
      return <ConfirmTask kind={task.kind} person={task.person} onClose={onClose} />;
  }
}

type Confirmed = Exclude<PersonTask['kind'], 'resetLink' | 'credits' | 'groups'>;

/** What a task is called, what it will do, and how it is done. */
function useTask(kind: Confirmed, { id: userId, name, role, state }: PersonRow, canReturn: boolean) {
  const { t } = useTranslation();
  const { people } = trpc.useUtils().client.admin;
  const ref = { userId };
  const tasks = {
    enable:
      state === 'unconfirmed'
        ? ['com_people_confirm', 'com_people_confirm_hint', () => people.enable.mutate(ref)]
        : ['com_people_enable', 'com_people_enable_hint', () => people.enable.mutate(ref)],
    disable: ['com_people_disable', 'com_people_disable_hint', () => people.disable.mutate(ref)],
    endSessions: ['com_people_end_sessions', 'com_people_end_sessions_hint', () => people.endSessions.mutate(ref)],
    resetFactors: ['com_people_reset_factors', 'com_people_reset_factors_hint', () => people.resetFactors.mutate(ref)],
    role:
      role === 'ADMIN'
        ? ['com_people_make_user', 'com_people_make_user_hint', () => people.setRole.mutate({ userId, role: 'USER' })]
        : ['com_people_make_admin', 'com_people_admin_hint', () => people.setRole.mutate({ userId, role: 'ADMIN' })],
    remove: ['com_people_remove', 'com_people_remove_hint', () => people.remove.mutate({ userId, canReturn })],
  } as const satisfies Record<Confirmed, [verb: ParseKeys, hint: ParseKeys, run: () => Promise<unknown>]>;
  const [verb, hint, run] = tasks[kind];
  return { verb: t(verb), hint: t(hint, { 0: name, 1: DELETION_DAYS }), run };
}

interface ConfirmTaskProps extends PersonDialogProps {
  kind: Confirmed;
}

/** Says what will happen, and does it. */
function ConfirmTask({ kind, person, onClose }: ConfirmTaskProps) {
  const { t } = useTranslation();
  const { act, isBusy } = useAdminAction(trpc.useUtils().admin.people, { describe: describeError });
  const [canReturn, setCanReturn] = useState(false);
  const { verb, hint, run } = useTask(kind, person, canReturn);

  async function confirm(): Promise<void> {
    await act(run);
    onClose();
  }

  return (
    <Modal title={`${verb}: ${person.name}`} onClose={onClose}>
      <p className={classes.hint}>{hint}</p>
      {kind === 'remove' && (
        <Checkbox
          label={t('com_people_can_return')}
          checked={canReturn}
          onChange={({ currentTarget }) => setCanReturn(currentTarget.checked)}
        />
      )}
      <ButtonRow end>
        <Button onClick={onClose}>{t('com_ui_cancel')}</Button>
        <BusyButton
          variant={kind === 'remove' || kind === 'disable' ? 'danger-filled' : 'filled'}
          isBusy={isBusy}
          data-autofocus
          onClick={() => void confirm()}
        >
          {verb}
        </BusyButton>
      </ButtonRow>
    </Modal>
  );
}

interface PersonDialogProps {
  person: PersonRow;
  onClose: () => void;
}

function ResetLinkDialog({ person, onClose }: PersonDialogProps) {
  const { t } = useTranslation();
  const make = trpc.admin.people.resetLink.useMutation();
  return (
    <Modal title={`${t('com_people_reset_link')}: ${person.name}`} onClose={onClose}>
      <FailureAlert sentence={make.error && describeError(make.error, t)} />
      {make.data ? (
        <LinkToCopy link={make.data.link} hint={t('com_people_reset_made', { 0: make.data.minutes })} />
      ) : (
        <>
          <p className={classes.hint}>{t('com_people_reset_hint', { 0: person.name })}</p>
          <ButtonRow end>
            <Button onClick={onClose}>{t('com_ui_cancel')}</Button>
            <BusyButton
              variant="filled"
              isBusy={make.isPending}
              data-autofocus
              onClick={() => make.mutate({ userId: person.id })}
            >
              {t('com_people_make_link')}
            </BusyButton>
          </ButtonRow>
        </>
      )}
    </Modal>
  );
}

/** In dollars: from a cent to what the server takes at once. */
const AMOUNT = { kind: 'slider', min: 0.01, max: 9999.99, step: 0.01, default: 1 } as const;

function CreditsDialog({ person, onClose }: PersonDialogProps) {
  const { t } = useTranslation();
  const { admin, client } = trpc.useUtils();
  const form = useAdminForm({
    initial: { amount: '' },
    check: ({ amount }) => ({ amount: creditsIn(amount) === 0 && t('com_people_amount') }),
    save: ({ amount }) => client.admin.people.addBalance.mutate({ userId: person.id, credits: creditsIn(amount) }),
    changed: admin.people,
    describe: describeError,
    onSaved: onClose,
  });
  return (
    <FormDialog
      title={`${t('com_people_add_balance')}: ${person.name}`}
      verb={t('com_people_add_balance')}
      form={form}
      isDisabled={creditsIn(form.values.amount) === 0}
      onClose={onClose}
    >
      <TextField
        label={t('com_people_amount')}
        {...form.typed('amount')}
        error={false}
        inputMode="decimal"
        data-autofocus
      />
    </FormDialog>
  );
}

/** 0 for what is no amount in dollars. */
function creditsIn(text: string): number {
  const dollars = readNumber(text, AMOUNT);
  return typeof dollars === 'number' ? Math.round(dollars * DOLLAR) : 0;
}
