import type { Role } from '@parley/schema/accounts/people';
import { useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { FailureAlert } from '../../auth/failure-alert.tsx';
import { formatDateTime } from '../../lib/format-date.ts';
import { trpc } from '../../trpc.ts';
import { BusyButton } from '../../ui/busy-button.tsx';
import { SelectField } from '../../ui/fields/select-field.tsx';
import { TextField } from '../../ui/fields/text-field.tsx';
import { Modal } from '../../ui/modal.tsx';
import { describePeopleFailure } from './describe-people-failure.ts';
import { LinkToCopy } from './link-to-copy.tsx';
import classes from '../admin.module.css';
import { RoleField } from './role-field.tsx';
import { ButtonRow } from '../../ui/primitives/button-row.tsx';

const DAY_MS = 86_400_000;
const DAYS = ['1', '7', '30'] as const;

/** Makes a link by which one person registers; it is shown this once. */
export function InviteDialog({ onClose }: { onClose: () => void }) {
  const { t, i18n } = useTranslation();
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<Role>('USER');
  const [days, setDays] = useState<(typeof DAYS)[number]>('7');
  const [until, setUntil] = useState('');
  const { people, audit } = trpc.useUtils().admin;
  const invite = trpc.admin.people.invite.useMutation({
    onSettled: () => Promise.all([people.invitations.invalidate(), audit.invalidate()]),
  });

  function submit(event: FormEvent): void {
    event.preventDefault();
    const expiresInDays = Number(days);
    if (invite.isPending) return;
    setUntil(formatDateTime(new Date(Date.now() + expiresInDays * DAY_MS).toISOString(), i18n.language));
    invite.mutate({ email: email.trim() || null, role, expiresInDays });
  }

  const inDays = new Intl.NumberFormat(i18n.language, { style: 'unit', unit: 'day', unitDisplay: 'long' });
  return (
    <Modal title={t('com_people_invite_title')} onClose={onClose}>
      {invite.data ? (
        <>
          <LinkToCopy link={invite.data.link} hint={t('com_people_invited', { 0: until })} />
          {invite.data.isMailed && <p className={classes.hint}>{t('com_people_mailed', { 0: email.trim() })}</p>}
        </>
      ) : (
        <form className={classes.form} onSubmit={submit} noValidate>
          <FailureAlert sentence={invite.error && describePeopleFailure(invite.error, t)} />
          <TextField
            type="email"
            label={t('com_people_email_optional')}
            description={t('com_people_email_hint')}
            value={email}
            onChange={({ currentTarget }) => setEmail(currentTarget.value)}
            autoCapitalize="none"
            spellCheck={false}
            data-autofocus
          />
          <RoleField role={role} onChange={setRole} />
          <SelectField
            label={t('com_people_valid')}
            value={days}
            options={DAYS.map((value) => ({ value, label: inDays.format(Number(value)) }))}
            onChange={setDays}
          />
          <ButtonRow end>
            <BusyButton type="submit" variant="filled" isBusy={invite.isPending}>
              {t('com_people_make_link')}
            </BusyButton>
          </ButtonRow>
        </form>
      )}
    </Modal>
  );
}
