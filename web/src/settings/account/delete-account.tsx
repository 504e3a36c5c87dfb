import '../../locales/load/auth.ts';
import { useAtomValue } from 'jotai';
import { useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { Field, PasswordField } from '../../auth/field.tsx';
import { describeReason } from '../../errors/describe-reason.ts';
import { describeError } from '../../errors/describe-error.ts';
import { FailureAlert } from '../../auth/failure-alert.tsx';
import { reasonOf } from '../../errors/reason-of.ts';
import { session } from '../../session/current-session.ts';
import { api, trpc } from '../../trpc.ts';
import { BusyButton } from '../../ui/busy-button.tsx';
import { Button } from '../../ui/button.tsx';
import { showToast } from '../../ui/toast/toast.ts';
import classes from './account.module.css';

/** Asks for the password, or for the e-mail address of an account without one, and deletes the account. */
export function DeleteAccount() {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  return (
    <section className={classes.section} aria-labelledby="delete-account-title">
      <h2 id="delete-account-title" className={classes.title}>
        {t('com_account_delete')}
      </h2>
      <p className={classes.hint}>{t('com_account_delete_hint')}</p>
      {isOpen ? (
        <Proof onCancel={() => setOpen(false)} />
      ) : (
        <Button variant="danger" className={classes.submit} onClick={() => setOpen(true)}>
          {t('com_account_delete')}
        </Button>
      )}
    </section>
  );
}

function Proof({ onCancel }: { onCancel: () => void }) {
  const { t } = useTranslation();
  const email = useAtomValue(session.state).user?.email ?? '';
  const { data: hasPassword } = trpc.auth.hasPassword.useQuery();
  const [value, setValue] = useState('');
  const [failure, setFailure] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  if (hasPassword === undefined) return null;
  const isWrong = reasonOf(failure)?.type === 'invalid_credentials';
  const input = {
    name: 'proof',
    value,
    autoFocus: true,
    onChange: ({ currentTarget }: { currentTarget: HTMLInputElement }) => setValue(currentTarget.value),
  };

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    setBusy(true);
    setFailure(null);
    try {
      const { dueAt } = await api.account.remove.mutate(hasPassword ? { password: value } : { email: value });
      showToast({ message: describeReason({ type: 'account_leaving', dueAt }, t), severity: 'info', duration: 20_000 });
      await session.signOut();
    } catch (error) {
      setFailure(error);
      setBusy(false);
    }
  }

  return (
    <form ref={showWhole} className={classes.proof} noValidate onSubmit={(event) => void submit(event)}>
      <FailureAlert sentence={failure && !isWrong ? describeError(failure, t) : null} />
      <input hidden readOnly autoComplete="username" value={email} />
      {hasPassword ? (
        <PasswordField
          {...input}
          label="com_auth_password"
          error={isWrong ? 'com_nav_password_wrong' : undefined}
          autoComplete="current-password"
        />
      ) : (
        <Field
          {...input}
          type="email"
          label="com_auth_email"
          error={isWrong ? 'com_account_delete_wrong' : undefined}
          autoComplete="off"
        />
      )}
      <div className={classes.buttons}>
        <Button onClick={onCancel}>{t('com_ui_cancel')}</Button>
        <BusyButton type="submit" variant="danger-filled" isBusy={isBusy} disabled={value === ''}>
          {t('com_account_delete')}
        </BusyButton>
      </div>
    </form>
  );
}

/** Also its buttons, which are at the end of the tab. */
function showWhole(form: HTMLFormElement | null): void {
  form?.scrollIntoView({ block: 'nearest' });
}
