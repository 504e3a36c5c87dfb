import type { FactorStatus } from '@parley/schema/accounts/factors';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FailureAlert } from '../../../auth/failure-alert.tsx';
import { describeError } from '../../../errors/describe-error.ts';
import { formatDateTime } from '../../../lib/format-date.ts';
import { trpc } from '../../../trpc.ts';
import { Button } from '../../../ui/button.tsx';
import classes from '../account-settings.module.css';
import { RenewCodesDialog, SwitchOffDialog } from './confirm-dialogs.tsx';
import { SetUpDialog } from './set-up-dialog.tsx';
import own from './second-factor.module.css';

type Dialog = 'setUp' | 'renewCodes' | 'switchOff';

/** Two-step sign-in: whether it is on, and what can be done about it. Nothing for an account without a password. */
export function SecondFactorSettings() {
  const { t } = useTranslation();
  const { data: hasPassword } = trpc.auth.hasPassword.useQuery();
  const { data: status, error } = trpc.auth.factors.status.useQuery(undefined, { staleTime: 0 });
  const utils = trpc.useUtils();
  const [dialog, setDialog] = useState<Dialog | null>(null);
  if (error) return <FailureAlert sentence={describeError(error, t)} />;
  if (!status || !hasPassword) return null;

  function close(): void {
    setDialog(null);
    void utils.auth.factors.status.invalidate();
  }

  return (
    <section className={classes.section} aria-labelledby="second-factor-title">
      <h2 id="second-factor-title" className={classes.title}>
        {t('com_factor_title')}
      </h2>
      {status.since === null ? (
        <>
          <p className={classes.hint}>{t('com_factor_hint')}</p>
          <Button className={own.first} onClick={() => setDialog('setUp')}>
            {t('com_factor_switch_on')}
          </Button>
        </>
      ) : (
        <SwitchedOn status={status} since={status.since} onOpen={setDialog} />
      )}
      {dialog === 'setUp' && <SetUpDialog onClose={close} />}
      {dialog === 'renewCodes' && <RenewCodesDialog onClose={close} />}
      {dialog === 'switchOff' && <SwitchOffDialog onClose={close} />}
    </section>
  );
}

interface SwitchedOnProps {
  status: FactorStatus;
  since: string;
  onOpen: (dialog: Dialog) => void;
}

function SwitchedOn({ status, since, onOpen }: SwitchedOnProps) {
  const { t, i18n } = useTranslation();
  return (
    <>
      <p className={classes.hint}>{t('com_factor_on', { 0: formatDateTime(since, i18n.language) })}</p>
      <p className={classes.hint}>{t('com_factor_codes_left', { count: status.recoveryCodesLeft })}</p>
      <div className={own.buttons}>
        <Button onClick={() => onOpen('renewCodes')}>{t('com_factor_renew')}</Button>
        <Button variant="danger" onClick={() => onOpen('switchOff')}>
          {t('com_factor_switch_off')}
        </Button>
      </div>
    </>
  );
}
