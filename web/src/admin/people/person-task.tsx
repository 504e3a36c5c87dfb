// The dialogs of what is done about a person.
import { DELETION_DAYS } from '@parley/schema/accounts/deletion-days';
import type { PersonRow } from '@parley/schema/accounts/people';
import { Checkbox } from '@mantine/core';
import '@mantine/core/styles/Checkbox.css';
import { useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { FailureAlert } from '../../auth/failure-alert.tsx';
import { describeError } from '../../errors/describe-error.ts';
import { DOLLAR } from '../../lib/format-number.ts';
import { readNumber } from '../../params/read-number.ts';
import { trpc } from '../../trpc.ts';
import { BusyButton } from '../../ui/busy-button.tsx';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/fields/text-field.tsx';
import { Modal } from '../../ui/modal.tsx';
import { PersonGroups } from '../groups/person-groups.tsx';
import { LinkToCopy } from './link-to-copy.tsx';
import classes from '../admin.module.css';
import { useAdminAction } from '../use-admin-action.ts';
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
  const isAdmin = role === 'ADMIN';
  switch (kind) {
    case 'enable':
      return {
        verb: state === 'unconfirmed' ? t('com_people_confirm') : t('com_people_enable'),
        hint:
          state === 'unconfirmed'
            ? t('com_people_confirm_hint', { 0: name })
            : t('com_people_enable_hint', { 0: name }),
        run: () => people.enable.mutate({ userId }),
      };
    case 'disable':
      return {
        verb: t('com_people_disable'),
        hint: t('com_people_disable_hint', { 0: name }),
        run: () => people.disable.mutate({ userId }),
      };
    case 'endSessions':
      return {
        verb: t('com_people_end_sessions'),
        hint: t('com_people_end_sessions_hint', { 0: name }),
        run: () => people.endSessions.mutate({ userId }),
      };
    case 'resetFactors':
      return {
        verb: t('com_people_reset_factors'),
        hint: t('com_people_reset_factors_hint', { 0: name }),
        run: () => people.resetFactors.mutate({ userId }),
      };
    case 'role':
      return {
        verb: isAdmin ? t('com_people_make_user') : t('com_people_make_admin'),
        hint: isAdmin ? t('com_people_make_user_hint', { 0: name }) : t('com_people_admin_hint'),
        run: () => people.setRole.mutate({ userId, role: isAdmin ? 'USER' : 'ADMIN' }),
      };
    case 'remove':
      return {
        verb: t('com_people_remove'),
        hint: t('com_people_remove_hint', { 0: name, 1: DELETION_DAYS }),
        run: () => people.remove.mutate({ userId, canReturn }),
      };
    default:
      return kind satisfies never;
  }
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
  const { act, isBusy } = useAdminAction(admin.people, { describe: describeError });
  const [text, setText] = useState('');
  const dollars = readNumber(text, AMOUNT);
  const credits = typeof dollars === 'number' ? Math.round(dollars * DOLLAR) : 0;

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (credits === 0 || isBusy) return;
    if (await act(() => client.admin.people.addBalance.mutate({ userId: person.id, credits }))) onClose();
  }

  return (
    <Modal title={`${t('com_people_add_balance')}: ${person.name}`} onClose={onClose}>
      <form className={classes.form} onSubmit={(event) => void submit(event)} noValidate>
        <TextField
          label={t('com_people_amount')}
          inputMode="decimal"
          value={text}
          onChange={({ currentTarget }) => setText(currentTarget.value)}
          data-autofocus
        />
        <ButtonRow end>
          <BusyButton type="submit" variant="filled" isBusy={isBusy} disabled={credits === 0}>
            {t('com_people_add_balance')}
          </BusyButton>
        </ButtonRow>
      </form>
    </Modal>
  );
}
