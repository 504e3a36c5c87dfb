import { DELETION_DAYS } from '@parley/schema/accounts/deletion-days';
import { useAtomValue } from 'jotai';
import { useId, useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { FailureAlert } from '../../auth/failure-alert.tsx';
import { describeError } from '../../errors/describe-error.ts';
import { errorReason } from '../../errors/error-reason.ts';
import { formatDateTime } from '../../lib/format-date.ts';
import { session } from '../../session/current-session.ts';
import { trpc } from '../../trpc.ts';
import { BusyButton } from '../../ui/busy-button.tsx';
import { TextField } from '../../ui/fields/text-field.tsx';
import { showToast } from '../../ui/toast/toast.ts';
import classes from './account-settings.module.css';

/** Milliseconds: long enough to note the day. */
const NOTICE_MS = 60_000;

/** Deletes the account, confirmed by its e-mail address, so that nobody does it by a slip. */
export function DeleteAccount() {
  const { t, i18n } = useTranslation();
  const titleId = useId();
  const [confirmation, setConfirmation] = useState('');
  const email = useAtomValue(session.state).user?.email ?? '';
  const remove = trpc.auth.deleteAccount.useMutation({
    onSuccess: async ({ dueAt }) => {
      await session.signOut();
      const message = t('com_account_deleted_on', { 0: formatDateTime(dueAt, i18n.language) });
      showToast({ message, severity: 'warning', duration: NOTICE_MS });
    },
  });

  function submit(event: FormEvent): void {
    event.preventDefault();
    if (!remove.isPending && confirmation !== '') remove.mutate({ confirmation });
  }

  const isWrong = errorReason(remove.error)?.type === 'invalid_credentials';
  return (
    <form className={classes.form} onSubmit={submit} aria-labelledby={titleId} noValidate>
      <h2 id={titleId} className={classes.title}>
        {t('com_account_delete')}
      </h2>
      <p className={classes.hint}>{t('com_account_delete_hint', { 0: DELETION_DAYS })}</p>
      <FailureAlert sentence={remove.error && !isWrong ? describeError(remove.error, t) : null} />
      <TextField
        isLarge
        label={t('com_account_delete_email', { 0: email })}
        value={confirmation}
        onChange={({ currentTarget }) => {
          setConfirmation(currentTarget.value);
          remove.reset();
        }}
        error={isWrong ? t('com_account_delete_wrong_email') : undefined}
        autoCapitalize="none"
        autoComplete="off"
        spellCheck={false}
        maxLength={128}
        data-testid="delete-account-confirmation"
      />
      <BusyButton
        type="submit"
        variant="danger"
        className={classes.submit}
        isBusy={remove.isPending}
        disabled={confirmation === ''}
      >
        {t('com_account_delete_confirm')}
      </BusyButton>
    </form>
  );
}
