import type { TFunction } from 'i18next';
import { useState, useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, Redirect } from 'wouter';
import type { InvitationFacts } from '@parley/schema/accounts/registration';
import { describeError } from '../errors/describe-error.ts';
import { errorReason } from '../errors/error-reason.ts';
import { useStartup, type Startup } from '../startup.ts';
import { api, trpc } from '../trpc.ts';
import { AuthPanel, Outcome } from './auth-panel.tsx';
import { session } from '../session/current-session.ts';
import { ConfirmationSent } from './confirm-email-screen.tsx';
import { describeSignUpFailure } from './describe-auth-failure.ts';
import { FailureAlert } from './failure-alert.tsx';
import type { SignUpValues } from './field-errors.ts';
import { Field, NewPasswordFields } from './field.tsx';
import { OauthButtons } from './oauth-buttons.tsx';
import { SubmitButton } from './submit-button.tsx';
import { loadFieldErrors, useForm } from './use-form.ts';
import { showFirstPerson } from './notices/first-person.ts';
import classes from './auth.module.css';

/** /register: a new account, if the site allows it or the address has an invitation. */
export function RegisterScreen() {
  const { t } = useTranslation();
  const startup = useStartup();
  const [token] = useState(readInvitation);
  const invitation = useInvitation(token);
  const [made, setMade] = useState<Unopened | null>(null);
  if (!startup || invitation.status === 'loading') return null;
  if (!startup.registrationEnabled && invitation.status === 'none') return <Redirect to="/login" replace />;
  if (invitation.status === 'failed')
    return (
      <Outcome title={t('com_auth_create_account')}>
        <FailureAlert sentence={describeError(invitation.error, t)} testId="invitation-error" />
      </Outcome>
    );
  if (made?.why === 'email_unconfirmed') return <ConfirmationSent email={made.email} />;
  // An administrator has to approve the account.
  if (made) return <Outcome title={t('com_auth_waiting')} hint={t('com_error_account_waiting')} />;
  const isInvited = invitation.status === 'valid';
  return (
    <AuthPanel {...wordsOf(isInvited, startup, t)}>
      <RegisterForm invitation={invitation} onMade={setMade} />
      <OauthButtons startup={startup} invitation={token} />
      {(!startup.awaitsFirstPerson || startup.ldap) && (
        <p className={classes.switch}>
          {t('com_auth_already_have_account')} <Link href="/login">{t('com_auth_login')}</Link>
        </p>
      )}
    </AuthPanel>
  );
}

function wordsOf(isInvited: boolean, { awaitsFirstPerson }: Startup, t: TFunction): { title: string; hint?: string } {
  if (isInvited) return { title: t('com_auth_invited'), hint: t('com_auth_invited_hint') };
  if (!awaitsFirstPerson) return { title: t('com_auth_create_account') };
  return { title: t('com_auth_first_account'), hint: t('com_auth_first_account_hint') };
}

const EMPTY: SignUpValues = { name: '', username: '', email: '', password: '', confirm_password: '' };
const loadRules = () => loadFieldErrors().then((rules) => rules.signUpErrors);

/** An account that is made and cannot be entered yet. */
interface Unopened {
  why: 'account_waiting' | 'email_unconfirmed';
  email: string;
}

/** Null where the account is open. */
async function signUp(values: SignUpValues, invitation: string | undefined): Promise<Unopened | null> {
  try {
    const form = { ...values, ...(invitation !== undefined && { invitation }) };
    const user = await session.signIn(() => api.auth.register.mutate(form));
    // Nobody else signs up as an administrator without an invitation.
    if (user.role === 'ADMIN' && invitation === undefined) showFirstPerson();
    return null;
  } catch (error) {
    const why = errorReason(error)?.type;
    if (why === 'account_waiting' || why === 'email_unconfirmed') return { why, email: values.email };
    throw error;
  }
}

function RegisterForm({ invitation, onMade }: { invitation: Invitation; onMade: (account: Unopened) => void }) {
  const { t } = useTranslation();
  const utils = trpc.useUtils();
  const { token, email } = invitation.status === 'valid' ? invitation : { token: undefined, email: null };
  const { form, field, errors, failure, isPending, canSubmit } = useForm({
    empty: { ...EMPTY, email: email ?? '' },
    loadRules,
    send: async (values) => {
      const account = await signUp(values, token);
      if (utils.endpoints.startup.getData()?.awaitsFirstPerson) void utils.endpoints.startup.invalidate();
      if (account) onMade(account);
    },
  });
  const sentence = failure ? describeSignUpFailure(failure, t) : null;
  return (
    <form {...form} className={classes.form}>
      <FailureAlert sentence={isPending ? null : sentence} testId="registration-error" />
      <Field {...field('name')} label="com_auth_full_name" error={errors.name} autoComplete="name" autoFocus />
      <Field
        {...field('username')}
        label="com_auth_username"
        error={errors.username}
        autoComplete="nickname"
        isOptional
      />
      <Field
        {...field('email')}
        type="email"
        label="com_auth_email"
        error={errors.email}
        autoComplete="username"
        readOnly={email !== null}
      />
      <NewPasswordFields field={field} errors={errors} label="com_auth_password" />
      <SubmitButton isPending={isPending} canSubmit={canSubmit} />
    </form>
  );
}

/** The token of the link that led here; it stays in the address, so that a reload loses nothing. */
function readInvitation(): string | undefined {
  return new URLSearchParams(window.location.search).get('invitation') || undefined;
}

type Invitation = { status: 'none' | 'loading' } | { status: 'failed'; error: unknown } | InvitationOk;
type InvitationOk = { status: 'valid'; token: string } & InvitationFacts;

/** What the server says of an invitation. */
function useInvitation(token: string | undefined): Invitation {
  const [invitation, setInvitation] = useState<Invitation>({ status: token === undefined ? 'none' : 'loading' });
  useEffect(() => {
    if (token === undefined) return;
    api.auth.findInvitation.mutate({ invitation: token }).then(
      (facts) => setInvitation({ status: 'valid', token, ...facts }),
      (error: unknown) => setInvitation({ status: 'failed', error }),
    );
  }, [token]);
  return invitation;
}
