import { asFields } from '@parley/schema/json';
import { useLayoutEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, Redirect } from 'wouter';
import { describeError } from '../errors/describe-error.ts';
import { errorReason } from '../errors/error-reason.ts';
import { useStartup } from '../startup.ts';
import { api } from '../trpc.ts';
import { buttonClasses } from '../ui/button-classes.ts';
import { AuthPanel } from './auth-panel.tsx';
import classes from './auth.module.css';
import { session } from '../session/current-session.ts';
import { FailureAlert } from './failure-alert.tsx';
import type { NewPasswordValues } from './field-errors.ts';
import { NewPasswordFields } from './field.tsx';
import { SubmitButton } from './submit-button.tsx';
import { loadFieldErrors, useForm } from './use-form.ts';

/** /reset-password: sets a new password with the link in the address, also while signed in. */
export function ResetPasswordScreen() {
  const { t } = useTranslation();
  const startup = useStartup();
  const [link] = useState(readResetLink);
  const [outcome, setOutcome] = useState<'done' | 'invalid' | null>(null);
  useLayoutEffect(() => hideResetLink(link), [link]);
  if (!startup) return null;
  if (!startup.emailLoginEnabled) return <Redirect to="/login" replace />;
  if (outcome === 'done') return <Done />;
  if (outcome === 'invalid') return <BadLink sentences={[t('com_auth_error_invalid_reset_token')]} isOutcome />;
  const missing = [
    ...(link.token ? [] : [t('com_auth_error_no_reset_token')]),
    ...(link.userId ? [] : [t('com_auth_error_no_reset_user')]),
  ];
  if (missing.length > 0) return <BadLink sentences={missing} hint={t('com_auth_reset_whole_link')} />;
  return (
    <AuthPanel title={t('com_auth_reset_password')} hint={t('com_auth_new_password_hint')}>
      <NewPasswordForm link={link} onEnd={setOutcome} />
    </AuthPanel>
  );
}

const EMPTY: NewPasswordValues = { password: '', confirm_password: '' };
const loadRules = () => loadFieldErrors().then((rules) => rules.newPasswordErrors);

function NewPasswordForm({ link, onEnd }: { link: ResetLink; onEnd: (outcome: 'done' | 'invalid') => void }) {
  const { t } = useTranslation();
  const { form, field, errors, failure, isPending, canSubmit } = useForm({
    empty: EMPTY,
    loadRules,
    send: async (values) => onEnd(await choose(link, values)),
  });
  return (
    <form {...form} className={classes.form}>
      <FailureAlert sentence={failure && !isPending ? describeError(failure, t) : null} />
      <NewPasswordFields field={field} errors={errors} autoFocus />
      <SubmitButton isPending={isPending} canSubmit={canSubmit} />
    </form>
  );
}

/** Throws on a failure after which the link may still be valid. */
async function choose(link: ResetLink, values: NewPasswordValues): Promise<'done' | 'invalid'> {
  try {
    await api.auth.resetPassword.mutate({ ...link, ...values });
  } catch (error) {
    if (errorReason(error)?.type === 'invalid_reset_token') return 'invalid';
    throw error;
  }
  forgetResetLink();
  // The server has ended this session too; tell the other tabs right away.
  if (session.get().user?.id === link.userId) void session.signOut();
  return 'done';
}

function Done() {
  const { t } = useTranslation();
  return (
    <AuthPanel title={t('com_auth_reset_done')} hint={t('com_auth_reset_done_hint')} isOutcome>
      <Link className={buttonClasses({ variant: 'filled', size: 'lg' }, classes.next)} href="/login">
        {t('com_auth_continue')}
      </Link>
    </AuthPanel>
  );
}

function BadLink({ sentences, hint, isOutcome }: { sentences: string[]; hint?: string; isOutcome?: boolean }) {
  const { t } = useTranslation();
  return (
    <AuthPanel title={t('com_auth_reset_password')} hint={hint} isOutcome={isOutcome}>
      <div className={classes.form}>
        {sentences.map((sentence) => (
          <FailureAlert key={sentence} sentence={sentence} />
        ))}
      </div>
      <p className={classes.switch}>
        <Link href="/forgot-password">{t('com_auth_reset_again')}</Link>
      </p>
    </AuthPanel>
  );
}

interface ResetLink {
  /** Empty if the address has none. */
  token: string;
  userId: string;
}

/** The password reset link. It leaves the address bar, and so the browser's history, as soon as the page has read it. The tab's history entry keeps it: a reload, or a phone that discards a background tab, must not lose a link that is valid for half an hour. */
function readResetLink(): ResetLink {
  const { search } = window.location;
  return search === '' ? storedLink() : linkIn(Object.fromEntries(new URLSearchParams(search)));
}

function hideResetLink(link: ResetLink): void {
  window.history.replaceState({ resetLink: link }, '', window.location.pathname);
}

/** Call once the link is used. */
function forgetResetLink(): void {
  window.history.replaceState(null, '', window.location.pathname);
}

function storedLink(): ResetLink {
  const state: unknown = window.history.state;
  return linkIn(asFields(state).resetLink);
}

function linkIn(value: unknown): ResetLink {
  const { token, userId } = asFields(value);
  return { token: typeof token === 'string' ? token : '', userId: typeof userId === 'string' ? userId : '' };
}
