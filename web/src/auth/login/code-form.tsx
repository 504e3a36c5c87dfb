import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { describeError } from '../../errors/describe-error.ts';
import { errorReason } from '../../errors/error-reason.ts';
import { api } from '../../trpc.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/fields/text-field.tsx';
import classes from '../auth.module.css';
import { AuthPanel } from '../auth-panel.tsx';
import { enter } from './enter.ts';
import { FailureAlert } from '../failure-alert.tsx';
import { SubmitButton } from '../submit-button.tsx';
import { useForm } from '../use-form.ts';

interface CodeFormProps {
  /** Stands for the password that was right. */
  ticket: string;
  onBack: () => void;
}

const EMPTY = { code: '' };
/** The server judges: a code has no rule that its field could break. */
const loadRules = async () => () => ({});

/** The second step of signing in: a code of the authenticator app, or one for recovery. */
export function CodeForm({ ticket, onBack }: CodeFormProps) {
  const { t } = useTranslation();
  const [isRecovery, setRecovery] = useState(false);
  const { form, field, failure, isPending } = useForm({
    empty: EMPTY,
    loadRules,
    send: ({ code }) => enter(() => api.auth.factors.prove.mutate({ ticket, code })),
  });
  const { value, ...input } = field('code');
  const kind = isRecovery ? 'recovery' : 'app';
  return (
    <AuthPanel title={t('com_auth_code_title')} hint={t(`com_auth_code_hint_${kind}`)}>
      <form {...form} className={classes.form}>
        <FailureAlert sentence={failure && !isPending ? sentenceOf(failure) : null} />
        <TextField
          {...input}
          key={kind}
          isLarge
          value={value}
          label={t(`com_auth_code_${kind}`)}
          inputMode={isRecovery ? 'text' : 'numeric'}
          autoComplete={isRecovery ? 'off' : 'one-time-code'}
          autoCapitalize="none"
          spellCheck={false}
          dir="ltr"
          maxLength={64}
          autoFocus
        />
        <SubmitButton isPending={isPending} canSubmit={value.trim() !== ''} />
        <Button onClick={() => setRecovery(!isRecovery)}>
          {isRecovery ? t('com_auth_code_use_app') : t('com_auth_code_use_recovery')}
        </Button>
        <Button onClick={onBack}>{t('com_auth_code_back')}</Button>
      </form>
    </AuthPanel>
  );

  function sentenceOf(error: unknown): string {
    return errorReason(error)?.type === 'too_many_attempts' ? t('com_auth_error_login_rl') : describeError(error, t);
  }
}
