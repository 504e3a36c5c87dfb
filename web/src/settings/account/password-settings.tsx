import { useAtomValue } from 'jotai';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import { FailureAlert } from '../../auth/failure-alert.tsx';
import type { NewPasswordValues } from '../../auth/field-errors.ts';
import { NewPasswordFields } from '../../auth/field.tsx';
import { loadFieldErrors, useForm } from '../../auth/use-form.ts';
import { describeError } from '../../errors/describe-error.ts';
import { session } from '../../session/current-session.ts';
import { api, trpc } from '../../trpc.ts';
import { useStartup } from '../../startup.ts';
import { BusyButton } from '../../ui/busy-button.tsx';
import { showToast } from '../../ui/toast/toast.ts';
import classes from './account-settings.module.css';

/** Changes the password, if the account has one. */
export function PasswordSettings() {
  const { t } = useTranslation();
  const { data: hasPassword, error } = trpc.auth.hasPassword.useQuery();
  const startup = useStartup();
  if (error) return <FailureAlert sentence={describeError(error, t)} />;
  if (hasPassword === undefined) return null;
  // The password of an account of the directory is changed there.
  if (!hasPassword && startup?.ldap) return null;
  return hasPassword ? <PasswordForm /> : <NoPassword />;
}

const EMPTY: NewPasswordValues = { password: '', confirm_password: '' };
const loadRules = () => loadFieldErrors().then((rules) => rules.newPasswordErrors);

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
      <FailureAlert sentence={failure && !isPending ? describeError(failure, t) : null} />
      {/* For who keeps the passwords: whose this one is. */}
      <input hidden readOnly autoComplete="username" value={email ?? ''} />
      <NewPasswordFields field={field} errors={errors} />
      <BusyButton type="submit" variant="filled" className={classes.submit} isBusy={isPending} disabled={!canSubmit}>
        {t('com_nav_password_change')}
      </BusyButton>
    </form>
  );
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
