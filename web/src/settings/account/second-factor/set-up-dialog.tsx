import type { NewFactor } from '@parley/schema/accounts/factors';
import { useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { FailureAlert } from '../../../auth/failure-alert.tsx';
import { describeError } from '../../../errors/describe-error.ts';
import { errorReason } from '../../../errors/error-reason.ts';
import { trpc } from '../../../trpc.ts';
import { BusyButton } from '../../../ui/busy-button.tsx';
import { TextField } from '../../../ui/fields/text-field.tsx';
import { Modal } from '../../../ui/modal.tsx';
import { CurrentPasswordField } from './current-password-field.tsx';
import { QrCode } from './qr-code.tsx';
import { RecoveryCodeList } from './recovery-code-list.tsx';
import classes from './second-factor.module.css';

/** Switches two-step sign-in on: the password, a code of the app that was set up, and the recovery codes to keep. */
export function SetUpDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const [factor, setFactor] = useState<NewFactor | null>(null);
  const [codes, setCodes] = useState<string[] | null>(null);
  return (
    <Modal title={codes ? t('com_factor_codes_title') : t('com_factor_title')} onClose={onClose}>
      {codes ? (
        <RecoveryCodeList codes={codes} onClose={onClose} />
      ) : factor ? (
        <ConfirmForm factor={factor} onConfirmed={setCodes} />
      ) : (
        <PasswordForm onBegun={setFactor} />
      )}
    </Modal>
  );
}

function PasswordForm({ onBegun }: { onBegun: (factor: NewFactor) => void }) {
  const { t } = useTranslation();
  const [password, setPassword] = useState('');
  const begin = trpc.auth.factors.begin.useMutation({ onSuccess: onBegun });
  const isWrong = errorReason(begin.error)?.type === 'invalid_credentials';

  function submit(event: FormEvent): void {
    event.preventDefault();
    if (!begin.isPending) begin.mutate({ password });
  }

  return (
    <form className={classes.form} onSubmit={submit} noValidate>
      <p className={classes.hint}>{t('com_factor_password_hint')}</p>
      <FailureAlert sentence={begin.error && !isWrong ? describeError(begin.error, t) : null} />
      <CurrentPasswordField
        value={password}
        onChange={(value) => {
          setPassword(value);
          begin.reset();
        }}
        isWrong={isWrong}
      />
      <BusyButton type="submit" variant="filled" isBusy={begin.isPending} disabled={password.length < 8}>
        {t('com_auth_continue')}
      </BusyButton>
    </form>
  );
}

interface ConfirmFormProps {
  factor: NewFactor;
  onConfirmed: (codes: string[]) => void;
}

function ConfirmForm({ factor, onConfirmed }: ConfirmFormProps) {
  const { t } = useTranslation();
  const [code, setCode] = useState('');
  const confirm = trpc.auth.factors.confirm.useMutation({ onSuccess: onConfirmed });

  function submit(event: FormEvent): void {
    event.preventDefault();
    if (!confirm.isPending) confirm.mutate({ id: factor.id, code });
  }

  return (
    <form className={classes.form} onSubmit={submit} noValidate>
      <p className={classes.hint}>{t('com_factor_scan')}</p>
      <QrCode text={factor.uri} label={t('com_factor_picture')} />
      <p className={classes.hint}>{t('com_factor_by_hand')}</p>
      <code className={classes.secret} data-testid="factor-secret">
        {factor.secret.replaceAll(/.{4}(?=.)/g, '$& ')}
      </code>
      <FailureAlert sentence={confirm.error && describeError(confirm.error, t)} />
      <TextField
        isLarge
        ref={takeLostFocus}
        label={t('com_auth_code_app')}
        value={code}
        onChange={({ currentTarget }) => {
          setCode(currentTarget.value);
          confirm.reset();
        }}
        inputMode="numeric"
        autoComplete="one-time-code"
        dir="ltr"
        maxLength={16}
      />
      <BusyButton type="submit" variant="filled" isBusy={confirm.isPending} disabled={code.trim() === ''}>
        {t('com_factor_switch_on')}
      </BusyButton>
    </form>
  );
}

/** Takes the place of the button that has led here. */
function takeLostFocus(field: HTMLElement | null): void {
  if (document.activeElement === document.body) field?.focus();
}
