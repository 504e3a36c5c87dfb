import { useTranslation } from 'react-i18next';
import { useAtomValue } from 'jotai';
import { Link } from 'wouter';
import { session } from '../../session/current-session.ts';
import { FailureAlert } from '../../auth/failure-alert.tsx';
import type { ChangePasswordValues } from '../../auth/field-errors.ts';
import { PasswordField } from '../../auth/field.tsx';
import { useForm } from '../../auth/use-form.ts';
import { AvatarSetting } from '../../files/avatar/avatar-setting.tsx';
import { Findable } from '../search/findable.tsx';
import { SettingRows } from '../setting-rows.tsx';
import { useStartup } from '../../startup.ts';
import { BusyButton } from '../../ui/busy-button.tsx';
import { describeError } from '../../errors/describe-error.ts';
import { errorReason } from '../../errors/error-reason.ts';
import { showToast } from '../../ui/toast/toast.ts';
import { api, trpc } from '../../trpc.ts';
import classes from './account-settings.module.css';
import { DeleteAccount } from './delete-account.tsx';
import { DeviceList } from './device-list.tsx';
import { ProfileForm } from './profile-form.tsx';
import { loadFieldErrors } from '../../auth/load-field-errors.ts';

/** The profile, the password where people sign in with one, the devices, and the end of the account. */
export function AccountSettings() {
  const { t } = useTranslation();
  const startup = useStartup();
  const hasPasswords = startup?.emailLoginEnabled;
  const canDelete = startup?.accountDeletionEnabled ?? true;
  return (
    <>
      <Findable words={t('com_avatar')}>
        <AvatarSetting />
      </Findable>
      <Findable words={`${t('com_account_profile')} ${t('com_auth_full_name')} ${t('com_auth_username')}`}>
        <ProfileForm />
      </Findable>
      <SettingRows tab="account" />
      {hasPasswords && (
        <Findable words={t('com_nav_password_change')}>
          <PasswordSettings />
        </Findable>
      )}
      <Findable words={t('com_account_devices')}>
        <DeviceList />
      </Findable>
      {canDelete && (
        <Findable words={t('com_account_delete')}>
          <DeleteAccount />
        </Findable>
      )}
    </>
  );
}

/** Changes the password, if the account has one. */
function PasswordSettings() {
  const { t } = useTranslation();
  const { data: hasPassword, error } = trpc.auth.hasPassword.useQuery();
  if (error) return <FailureAlert sentence={describeError(error, t)} />;
  if (hasPassword === undefined) return null;
  return hasPassword ? <PasswordForm /> : <NoPassword />;
}

const EMPTY: ChangePasswordValues = { current_password: '', password: '', confirm_password: '' };
const loadRules = () => loadFieldErrors().then((rules) => rules.changePasswordErrors);

function PasswordForm() {
  const { t } = useTranslation();
  const email = useAtomValue(session.state).user?.email;
  const { form, field, errors, failure, isPending, canSubmit } = useForm({
    empty: EMPTY,
    loadRules,
    send: async (values) => {
      await api.auth.changePassword.mutate(values);
      showToast({ message: t('com_nav_password_changed'), severity: 'success' });
    },
    isEmptiedWhenSent: true,
  });
  return (
    <form {...form} className={classes.form}>
      <h2 className={classes.title}>{t('com_nav_password_change')}</h2>
      <p className={classes.hint}>{t('com_nav_password_change_hint')}</p>
      <FailureAlert sentence={failure && !isPending ? sentenceOf(failure) : null} />
      {/* For who keeps the passwords: whose this one is. */}
      <input hidden readOnly autoComplete="username" value={email ?? ''} />
      <PasswordField
        {...field('current_password')}
        label="com_nav_password_current"
        error={errors.current_password}
        autoComplete="current-password"
      />
      <PasswordField
        {...field('password')}
        label="com_auth_new_password"
        error={errors.password}
        autoComplete="new-password"
      />
      <PasswordField
        {...field('confirm_password')}
        label="com_auth_password_confirm"
        error={errors.confirm_password}
        autoComplete="new-password"
      />
      <BusyButton type="submit" variant="filled" className={classes.submit} isBusy={isPending} disabled={!canSubmit}>
        {t('com_nav_password_change')}
      </BusyButton>
    </form>
  );

  function sentenceOf(error: unknown): string {
    return errorReason(error)?.type === 'invalid_credentials' ? t('com_nav_password_wrong') : describeError(error, t);
  }
}

function NoPassword() {
  const { t } = useTranslation();
  return (
    <div className={classes.form}>
      <h2 className={classes.title}>{t('com_nav_password_none')}</h2>
      <p className={classes.hint}>{t('com_nav_password_none_hint')}</p>
      <Link className={classes.link} href="/forgot-password">
        {t('com_auth_password_forgot')}
      </Link>
    </div>
  );
}
