import type { FactorStatus, NewFactor } from '@parley/schema/accounts/factors';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FailureAlert } from '../../../auth/failure-alert.tsx';
import { describeError } from '../../../errors/describe-error.ts';
import { formatDateTime } from '../../../lib/format-date.ts';
import { trpc } from '../../../trpc.ts';
import { BusyButton } from '../../../ui/busy-button.tsx';
import { Button } from '../../../ui/button.tsx';
import { Modal } from '../../../ui/modal.tsx';
import classes from '../account-settings.module.css';
import { RenewCodesDialog, SwitchOffDialog } from './confirm-dialogs.tsx';
import { PasskeySettings } from './passkey-settings.tsx';
import { RecoveryCodeList } from './recovery-code-list.tsx';
import { SetUpDialog } from './set-up-dialog.tsx';
import own from './second-factor.module.css';
import { ButtonRow } from '../../../ui/primitives/button-row.tsx';

/** The second step of signing in: an authenticator app, passkeys, and the codes that stand in for them. */
export function SecondFactorSettings() {
  const { t } = useTranslation();
  const { data: status, error } = trpc.auth.factors.status.useQuery(undefined, { staleTime: 0 });
  const utils = trpc.useUtils();
  const [codes, setCodes] = useState<string[] | null>(null);
  if (error) return <FailureAlert sentence={describeError(error, t)} />;
  if (!status) return null;

  function reload(): void {
    void utils.auth.factors.status.invalidate();
  }

  return (
    <>
      <AppSettings status={status} onChange={reload} />
      <PasskeySettings
        passkeys={status.passkeys}
        onChange={(made) => {
          setCodes(made);
          reload();
        }}
      />
      {(status.app || status.passkeys.length > 0) && (
        <RecoveryCodes left={status.recoveryCodesLeft} onChange={reload} />
      )}
      {codes && (
        <Modal title={t('com_factor_codes_title')} onClose={() => setCodes(null)}>
          <RecoveryCodeList codes={codes} onClose={() => setCodes(null)} />
        </Modal>
      )}
    </>
  );
}

function AppSettings({ status: { app, passkeys }, onChange }: { status: FactorStatus; onChange: () => void }) {
  const { t, i18n } = useTranslation();
  const [begun, setBegun] = useState<NewFactor | null>(null);
  const [isEnding, setEnding] = useState(false);
  const begin = trpc.auth.factors.beginApp.useMutation({ onSuccess: setBegun });
  return (
    <section className={classes.section} aria-labelledby="second-factor-title">
      <h2 id="second-factor-title" className={classes.title}>
        {t('com_factor_title')}
      </h2>
      <p className={classes.hint}>
        {app ? t('com_factor_on', { 0: formatDateTime(app.since, i18n.language) }) : t('com_factor_hint')}
      </p>
      <FailureAlert sentence={begin.error && describeError(begin.error, t)} />
      <ButtonRow className={own.buttons}>
        {app ? (
          <Button variant="danger" onClick={() => setEnding(true)}>
            {t('com_factor_switch_off')}
          </Button>
        ) : (
          <BusyButton isBusy={begin.isPending} onClick={() => !begin.isPending && begin.mutate()}>
            {t('com_factor_switch_on')}
          </BusyButton>
        )}
      </ButtonRow>
      {begun && (
        <SetUpDialog
          factor={begun}
          onClose={() => {
            setBegun(null);
            onChange();
          }}
        />
      )}
      {isEnding && app && (
        <SwitchOffDialog
          id={app.id}
          isLast={passkeys.length === 0}
          onClose={() => {
            setEnding(false);
            onChange();
          }}
        />
      )}
    </section>
  );
}

function RecoveryCodes({ left, onChange }: { left: number; onChange: () => void }) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  return (
    <section className={classes.section} aria-labelledby="recovery-codes-title">
      <h2 id="recovery-codes-title" className={classes.title}>
        {t('com_factor_codes_title')}
      </h2>
      <p className={classes.hint}>{t('com_factor_codes_left', { count: left })}</p>
      <ButtonRow className={own.buttons}>
        <Button onClick={() => setOpen(true)}>{t('com_factor_renew')}</Button>
      </ButtonRow>
      {isOpen && (
        <RenewCodesDialog
          onClose={() => {
            setOpen(false);
            onChange();
          }}
        />
      )}
    </section>
  );
}
