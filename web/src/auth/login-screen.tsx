import type { Reason } from '@parley/schema/reasons';
import { useAtomValue } from 'jotai/react';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import { useState } from 'react';
import { describeReason } from '../errors/describe-reason.ts';
import { reasonOf } from '../errors/reason-of.ts';
import { useStartup } from '../startup.ts';
import { api } from '../trpc.ts';
import { describeOauthResult, isCancelled, useOauthResult } from './oauth-result.ts';
import { AuthPanel } from './auth-panel.tsx';
import classes from './auth.module.css';
import { session } from '../session/current-session.ts';
import { describeSignInFailure } from './describe-auth-failure.ts';
import { FailureAlert } from './failure-alert.tsx';
import type { SignInValues } from './field-errors.ts';
import { Field, PasswordField } from './field.tsx';
import { enabledOauthLogins, OauthButtons } from './oauth-buttons.tsx';
import { SubmitButton } from './submit-button.tsx';
import { lazyScreen } from '../ui/lazy/lazy-screen.tsx';
import { useForm } from './use-form.ts';

const keepAccount = lazyScreen(async () => (await import('./keep-account.tsx')).KeepAccount);

/** /login: the sign-in methods of this site. */
export function LoginScreen() {
  const { t } = useTranslation();
  const startup = useStartup();
  const oauthResult = useOauthResult();
  const ended = useAtomValue(session.state).error;
  const [refusedAt, setRefusedAt] = useState<string | null>(null);
  const leavesAt = refusedAt ?? (ended?.type === 'account_leaving' ? ended.dueAt : null);
  if (!startup) return null;
  if (leavesAt !== null) return <keepAccount.Screen dueAt={leavesAt} onLeave={() => setRefusedAt(null)} />;
  const hasNoWayIn = !startup.emailLoginEnabled && enabledOauthLogins(startup).length === 0;
  return (
    <AuthPanel title={t('com_auth_welcome_back')}>
      {hasNoWayIn && <FailureAlert sentence={t('com_auth_no_method')} />}
      {startup.emailLoginEnabled ? (
        <LoginForm oauthResult={oauthResult} onLeaving={setRefusedAt} />
      ) : (
        <OauthNotice reason={oauthResult} />
      )}
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
const loadRules = () => import('./field-errors.ts').then((rules) => rules.signInErrors);

interface LoginFormProps {
  oauthResult: Reason | null;
  /** The password is right, and the account is to be deleted at that time. */
  onLeaving: (dueAt: string) => void;
}

function LoginForm({ oauthResult, onLeaving }: LoginFormProps) {
  const { t } = useTranslation();
  const ended = useAtomValue(session.state).error;
  const { form, field, errors, failure, isPending, canSubmit } = useForm({
    empty: EMPTY,
    loadRules,
    send: async (values) => {
      try {
        await session.signIn(() => api.auth.login.mutate(values));
      } catch (error) {
        const reason = reasonOf(error);
        if (reason?.type !== 'account_leaving') throw error;
        onLeaving(reason.dueAt);
      }
    },
  });
  const isUnsent = !failure && !isPending;
  const sentence = failure ? describeSignInFailure(failure, t) : ended && describeReason(ended, t);
  return (
    <form {...form} className={classes.form}>
      {isUnsent && oauthResult ? (
        <OauthNotice reason={oauthResult} />
      ) : (
        <FailureAlert sentence={isPending ? null : sentence} />
      )}
      <Field
        {...field('email')}
        type="email"
        label="com_auth_email"
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
      <Link className={classes.forgot} href="/forgot-password">
        {t('com_auth_password_forgot')}
      </Link>
      <SubmitButton isPending={isPending} canSubmit={canSubmit} />
    </form>
  );
}
