import type { Role } from '@parley/schema/accounts/people';
import { useState, type ChangeEvent, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { FailureAlert } from '../../auth/failure-alert.tsx';
import { trpc } from '../../trpc.ts';
import { BusyButton } from '../../ui/busy-button.tsx';
import { PasswordField } from '../../ui/fields/password-field.tsx';
import { TextField } from '../../ui/fields/text-field.tsx';
import { Modal } from '../../ui/modal.tsx';
import { describePeopleFailure } from './describe-people-failure.ts';
import { LinkToCopy } from './link-to-copy.tsx';
import classes from '../admin.module.css';
import { RoleField } from './role-field.tsx';
import { ButtonRow } from '../../ui/primitives/button-row.tsx';

const EMPTY = { name: '', email: '', password: '' };

/** Makes an account. Without a password it shows a link by which the person chooses one. */
export function AddDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const [values, setValues] = useState(EMPTY);
  const [role, setRole] = useState<Role>('USER');
  const { people, audit } = trpc.useUtils().admin;
  const create = trpc.admin.people.create.useMutation({
    onSuccess: ({ link }) => link === null && onClose(),
    onSettled: () => Promise.all([people.list.invalidate(), audit.invalidate()]),
  });

  function submit(event: FormEvent): void {
    event.preventDefault();
    const { name, email, password } = values;
    if (!create.isPending) create.mutate({ name, email, role, ...(password !== '' && { password }) });
  }

  const field = (name: keyof typeof EMPTY) => ({
    name,
    value: values[name],
    onChange: ({ currentTarget }: ChangeEvent<HTMLInputElement>) => {
      const { value } = currentTarget;
      setValues((before) => ({ ...before, [name]: value }));
    },
  });
  return (
    <Modal title={t('com_people_add_title')} onClose={onClose}>
      {create.data?.link ? (
        <LinkToCopy link={create.data.link} hint={t('com_people_reset_made', { 0: create.data.minutes })} />
      ) : (
        <form className={classes.form} onSubmit={submit} noValidate>
          <FailureAlert sentence={create.error && describePeopleFailure(create.error, t)} />
          <TextField {...field('name')} label={t('com_auth_full_name')} data-autofocus />
          <TextField
            {...field('email')}
            type="email"
            label={t('com_auth_email')}
            autoCapitalize="none"
            spellCheck={false}
          />
          <PasswordField
            {...field('password')}
            label={t('com_people_password_optional')}
            description={t('com_people_password_hint')}
            autoComplete="new-password"
          />
          <RoleField role={role} onChange={setRole} />
          <ButtonRow end>
            <BusyButton type="submit" variant="filled" isBusy={create.isPending}>
              {t('com_people_add_title')}
            </BusyButton>
          </ButtonRow>
        </form>
      )}
    </Modal>
  );
}
