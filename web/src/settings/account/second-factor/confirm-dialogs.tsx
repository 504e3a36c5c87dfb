import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { FailureAlert } from '../../../auth/failure-alert.tsx';
import { describeError } from '../../../errors/describe-error.ts';
import { trpc } from '../../../trpc.ts';
import { BusyButton } from '../../../ui/busy-button.tsx';
import { Modal } from '../../../ui/modal.tsx';
import { showToast } from '../../../ui/toast/toast.ts';
import { RecoveryCodeList } from './recovery-code-list.tsx';
import classes from './second-factor.module.css';

interface DialogProps {
  onClose: () => void;
}

interface SwitchOffDialogProps extends DialogProps {
  /** Of the authenticator app. */
  id: string;
  /** Whether passkeys are left for the second step. */
  isLast: boolean;
}

export function SwitchOffDialog({ id, isLast, onClose }: SwitchOffDialogProps) {
  const { t } = useTranslation();
  const remove = trpc.auth.factors.remove.useMutation({
    onSuccess: () => {
      showToast({ message: isLast ? t('com_factor_is_off') : t('com_factor_app_removed'), severity: 'success' });
      onClose();
    },
  });
  return (
    <Modal title={t('com_factor_switch_off')} onClose={onClose}>
      <Confirm
        call={remove}
        variant="danger-filled"
        verb={t('com_factor_switch_off')}
        onConfirm={() => remove.mutate({ id })}
      >
        {isLast ? t('com_factor_switch_off_hint') : t('com_factor_app_remove_hint')}
      </Confirm>
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
        <Confirm call={renew} variant="filled" verb={t('com_factor_renew')} onConfirm={() => renew.mutate()}>
          {t('com_factor_renew_hint')}
        </Confirm>
      )}
    </Modal>
  );
}

interface ConfirmProps {
  call: { error: unknown; isPending: boolean };
  variant: 'filled' | 'danger-filled';
  verb: string;
  onConfirm: () => void;
  children: ReactNode;
}

function Confirm({ call, variant, verb, onConfirm, children }: ConfirmProps) {
  const { t } = useTranslation();
  return (
    <div className={classes.form}>
      <p className="hint">{children}</p>
      <FailureAlert sentence={call.error && !call.isPending ? describeError(call.error, t) : null} />
      <BusyButton
        variant={variant}
        isBusy={call.isPending}
        onClick={() => !call.isPending && onConfirm()}
        data-autofocus
      >
        {verb}
      </BusyButton>
    </div>
  );
}
