import { useAtomValue } from 'jotai';
import { useState } from 'react';
import type { User } from '@parley/schema/accounts/users';
import { useTranslation } from 'react-i18next';
import { FailureAlert } from '../../auth/failure-alert.tsx';
import type { ProfileValues } from '../../auth/field-errors.ts';
import { Field } from '../../auth/field.tsx';
import { useForm } from '../../auth/use-form.ts';
import { describeError } from '../../errors/describe-error.ts';
import { reasonOf } from '../../errors/reason-of.ts';
import { session } from '../../session/current-session.ts';
import { api } from '../../trpc.ts';
import { BusyButton } from '../../ui/busy-button.tsx';
import { showToast } from '../../ui/toast/toast.ts';
import classes from './account.module.css';

const loadRules = () => import('../../auth/field-errors.ts').then((rules) => rules.profileErrors);

/** The name and the username. A change from another browser replaces what is shown. */
export function ProfileForm() {
  const { user } = useAtomValue(session.state);
  return user && <Form key={`${user.name} ${user.username ?? ''}`} user={user} />;
}

function Form({ user }: { user: User }) {
  const { t } = useTranslation();
  const [start] = useState<ProfileValues>(() => ({ name: user.name, username: user.username ?? '' }));
  const { form, field, errors, failure, isPending, canSubmit } = useForm({
    empty: start,
    loadRules,
    send: async (values) => {
      await api.account.changeProfile.mutate(values);
      // The renewed session brings the new names.
      await session.refresh().catch(() => null);
      showToast({ message: t('com_account_profile_saved'), severity: 'success' });
    },
  });
  const isTaken = reasonOf(failure)?.type === 'username_taken';
  const isChanged = field('name').value !== start.name || field('username').value !== start.username;
  return (
    <form {...form} className={classes.section} aria-labelledby="profile-title">
      <h2 id="profile-title" className={classes.title}>
        {t('com_account_profile')}
      </h2>
      <FailureAlert sentence={failure && !isPending && !isTaken ? describeError(failure, t) : null} />
      <Field {...field('name')} label="com_auth_full_name" error={errors.name} autoComplete="name" />
      <Field
        {...field('username')}
        label="com_auth_username"
        error={errors.username ?? (isTaken && !isPending ? 'com_error_username_taken' : undefined)}
        autoComplete="off"
        isOptional
      />
      <BusyButton
        type="submit"
        variant="filled"
        className={classes.submit}
        isBusy={isPending}
        disabled={!canSubmit || !isChanged}
      >
        {t('com_ui_save')}
      </BusyButton>
    </form>
  );
}
