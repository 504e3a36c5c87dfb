import type { Passkey } from '@parley/schema/accounts/factors';
import { PASSKEY_NAME_MAX } from '@parley/schema/accounts/passkey-rules';
import { useId, useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { FailureAlert } from '../../../auth/failure-alert.tsx';
import { canUsePasskeys, makePasskey } from '../../../auth/passkeys/passkeys.ts';
import { PasskeyButton } from '../../../auth/passkeys/passkey-button.tsx';
import { usePasskey } from '../../../auth/passkeys/use-passkey.ts';
import { relativeTime } from '../../../chat/message-time/relative-time.ts';
import { describeError } from '../../../errors/describe-error.ts';
import { api, trpc } from '../../../trpc.ts';
import { SaveButton } from '../../../ui/busy-button.tsx';
import { Button } from '../../../ui/button.tsx';
import { TextField } from '../../../ui/fields/text-field.tsx';
import { Modal } from '../../../ui/modal.tsx';
import { showToast } from '../../../ui/toast/toast.ts';
import { TwoClickButton } from '../../../ui/two-click-button.tsx';
import { Setting } from '../../setting.tsx';
import classes from '../account-settings.module.css';
import own from './second-factor.module.css';
import { ButtonRow } from '../../../ui/primitives/button-row.tsx';
import { useShowError } from '../../../ui/toast/use-show-error.ts';

interface PasskeySettingsProps {
  passkeys: readonly Passkey[];
  /** With the recovery codes of the first second factor. */
  onChange: (codes: string[] | null) => void;
}

/** The passkeys, and a way to add one where the browser has them. */
export function PasskeySettings({ passkeys, onChange }: PasskeySettingsProps) {
  const { t } = useTranslation();
  const canAdd = canUsePasskeys();
  const add = usePasskey(async () => {
    const attestation = await makePasskey(await api.auth.passkeys.begin.mutate());
    const codes = await api.auth.passkeys.add.mutate({ attestation });
    showToast({ message: t('com_passkey_added'), severity: 'success' });
    onChange(codes);
  });
  return (
    <section className={classes.section} aria-labelledby="passkeys-title">
      <h2 id="passkeys-title" className={classes.title}>
        {t('com_passkey_title')}
      </h2>
      <p className={classes.hint}>{t('com_passkey_hint')}</p>
      {passkeys.map((passkey) => (
        <PasskeyRow key={passkey.id} passkey={passkey} onChange={() => onChange(null)} />
      ))}
      <FailureAlert sentence={add.failure} />
      {canAdd ? (
        <ButtonRow className={own.buttons}>
          <PasskeyButton label={t('com_passkey_add')} isBusy={add.isBusy} onClick={add.ask} />
        </ButtonRow>
      ) : (
        <p className={classes.hint}>{t('com_passkey_not_here')}</p>
      )}
    </section>
  );
}

function PasskeyRow({ passkey, onChange }: { passkey: Passkey; onChange: () => void }) {
  const { t, i18n } = useTranslation();
  const showError = useShowError();
  const id = useId();
  const [isNaming, setNaming] = useState(false);
  const [now] = useState(() => Date.now());
  const name = passkey.name || t('com_passkey_unnamed');
  const used = passkey.lastUsedAt && relativeTime(passkey.lastUsedAt, i18n.language, now);

  async function remove(): Promise<void> {
    try {
      await api.auth.factors.remove.mutate({ id: passkey.id });
      showToast({ message: t('com_passkey_removed'), severity: 'success' });
    } catch (error) {
      showError(error);
    }
    onChange();
  }

  return (
    <Setting name={name} nameId={id} hint={used ? t('com_passkey_used', { 0: used }) : t('com_passkey_unused')}>
      <div className={own.rowButtons}>
        <Button size="sm" aria-describedby={id} onClick={() => setNaming(true)}>
          {t('com_ui_rename')}
        </Button>
        <TwoClickButton label={t('com_ui_revoke')} confirm={t('com_ui_confirm_action')} describedBy={id} run={remove} />
      </div>
      {isNaming && (
        <RenameDialog
          passkey={passkey}
          onClose={() => {
            setNaming(false);
            onChange();
          }}
        />
      )}
    </Setting>
  );
}

function RenameDialog({ passkey: { id, name: before }, onClose }: { passkey: Passkey; onClose: () => void }) {
  const { t } = useTranslation();
  const [name, setName] = useState(before);
  const rename = trpc.auth.passkeys.rename.useMutation({ onSuccess: onClose });

  function submit(event: FormEvent): void {
    event.preventDefault();
    if (!rename.isPending && name.trim() !== '') rename.mutate({ id, name });
  }

  return (
    <Modal title={t('com_passkey_rename')} onClose={onClose}>
      <form className={own.form} onSubmit={submit} noValidate>
        <FailureAlert sentence={rename.error && describeError(rename.error, t)} />
        <TextField
          isLarge
          label={t('com_program_keys_name')}
          value={name}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
          maxLength={PASSKEY_NAME_MAX}
          data-autofocus
        />
        <SaveButton isBusy={rename.isPending} disabled={name.trim() === ''} />
      </form>
    </Modal>
  );
}
