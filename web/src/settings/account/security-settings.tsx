import { useTranslation } from 'react-i18next';
import { useAtomValue } from 'jotai';
import { Link } from 'wouter';
import { DELETION_DAYS } from '@parley/schema/accounts/deletion-days';
import { useId, useState, type FormEvent } from 'react';
import { useStartup } from '../../startup.ts';
import { Findable } from '../search/findable.tsx';
import { DeviceList } from './device-list.tsx';
import { SecondFactorSettings } from './second-factor/second-factor-settings.tsx';
import { FailureAlert } from '../../auth/failure-alert.tsx';
import type { NewPasswordValues } from '../../auth/field-errors.ts';
import { NewPasswordFields } from '../../auth/field.tsx';
import { loadFieldErrors, useForm } from '../../auth/use-form.ts';
import { describeError } from '../../errors/describe-error.ts';
import { session } from '../../session/current-session.ts';
import { api, trpc } from '../../trpc.ts';
import { BusyButton } from '../../ui/busy-button.tsx';
import { showToast } from '../../ui/toast/toast.ts';
import { errorReason } from '../../errors/error-reason.ts';
import { formatDateTime } from '../../lib/format-date.ts';
import { TextField } from '../../ui/fields/text-field.tsx';
import classes from './account-settings.module.css';

/** The password and the second factor where people sign in with them, the devices, and the end of the account. */
export function SecuritySettings() {
  const { t } = useTranslation();
  const startup = useStartup();
  const hasPasswords = startup?.emailLoginEnabled;
  const canDelete = startup?.accountDeletionEnabled ?? true;
  const enabled = Boolean(hasPasswords);
  // At once, so that none moves what stands below it.
  const loads = [
    trpc.auth.hasPassword.useQuery(undefined, { enabled }),
    trpc.auth.factors.status.useQuery(undefined, { enabled, staleTime: 0 }),
    trpc.auth.devices.useQuery(undefined, { staleTime: 0 }),
  ];
  if (loads.some(({ isLoading }) => isLoading)) return null;
  return (
    <>
      {hasPasswords && (
        <Findable words={t('com_nav_password_change')}>
          <PasswordSettings />
        </Findable>
      )}
      {hasPasswords && (
        <Findable words={t('com_factor_title')}>
          <SecondFactorSettings />
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

/** Milliseconds: long enough to note the day. */
const NOTICE_MS = 60_000;

/** Deletes the account, confirmed by its e-mail address, so that nobody does it by a slip. */
function DeleteAccount() {
  const { t, i18n } = useTranslation();
  const titleId = useId();
  const [confirmation, setConfirmation] = useState('');
  const email = useAtomValue(session.state).user?.email ?? '';
  const remove = trpc.auth.deleteAccount.useMutation({
    onSuccess: async ({ dueAt }) => {
      await session.signOut();
      const message = t('com_account_deleted_on', { 0: formatDateTime(dueAt, i18n.language) });
      showToast({ message, severity: 'warning', duration: NOTICE_MS });
    },
  });

  function submit(event: FormEvent): void {
    event.preventDefault();
    if (!remove.isPending && confirmation !== '') remove.mutate({ confirmation });
  }

  const isWrong = errorReason(remove.error)?.type === 'invalid_credentials';
  return (
    <form className={classes.form} onSubmit={submit} aria-labelledby={titleId} noValidate>
      <h2 id={titleId} className={classes.title}>
        {t('com_account_delete')}
      </h2>
      <p className={classes.hint}>{t('com_account_delete_hint', { 0: DELETION_DAYS })}</p>
      <FailureAlert sentence={remove.error && !isWrong ? describeError(remove.error, t) : null} />
      <TextField
        isLarge
        label={t('com_account_delete_email', { 0: email })}
        value={confirmation}
        onChange={({ currentTarget }) => {
          setConfirmation(currentTarget.value);
          remove.reset();
        }}
        error={isWrong ? t('com_account_delete_wrong_email') : undefined}
        autoCapitalize="none"
        autoComplete="off"
        spellCheck={false}
        maxLength={128}
        data-testid="delete-account-confirmation"
      />
      <BusyButton
        type="submit"
        variant="danger"
        className={classes.submit}
        isBusy={remove.isPending}
        disabled={confirmation === ''}
      >
        {t('com_account_delete_confirm')}
      </BusyButton>
    </form>
  );
}
