import type { FactorKind } from '@parley/schema/reasons';
import { useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { describeError } from '../../errors/describe-error.ts';
import { errorReason } from '../../errors/error-reason.ts';
import type { StepUpNeeded } from '../../session/step-up.ts';
import { api, trpc } from '../../trpc.ts';
import { BusyButton } from '../../ui/busy-button.tsx';
import { PasswordField } from '../../ui/fields/password-field.tsx';
import { TextField } from '../../ui/fields/text-field.tsx';
import { Modal } from '../../ui/modal.tsx';
import { FailureAlert } from '../failure-alert.tsx';
import { PasskeyButton } from '../passkeys/passkey-button.tsx';
import { askPasskey, canUsePasskeys } from '../passkeys/passkeys.ts';
import { usePasskey } from '../passkeys/use-passkey.ts';
import classes from './step-up.module.css';

interface StepUpDialogProps {
  needed: StepUpNeeded;
  onProven: () => void;
  onClose: () => void;
}

/** Confirms who one is before a sensitive change: by the password, a second factor, or both. */
export function StepUpDialog({ needed: { by, kinds }, onProven, onClose }: StepUpDialogProps) {
  const { t } = useTranslation();
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const prove = trpc.auth.stepUp.prove.useMutation({ onSuccess: onProven });
  const asksPassword = by !== 'factor';
  const asksFactor = by !== 'password';
  const ofPassword = asksPassword ? { password } : {};
  const passkey = usePasskey(async () => {
    prove.reset();
    const assertion = await askPasskey(await api.auth.stepUp.options.mutate());
    prove.mutate({ ...ofPassword, assertion });
  });
  const wrong = errorReason(prove.error)?.type;
  const isFieldWrong = wrong === 'invalid_credentials' || wrong === 'wrong_code';
  const sentence = prove.error && !isFieldWrong ? describeError(prove.error, t) : passkey.failure;
  const lacksPassword = asksPassword && password === '';

  function submit(event: FormEvent): void {
    event.preventDefault();
    if (!prove.isPending) prove.mutate({ ...ofPassword, ...(asksFactor && { code }) });
  }

  return (
    <Modal title={t('com_step_up_title')} onClose={onClose}>
      <form className={classes.form} onSubmit={submit} noValidate>
        <p className={classes.hint}>{t(`com_step_up_hint_${by}`)}</p>
        <FailureAlert sentence={sentence} />
        {asksPassword && (
          <PasswordField
            isLarge
            label={t('com_auth_password')}
            value={password}
            onChange={({ currentTarget }) => {
              setPassword(currentTarget.value);
              prove.reset();
            }}
            error={wrong === 'invalid_credentials' ? t('com_step_up_wrong_password') : undefined}
            autoComplete="current-password"
            maxLength={256}
            data-autofocus
          />
        )}
        {asksFactor && (
          <FactorFields
            kinds={kinds}
            code={code}
            isWrong={wrong === 'wrong_code'}
            passkey={{ ...passkey, isDisabled: lacksPassword }}
            hasFocus={!asksPassword}
            onChange={(typed) => {
              setCode(typed);
              prove.reset();
            }}
          />
        )}
        <BusyButton
          type="submit"
          variant="filled"
          isBusy={prove.isPending}
          disabled={lacksPassword || (asksFactor && code.trim() === '')}
        >
          {t('com_ui_confirm_action')}
        </BusyButton>
      </form>
    </Modal>
  );
}

interface FactorFieldsProps {
  kinds: readonly FactorKind[];
  code: string;
  isWrong: boolean;
  passkey: { ask: () => void; isBusy: boolean; isDisabled: boolean };
  hasFocus: boolean;
  onChange: (code: string) => void;
}

/** A passkey where there is one, and a code of the app or for recovery. */
function FactorFields({ kinds, code, isWrong, passkey, hasFocus, onChange }: FactorFieldsProps) {
  const { t } = useTranslation();
  return (
    <>
      {kinds.includes('passkey') && canUsePasskeys() && (
        <PasskeyButton
          label={t('com_passkey_use')}
          isBusy={passkey.isBusy}
          isDisabled={passkey.isDisabled}
          onClick={passkey.ask}
        />
      )}
      <TextField
        isLarge
        label={kinds.includes('totp') ? t('com_factor_any_code') : t('com_auth_code_recovery')}
        value={code}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
        error={isWrong ? t('com_error_wrong_code') : undefined}
        autoComplete="one-time-code"
        autoCapitalize="none"
        spellCheck={false}
        dir="ltr"
        maxLength={64}
        data-autofocus={hasFocus || undefined}
      />
    </>
  );
}
