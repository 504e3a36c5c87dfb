import { useTranslation } from 'react-i18next';
import { Link, Redirect } from 'wouter';
import { useStartup } from '../startup.ts';
import { api } from '../trpc.ts';
import { AuthPanel } from './auth-panel.tsx';
import classes from './auth.module.css';
import { session } from '../session/current-session.ts';
import { describeSignUpFailure } from './describe-auth-failure.ts';
import { FailureAlert } from './failure-alert.tsx';
import type { SignUpValues } from './field-errors.ts';
import { Field, PasswordField } from './field.tsx';
import { OauthButtons } from './oauth-buttons.tsx';
import { SubmitButton } from './submit-button.tsx';
import { useForm } from './use-form.ts';
import { loadFieldErrors } from './load-field-errors.ts';
import { showFirstPerson } from './notices/first-person.ts';

/** /register: a new account, if the site allows it. */
export function RegisterScreen() {
  const { t } = useTranslation();
  const startup = useStartup();
  if (!startup) return null;
  if (!startup.registrationEnabled) return <Redirect to="/login" replace />;
  return (
    <AuthPanel title={t('com_auth_create_account')}>
      <RegisterForm />
      <OauthButtons startup={startup} />
      <p className={classes.switch}>
        {t('com_auth_already_have_account')} <Link href="/login">{t('com_auth_login')}</Link>
      </p>
    </AuthPanel>
  );
}

const EMPTY: SignUpValues = { name: '', username: '', email: '', password: '', confirm_password: '' };
const loadRules = () => loadFieldErrors().then((rules) => rules.signUpErrors);

async function signUp(values: SignUpValues): Promise<void> {
  const user = await session.signIn(() => api.auth.register.mutate(values));
  // Nobody else signs up as an administrator.
  if (user.role === 'ADMIN') showFirstPerson();
}

function RegisterForm() {
  const { t } = useTranslation();
  const { form, field, errors, failure, isPending, canSubmit } = useForm({
    empty: EMPTY,
    loadRules,
    send: signUp,
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
      <Field {...field('email')} type="email" label="com_auth_email" error={errors.email} autoComplete="username" />
      <PasswordField
        {...field('password')}
        label="com_auth_password"
        error={errors.password}
        autoComplete="new-password"
      />
      <PasswordField
        {...field('confirm_password')}
        label="com_auth_password_confirm"
        error={errors.confirm_password}
        autoComplete="new-password"
      />
      <SubmitButton isPending={isPending} canSubmit={canSubmit} />
    </form>
  );
}
