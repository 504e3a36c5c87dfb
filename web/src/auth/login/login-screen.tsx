import { FACTOR_KINDS, type Reason } from '@parley/schema/reasons';
import { useAtomValue } from 'jotai/react';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import { errorReason } from '../../errors/error-reason.ts';
import { useStartup, type Startup } from '../../startup.ts';
import { api } from '../../trpc.ts';
import { describeOauthResult, isCancelled, useOauthResult } from '../oauth-result.ts';
import { CodeForm, type SecondStep } from './code-form.tsx';
import { enter } from './enter.ts';
import { PasskeySignIn } from './passkey-sign-in.tsx';
import { AuthPanel } from '../auth-panel.tsx';
import classes from '../auth.module.css';
import { session } from '../../session/current-session.ts';
import { FailureAlert } from '../failure-alert.tsx';
import type { SignInValues } from '../field-errors.ts';
import { Field, PasswordField } from '../field.tsx';
import { enabledOauthLogins, OauthButtons } from '../oauth-buttons.tsx';
import { SubmitButton } from '../submit-button.tsx';
import { loadFieldErrors, useForm } from '../use-form.ts';
import { describeReason } from '../../errors/describe-reason.ts';
import { ResendConfirmation } from '../confirm-email-screen.tsx';
import { describeSignInFailure } from '../describe-auth-failure.ts';

/** Where another site has sent somebody who has a second factor. */
function stepInAddress(): SecondStep | null {
  const given = new URLSearchParams(window.location.hash.slice(1));
  const ticket = given.get('ticket');
  if (!ticket) return null;
  return { ticket, kinds: FACTOR_KINDS.filter((kind) => given.get('kinds')?.includes(kind)), isBySite: true };
}

/** /login: the sign-in methods of this site. */
export function LoginScreen() {
  const { t } = useTranslation();
  const startup = useStartup();
  const oauthResult = useOauthResult();
  const [step, setStep] = useState(stepInAddress);
  useEffect(() => {
    if (step?.isBySite) window.history.replaceState(window.history.state, '', window.location.pathname);
  }, [step]);
  if (!startup) return null;
  if (step) return <CodeForm step={step} onBack={() => setStep(null)} />;
  const hasNoWayIn = !startup.emailLoginEnabled && enabledOauthLogins(startup).length === 0;
  return (
    <AuthPanel title={t('com_auth_welcome_back')}>
      {hasNoWayIn && <FailureAlert sentence={t('com_auth_no_method')} />}
      {startup.emailLoginEnabled ? (
        <LoginForm startup={startup} oauthResult={oauthResult} onStep={setStep} />
      ) : (
        <OauthNotice reason={oauthResult} />
      )}
      {startup.emailLoginEnabled && <PasskeySignIn />}
      <OauthButtons startup={startup} />
      {startup.registrationEnabled && (
        <p className={classes.switch}>
          {t('com_auth_no_account')} <Link href="/register">{t('com_auth_sign_up')}</Link>
        </p>
      )}
    </AuthPanel>
  );
}

function OauthNotice({ reason }: { reason: Reason | null }) {
  const { t } = useTranslation();
  return (
    <FailureAlert
      sentence={reason && describeOauthResult(reason, t)}
      isQuiet={reason !== null && isCancelled(reason)}
    />
  );
}

const EMPTY: SignInValues = { email: '', password: '' };
const RULES = {
  account: () => loadFieldErrors().then((rules) => rules.signInErrors),
  directory: () => loadFieldErrors().then((rules) => rules.directorySignInErrors),
  username: () => loadFieldErrors().then((rules) => rules.usernameSignInErrors),
};

interface LoginFormProps {
  startup: Startup;
  oauthResult: Reason | null;
  /** The password is right, and the account asks for a second step as well. */
  onStep: (step: SecondStep) => void;
}

function LoginForm({ startup, oauthResult, onStep }: LoginFormProps) {
  const { t } = useTranslation();
  const ended = useAtomValue(session.state).error;
  const { ldap } = startup;
  const hasUsernames = ldap?.username === true;
  const { form, field, errors, failure, isPending, canSubmit } = useForm({
    empty: EMPTY,
    loadRules: hasUsernames ? RULES.username : ldap ? RULES.directory : RULES.account,
    send: (values) => enter(() => api.auth.login.mutate(values)).catch(goOn),
  });

  function goOn(error: unknown): void {
    const reason = errorReason(error);
    if (reason?.type !== 'factor_needed') throw error;
    onStep(reason);
  }

  const isUnsent = !failure && !isPending;
  return (
    <form {...form} className={classes.form}>
      {isUnsent && oauthResult ? (
        <OauthNotice reason={oauthResult} />
      ) : (
        !isPending && <LoginFailure failure={failure} ended={ended} email={field('email').value} />
      )}
      <Field
        {...field('email')}
        type={hasUsernames ? 'text' : 'email'}
        label={hasUsernames ? 'com_auth_login_username' : 'com_auth_email'}
        error={errors.email}
        autoComplete="username"
        autoFocus
      />
      <PasswordField
        {...field('password')}
        label="com_auth_password"
        error={errors.password}
        autoComplete="current-password"
      />
      {startup.passwordResetEnabled !== false && (
        <Link className={classes.forgot} href="/forgot-password">
          {t('com_auth_password_forgot')}
        </Link>
      )}
      <SubmitButton isPending={isPending} canSubmit={canSubmit} />
    </form>
  );
}

interface LoginFailureProps {
  failure: unknown;
  /** Why the session before has ended. */
  ended: Reason | null;
  /** That was typed. */
  email: string;
}

/** Why one is not signed in, and what can be done about it. */
function LoginFailure({ failure, ended, email }: LoginFailureProps) {
  const { t } = useTranslation();
  if (!failure) return <FailureAlert sentence={ended && describeReason(ended, t)} />;
  return (
    <>
      <FailureAlert sentence={describeSignInFailure(failure, t)} />
      {errorReason(failure)?.type === 'email_unconfirmed' && <ResendConfirmation email={email} />}
    </>
  );
}
