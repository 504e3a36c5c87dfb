import { useState, type FormEvent, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { FailureAlert } from '../../../auth/failure-alert.tsx';
import { describeError } from '../../../errors/describe-error.ts';
import { errorReason } from '../../../errors/error-reason.ts';
import { trpc } from '../../../trpc.ts';
import { BusyButton } from '../../../ui/busy-button.tsx';
import { TextField } from '../../../ui/fields/text-field.tsx';
import { Modal } from '../../../ui/modal.tsx';
import { showToast } from '../../../ui/toast/toast.ts';
import { CurrentPasswordField } from './current-password-field.tsx';
import { RecoveryCodeList } from './recovery-code-list.tsx';
import classes from './second-factor.module.css';

interface DialogProps {
  onClose: () => void;
}

export function SwitchOffDialog({ onClose }: DialogProps) {
  const { t } = useTranslation();
  const remove = trpc.auth.factors.remove.useMutation({
    onSuccess: () => {
      showToast({ message: t('com_factor_is_off'), severity: 'success' });
      onClose();
    },
  });
  return (
    <Modal title={t('com_factor_switch_off')} onClose={onClose}>
      <BothFactorsForm call={remove} variant="danger-filled" verb={t('com_factor_switch_off')}>
        {t('com_factor_switch_off_hint')}
      </BothFactorsForm>
    </Modal>
  );
}

export function RenewCodesDialog({ onClose }: DialogProps) {
  const { t } = useTranslation();
  const renew = trpc.auth.factors.renewRecoveryCodes.useMutation();
  return (
    <Modal title={renew.data ? t('com_factor_codes_title') : t('com_factor_renew')} onClose={onClose}>
      {renew.data ? (
        <RecoveryCodeList codes={renew.data} onClose={onClose} />
      ) : (
        <BothFactorsForm call={renew} variant="filled" verb={t('com_factor_renew')}>
          {t('com_factor_renew_hint')}
        </BothFactorsForm>
      )}
    </Modal>
  );
}

interface BothFactorsFormProps {
  call: {
    error: unknown;
    isPending: boolean;
    mutate: (given: { password: string; code: string }) => void;
    reset: () => void;
  };
  variant: 'filled' | 'danger-filled';
  verb: string;
  children: ReactNode;
}

/** What weakens two-step sign-in needs the password and a code. */
function BothFactorsForm({ call, variant, verb, children }: BothFactorsFormProps) {
  const { t } = useTranslation();
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const wrong = errorReason(call.error)?.type;
  const isFieldWrong = wrong === 'invalid_credentials' || wrong === 'wrong_code';

  function submit(event: FormEvent): void {
    event.preventDefault();
    if (!call.isPending) call.mutate({ password, code });
  }

  return (
    <form className={classes.form} onSubmit={submit} noValidate>
      <p className={classes.hint}>{children}</p>
      <FailureAlert sentence={call.error && !isFieldWrong ? describeError(call.error, t) : null} />
      <CurrentPasswordField
        value={password}
        onChange={(value) => {
          setPassword(value);
          call.reset();
        }}
        isWrong={wrong === 'invalid_credentials'}
      />
      <TextField
        isLarge
        label={t('com_factor_any_code')}
        value={code}
        onChange={({ currentTarget }) => {
          setCode(currentTarget.value);
          call.reset();
        }}
        error={wrong === 'wrong_code' ? t('com_error_wrong_code') : undefined}
        autoComplete="one-time-code"
        autoCapitalize="none"
        spellCheck={false}
        dir="ltr"
        maxLength={64}
      />
      <BusyButton
        type="submit"
        variant={variant}
        isBusy={call.isPending}
        disabled={password.length < 8 || code.trim() === ''}
      >
        {verb}
      </BusyButton>
    </form>
  );
}
