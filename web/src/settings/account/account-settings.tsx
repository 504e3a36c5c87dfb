import { useTranslation } from 'react-i18next';
import type { User } from '@parley/schema/accounts/users';
import { useAtomValue } from 'jotai';
import { AvatarSetting } from '../../files/avatar/avatar-setting.tsx';
import { Findable } from '../search/findable.tsx';
import { SettingRows } from '../setting-rows.tsx';
import { FailureAlert } from '../../auth/failure-alert.tsx';
import { Field } from '../../auth/field.tsx';
import { loadFieldErrors, useForm } from '../../auth/use-form.ts';
import { describeError } from '../../errors/describe-error.ts';
import { errorReason } from '../../errors/error-reason.ts';
import { session } from '../../session/current-session.ts';
import { api } from '../../trpc.ts';
import { SaveButton } from '../../ui/busy-button.tsx';
import { showToast } from '../../ui/toast/toast.ts';
import classes from './account-settings.module.css';

/** How one is seen here. */
export function AccountSettings() {
  const { t } = useTranslation();
  return (
    <>
      <Findable words={t('com_avatar')}>
        <AvatarSetting />
      </Findable>
      <SettingRows tab="account" />
    </>
  );
}

/** The name and the user name. */
export function ProfileSettings() {
  const { t } = useTranslation();
  const { user } = useAtomValue(session.state);
  if (!user) return null;
  return (
    <Findable words={`${t('com_account_profile')} ${t('com_auth_full_name')} ${t('com_auth_username')}`}>
      {/* A change in another browser brings a new form. */}
      <Form key={`${user.name} ${user.username}`} user={user} />
    </Findable>
  );
}

const loadRules = () => loadFieldErrors().then((rules) => rules.profileErrors);

function Form({ user }: { user: User }) {
  const { t } = useTranslation();
  const { form, field, errors, failure, isPending, canSubmit } = useForm({
    empty: { name: user.name, username: user.username ?? '' },
    loadRules,
    send: async (values) => {
      await api.auth.updateProfile.mutate(values);
      await session.reloadUser();
      showToast({ message: t('com_account_saved'), severity: 'success' });
    },
  });
  const isTaken = errorReason(failure)?.type === 'username_taken';
  return (
    <form {...form} className={classes.form}>
      <FailureAlert sentence={failure && !isPending && !isTaken ? describeError(failure, t) : null} />
      <Field {...field('name')} label="com_auth_full_name" error={errors.name} autoComplete="name" />
      <Field
        {...field('username')}
        label="com_auth_username"
        error={errors.username ?? (isTaken ? 'com_error_username_taken' : undefined)}
        autoComplete="nickname"
        isOptional
      />
      <SaveButton className={classes.submit} isBusy={isPending} disabled={!canSubmit} />
    </form>
  );
}
