import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import { describeError } from '../errors/describe-error.ts';
import { trpc } from '../trpc.ts';
import { BusyButton } from '../ui/busy-button.tsx';
import { buttonClasses } from '../ui/button-classes.ts';
import { AuthPanel, BackToLogin, Outcome } from './auth-panel.tsx';
import classes from './auth.module.css';
import { FailureAlert } from './failure-alert.tsx';

/** /confirm-email: proves the address. By a button: programs that look through mails follow links as well. */
export function ConfirmEmailScreen() {
  const { t } = useTranslation();
  const [token] = useState(() => new URLSearchParams(window.location.search).get('token') ?? '');
  const confirm = trpc.auth.confirmEmail.useMutation();
  if (confirm.isSuccess)
    return (
      <AuthPanel title={t('com_auth_confirmed')} hint={t('com_auth_confirmed_hint')} isOutcome>
        <Link className={buttonClasses({ variant: 'filled', size: 'lg' }, classes.next)} href="/login">
          {t('com_auth_continue')}
        </Link>
      </AuthPanel>
    );
  return (
    <AuthPanel title={t('com_auth_confirm_title')} hint={t('com_auth_confirm_hint')}>
      <div className={classes.form}>
        <FailureAlert sentence={confirm.error && !confirm.isPending ? describeError(confirm.error, t) : null} />
        <BusyButton
          variant="filled"
          size="lg"
          isBusy={confirm.isPending}
          onClick={() => !confirm.isPending && confirm.mutate({ token })}
        >
          {t('com_auth_confirm')}
        </BusyButton>
      </div>
      <BackToLogin />
    </AuthPanel>
  );
}

/** The account is made, and its address is to be confirmed. */
export function ConfirmationSent({ email }: { email: string }) {
  const { t } = useTranslation();
  return (
    <Outcome title={t('com_auth_reset_sent')} hint={t('com_auth_confirm_sent_hint', { 0: email })}>
      <div className={classes.form}>
        <ResendConfirmation email={email} />
      </div>
    </Outcome>
  );
}

/** Another mail. It says the same for every address. */
export function ResendConfirmation({ email }: { email: string }) {
  const { t } = useTranslation();
  const resend = trpc.auth.resendConfirmation.useMutation();
  return (
    <>
      <FailureAlert sentence={resend.error && !resend.isPending ? describeError(resend.error, t) : null} />
      {resend.isSuccess ? (
        <p className={classes.tagline} role="status" tabIndex={-1} ref={takeFocus}>
          {t('com_auth_confirm_resent')}
        </p>
      ) : (
        <BusyButton isBusy={resend.isPending} onClick={() => !resend.isPending && resend.mutate({ email })}>
          {t('com_auth_confirm_resend')}
        </BusyButton>
      )}
    </>
  );
}

/** In the place of the button. */
function takeFocus(sentence: HTMLElement | null): void {
  sentence?.focus();
}
