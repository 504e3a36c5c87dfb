import type { NewFactor } from '@parley/schema/accounts/factors';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import authClasses from '../../../auth/auth.module.css';
import { AuthPanel } from '../../../auth/auth-panel.tsx';
import { FailureAlert } from '../../../auth/failure-alert.tsx';
import { PasskeyButton } from '../../../auth/passkeys/passkey-button.tsx';
import { canUsePasskeys, makePasskey } from '../../../auth/passkeys/passkeys.ts';
import { usePasskey } from '../../../auth/passkeys/use-passkey.ts';
import { StepUpHost } from '../../../auth/step-up/step-up-host.tsx';
import { describeError } from '../../../errors/describe-error.ts';
import { session, tellTabs } from '../../../session/current-session.ts';
import { api, trpc } from '../../../trpc.ts';
import { BusyButton } from '../../../ui/busy-button.tsx';
import { Button } from '../../../ui/button.tsx';
import { RecoveryCodeList } from './recovery-code-list.tsx';
import { ConfirmForm } from './set-up-dialog.tsx';

/** In place of the app for anyone who has to add a second factor: with it the app opens where they were going. */
export function RequiredFactorScreen() {
  const { t } = useTranslation();
  const [begun, setBegun] = useState<NewFactor | null>(null);
  const [codes, setCodes] = useState<string[] | null>(null);

  /** Null where another tab was first. */
  function keep(made: string[] | null): void {
    tellTabs('signed-in');
    if (made) setCodes(made);
    else goOn();
  }

  if (codes)
    return (
      <AuthPanel title={t('com_factor_codes_title')} hint="" isOutcome>
        <RecoveryCodeList codes={codes} onClose={goOn} />
      </AuthPanel>
    );
  return (
    <AuthPanel title={t('com_factor_required_title')} hint={t('com_factor_required_hint')}>
      <div className={authClasses.form}>
        {begun ? (
          <ConfirmForm autoFocus factor={begun} onConfirmed={keep} />
        ) : (
          <Ways onBegun={setBegun} onPasskey={keep} />
        )}
        <Button variant="subtle" onClick={() => void session.signOut()}>
          {t('com_nav_log_out')}
        </Button>
      </div>
      <StepUpHost />
    </AuthPanel>
  );
}

interface WaysProps {
  onBegun: (factor: NewFactor) => void;
  /** With the recovery codes. */
  onPasskey: (codes: string[] | null) => void;
}

function Ways({ onBegun, onPasskey }: WaysProps) {
  const { t } = useTranslation();
  const begin = trpc.auth.factors.beginApp.useMutation({ onSuccess: onBegun });
  const passkey = usePasskey(async () => {
    const attestation = await makePasskey(await api.auth.passkeys.begin.mutate());
    onPasskey(await api.auth.passkeys.add.mutate({ attestation }));
  });
  return (
    <>
      <FailureAlert sentence={begin.error ? describeError(begin.error, t) : passkey.failure} />
      <BusyButton
        variant="filled"
        size="lg"
        isBusy={begin.isPending}
        onClick={() => !begin.isPending && begin.mutate()}
      >
        {t('com_factor_use_app')}
      </BusyButton>
      {canUsePasskeys() && (
        <PasskeyButton size="lg" label={t('com_passkey_add')} isBusy={passkey.isBusy} onClick={passkey.ask} />
      )}
    </>
  );
}

/** Without a connection the button stays, to be pressed again. */
function goOn(): void {
  session.refresh().catch(() => undefined);
}
