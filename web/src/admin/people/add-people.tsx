// The dialogs that let somebody in: an account that is made, an invitation.
import type { Role } from '@parley/schema/accounts/people';
import type { TFunction } from 'i18next';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { describeError } from '../../errors/describe-error.ts';
import { errorReason } from '../../errors/error-reason.ts';
import { formatDateTime } from '../../lib/format-date.ts';
import { trpc } from '../../trpc.ts';
import { PasswordField } from '../../ui/fields/password-field.tsx';
import { SelectField } from '../../ui/fields/select-field.tsx';
import { TextField } from '../../ui/fields/text-field.tsx';
import { FormDialog, useAdminForm } from '../admin-form.tsx';
import classes from '../admin.module.css';
import { LinkToCopy } from './link-to-copy.tsx';
import { roleWord } from './person-facts.tsx';

const ADDRESS = { type: 'email', autoCapitalize: 'none', spellCheck: false } as const;

const ROLES: readonly Role[] = ['USER', 'ADMIN'];

interface NewPerson extends Record<'name' | 'email' | 'password', string> {
  role: Role;
}

/** Makes an account. Without a password it shows a link by which the person chooses one. */
export function AddDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const { client, admin } = trpc.useUtils();
  const [made, setMade] = useState<{ link: string; minutes: number } | null>(null);
  const form = useAdminForm<NewPerson>({
    initial: { name: '', email: '', password: '', role: 'USER' },
    async save({ password, ...person }) {
      const { link, minutes } = await client.admin.people.create.mutate({ ...person, ...(password && { password }) });
      if (link === null) onClose();
      else setMade({ link, minutes });
    },
    changed: admin.people.list,
    describe: describePeopleFailure,
    isInPlace: true,
  });
  return (
    <FormDialog
      title={t('com_people_add_title')}
      verb={t('com_people_add_title')}
      form={form}
      result={made && <LinkToCopy link={made.link} hint={t('com_people_reset_made', { 0: made.minutes })} />}
      onClose={onClose}
    >
      <TextField {...form.typed('name')} name="name" label={t('com_auth_full_name')} data-autofocus />
      <TextField {...form.typed('email')} {...ADDRESS} name="email" label={t('com_auth_email')} />
      <PasswordField
        {...form.typed('password')}
        name="password"
        label={t('com_people_password_optional')}
        description={t('com_people_password_hint')}
        autoComplete="new-password"
      />
      <RoleField {...form.picked('role')} />
    </FormDialog>
  );
}

const DAY_MS = 86_400_000;
const DAYS = ['1', '7', '30'] as const;

interface Invitation {
  email: string;
  role: Role;
  days: (typeof DAYS)[number];
}

interface Invited {
  link: string;
  until: string;
  /** Null where no mail was sent. */
  mailedTo: string | null;
}

/** Makes a link by which one person registers; it is shown this once. */
export function InviteDialog({ onClose }: { onClose: () => void }) {
  const { t, i18n } = useTranslation();
  const { client, admin } = trpc.useUtils();
  const [made, setMade] = useState<Invited | null>(null);
  const form = useAdminForm<Invitation>({
    initial: { email: '', role: 'USER', days: '7' },
    async save({ email, role, days }) {
      const until = new Date(Date.now() + Number(days) * DAY_MS).toISOString();
      const address = email.trim() || null;
      const invitation = { email: address, role, expiresInDays: Number(days) };
      const { link, isMailed } = await client.admin.people.invite.mutate(invitation);
      setMade({ link, until: formatDateTime(until, i18n.language), mailedTo: isMailed ? address : null });
    },
    changed: admin.people.invitations,
    describe: describePeopleFailure,
    isInPlace: true,
  });
  const inDays = new Intl.NumberFormat(i18n.language, { style: 'unit', unit: 'day', unitDisplay: 'long' });
  return (
    <FormDialog
      title={t('com_people_invite_title')}
      verb={t('com_people_make_link')}
      form={form}
      result={
        made && (
          <>
            <LinkToCopy link={made.link} hint={t('com_people_invited', { 0: made.until })} />
            {made.mailedTo && <p className={classes.hint}>{t('com_people_mailed', { 0: made.mailedTo })}</p>}
          </>
        )
      }
      onClose={onClose}
    >
      <TextField
        {...form.typed('email')}
        {...ADDRESS}
        label={t('com_people_email_optional')}
        description={t('com_people_email_hint')}
        data-autofocus
      />
      <RoleField {...form.picked('role')} />
      <SelectField
        label={t('com_people_valid')}
        {...form.picked('days')}
        options={DAYS.map((value) => ({ value, label: inDays.format(Number(value)) }))}
      />
    </FormDialog>
  );
}

function RoleField({ value: role, onChange }: { value: Role; onChange: (role: Role) => void }) {
  const { t } = useTranslation();
  return (
    <SelectField
      label={t('com_people_role')}
      description={role === 'ADMIN' ? t('com_people_admin_hint') : undefined}
      value={role}
      options={ROLES.map((value) => ({ value, label: roleWord(value, t) }))}
      onChange={onChange}
    />
  );
}

/** A conflict is a taken address. */
function describePeopleFailure(error: unknown, t: TFunction): string {
  return errorReason(error)?.type === 'conflict' ? t('com_people_taken') : describeError(error, t);
}
