import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Redirect } from 'wouter';
import { useStartup } from '../startup.ts';
import { api } from '../trpc.ts';
import { buttonClasses } from '../ui/button-classes.ts';
import { AuthPanel, BackToLogin, Outcome } from './auth-panel.tsx';
import classes from './auth.module.css';
import { describeResetFailure } from './describe-auth-failure.ts';
import { FailureAlert } from './failure-alert.tsx';
import type { ResetRequestValues } from './field-errors.ts';
import { Field } from './field.tsx';
import { SubmitButton } from './submit-button.tsx';
import { loadFieldErrors, useForm } from './use-form.ts';

/** /forgot-password: requests a password reset link. */
export function ForgotPasswordScreen() {
  const { t } = useTranslation();
  const startup = useStartup();
  const [link, setLink] = useState<string | null>(null);
  if (!startup) return null;
  if (!startup.emailLoginEnabled || startup.passwordResetEnabled === false) return <Redirect to="/login" replace />;
  if (link) return <ShownLink link={link} />;
  if (link === '') {
    const told = startup.emailEnabled ? 'com_auth_reset_sent' : 'com_auth_reset_by_operator';
    return <Outcome title={t(told)} hint={t(`${told}_hint`)} />;
  }
  return (
    <AuthPanel title={t('com_auth_reset_password')} hint={t('com_auth_reset_hint')}>
      <RequestForm onAnswer={setLink} />
      <BackToLogin />
    </AuthPanel>
  );
}

const EMPTY: ResetRequestValues = { email: '' };
const loadRules = () => loadFieldErrors().then((rules) => rules.resetRequestErrors);
/** Milliseconds that an error stays visible. */
const FAILURE_MS = 5_000;

/** `onAnswer` gets the link, empty if this page may not show it. */
function RequestForm({ onAnswer }: { onAnswer: (link: string) => void }) {
  const { t } = useTranslation();
  const { form, field, errors, failure, isPending, canSubmit } = useForm({
    empty: EMPTY,
    loadRules,
    send: async (values) => onAnswer((await api.auth.requestPasswordReset.mutate(values)).link),
    failureMs: FAILURE_MS,
  });
  return (
    <form {...form} className={classes.form}>
      <FailureAlert sentence={failure && !isPending ? describeResetFailure(failure, t) : null} />
      <Field
        {...field('email')}
        type="email"
        label="com_auth_email"
        error={errors.email}
        autoComplete="username"
        autoFocus
      />
      <SubmitButton isPending={isPending} canSubmit={canSubmit} />
    </form>
  );
}

function ShownLink({ link }: { link: string }) {
  const { t } = useTranslation();
  return (
    <Outcome title={t('com_auth_reset_password')} hint={t('com_auth_reset_shown_hint')}>
      <a className={buttonClasses({ variant: 'filled', size: 'lg' }, classes.next)} href={link}>
        {t('com_auth_choose_password')}
      </a>
    </Outcome>
  );
}
