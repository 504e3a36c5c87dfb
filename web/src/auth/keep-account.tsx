import '../locales/load/account.ts';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { describeError } from '../errors/describe-error.ts';
import { formatDateTime } from '../lib/format-date.ts';
import { session } from '../session/current-session.ts';
import { api } from '../trpc.ts';
import { BusyButton } from '../ui/busy-button.tsx';
import { Button } from '../ui/button.tsx';
import { AuthPanel } from './auth-panel.tsx';
import classes from './auth.module.css';
import { FailureAlert } from './failure-alert.tsx';

interface KeepAccountProps {
  dueAt: string;
  onLeave: () => void;
}

/** After signing in to an account that is about to be deleted: keep it, or leave it at that. */
export function KeepAccount({ dueAt, onLeave }: KeepAccountProps) {
  const { t, i18n } = useTranslation();
  const [failure, setFailure] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);

  async function keep(): Promise<void> {
    setBusy(true);
    setFailure(null);
    await session.signIn(() => api.account.keep.mutate()).catch(setFailure);
    setBusy(false);
  }

  async function leave(): Promise<void> {
    await session.signOut();
    onLeave();
  }

  return (
    <AuthPanel
      title={t('com_account_leaving')}
      hint={t('com_account_leaving_text', { 0: formatDateTime(dueAt, i18n.language) })}
      isOutcome
    >
      <div className={classes.form}>
        <FailureAlert sentence={failure ? describeError(failure, t) : null} />
        <BusyButton variant="filled" isBusy={isBusy} onClick={() => void keep()}>
          {t('com_account_keep')}
        </BusyButton>
        <Button onClick={() => void leave()}>{t('com_account_leave')}</Button>
      </div>
    </AuthPanel>
  );
}
