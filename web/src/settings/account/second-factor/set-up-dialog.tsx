import type { NewFactor } from '@parley/schema/accounts/factors';
import { useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { FailureAlert } from '../../../auth/failure-alert.tsx';
import { describeError } from '../../../errors/describe-error.ts';
import { trpc } from '../../../trpc.ts';
import { BusyButton } from '../../../ui/busy-button.tsx';
import { TextField } from '../../../ui/fields/text-field.tsx';
import { Modal } from '../../../ui/modal.tsx';
import { RecoveryCodeList } from './recovery-code-list.tsx';
import classes from './second-factor.module.css';
import { encode } from 'uqr';

/** Sets an authenticator app up: a code of it, and the recovery codes to keep if it is the first second factor. */
export function SetUpDialog({ factor, onClose }: { factor: NewFactor; onClose: () => void }) {
  const { t } = useTranslation();
  const [codes, setCodes] = useState<string[] | null>(null);
  return (
    <Modal title={codes ? t('com_factor_codes_title') : t('com_factor_title')} onClose={onClose}>
      {codes ? (
        <RecoveryCodeList codes={codes} onClose={onClose} />
      ) : (
        <ConfirmForm factor={factor} onConfirmed={(made) => (made ? setCodes(made) : onClose())} />
      )}
    </Modal>
  );
}

interface ConfirmFormProps {
  /** Outside a dialog, which gives the focus itself. */
  autoFocus?: boolean;
  factor: NewFactor;
  onConfirmed: (codes: string[] | null) => void;
}

/** Sets it up: its picture, and a code that it shows. */
export function ConfirmForm({ autoFocus, factor, onConfirmed }: ConfirmFormProps) {
  const { t } = useTranslation();
  const [code, setCode] = useState('');
  const confirm = trpc.auth.factors.confirmApp.useMutation({ onSuccess: onConfirmed });

  function submit(event: FormEvent): void {
    event.preventDefault();
    if (!confirm.isPending) confirm.mutate({ id: factor.id, code });
  }

  return (
    <form className={classes.form} onSubmit={submit} noValidate>
      <p className="hint">{t('com_factor_scan')}</p>
      <QrCode text={factor.uri} label={t('com_factor_picture')} />
      <p className="hint">{t('com_factor_by_hand')}</p>
      <code className={classes.secret} data-testid="factor-secret">
        {factor.secret.replaceAll(/.{4}(?=.)/g, '$& ')}
      </code>
      <FailureAlert sentence={confirm.error && describeError(confirm.error, t)} />
      <TextField
        isLarge
        autoFocus={autoFocus}
        data-autofocus
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

/** Modules of light around the code, which its readers need. */
const BORDER = 4;

/** A picture that a phone's camera reads. Dark on light in both themes: many readers know no other. */
function QrCode({ text, label }: { text: string; label: string }) {
  const { data, size } = encode(text, { border: BORDER });
  const path = data.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : ''))).join('');
  return (
    <svg className={classes.picture} viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label}>
      <path d={path} shapeRendering="crispEdges" />
    </svg>
  );
}
