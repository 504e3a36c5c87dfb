import type { FactorKind } from '@parley/schema/reasons';
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
import { PasskeyButton } from '../passkeys/passkey-button.tsx';
import { askPasskey, canUsePasskeys } from '../passkeys/passkeys.ts';
import { usePasskey } from '../passkeys/use-passkey.ts';
import { SubmitButton } from '../submit-button.tsx';
import { useForm } from '../use-form.ts';

/** A sign-in whose password was right. */
export interface SecondStep {
  /** Stands for the password. */
  ticket: string;
  /** Of the second factors of the account. */
  kinds: readonly FactorKind[];
  /** Another site stands for the password. */
  isBySite?: boolean;
}

type Way = 'passkey' | 'app' | 'recovery';

const EMPTY = { code: '' };
/** The server judges: a code has no rule that its field could break. */
const loadRules = async () => () => ({});

/** The second step of signing in: a passkey, a code of the authenticator app, or one for recovery. */
export function CodeForm({ step: { ticket, kinds, isBySite }, onBack }: { step: SecondStep; onBack: () => void }) {
  const { t } = useTranslation();
  const ways = waysOf(kinds);
  const [way, setWay] = useState<Way>(ways[0] ?? 'recovery');
  const hint = way === 'passkey' ? t('com_passkey_second_hint') : t(`com_auth_code_hint_${way}`);
  return (
    <AuthPanel
      title={way === 'passkey' ? t('com_passkey_second_title') : t('com_auth_code_title')}
      hint={isBySite ? t('com_auth_code_hint_by_site') : hint}
    >
      {way === 'passkey' ? <PasskeyStep ticket={ticket} /> : <CodeField key={way} ticket={ticket} way={way} />}
      <div className={classes.otherWays}>
        {ways
          .filter((other) => other !== way)
          .map((other) => (
            <Button key={other} onClick={() => setWay(other)}>
              {other === 'passkey' ? t('com_passkey_use') : t(`com_auth_code_use_${other}`)}
            </Button>
          ))}
        <Button onClick={onBack}>{t('com_auth_code_back')}</Button>
      </div>
    </AuthPanel>
  );
}

/** What one can do here; a recovery code always. */
function waysOf(kinds: readonly FactorKind[]): Way[] {
  const ways: Way[] = [];
  if (kinds.includes('passkey') && canUsePasskeys()) ways.push('passkey');
  if (kinds.includes('totp')) ways.push('app');
  return [...ways, 'recovery'];
}

function PasskeyStep({ ticket }: { ticket: string }) {
  const { t } = useTranslation();
  const { ask, isBusy, failure } = usePasskey(async () => {
    const assertion = await askPasskey(await api.auth.factors.options.mutate({ ticket }));
    await enter(() => api.auth.factors.prove.mutate({ ticket, assertion }));
  });
  return (
    <div className={classes.form}>
      <FailureAlert sentence={failure} />
      <PasskeyButton variant="filled" size="lg" label={t('com_passkey_use')} isBusy={isBusy} onClick={ask} />
    </div>
  );
}

function CodeField({ ticket, way }: { ticket: string; way: 'app' | 'recovery' }) {
  const { t } = useTranslation();
  const isRecovery = way === 'recovery';
  const { form, field, failure, isPending } = useForm({
    empty: EMPTY,
    loadRules,
    send: ({ code }) => enter(() => api.auth.factors.prove.mutate({ ticket, code })),
  });
  const { value, ...input } = field('code');
  return (
    <form {...form} className={classes.form}>
      <FailureAlert sentence={failure && !isPending ? sentenceOf(failure) : null} />
      <TextField
        {...input}
        isLarge
        value={value}
        label={t(`com_auth_code_${way}`)}
        inputMode={isRecovery ? 'text' : 'numeric'}
        autoComplete={isRecovery ? 'off' : 'one-time-code'}
        autoCapitalize="none"
        spellCheck={false}
        dir="ltr"
        maxLength={64}
        autoFocus
      />
      <SubmitButton isPending={isPending} canSubmit={value.trim() !== ''} />
    </form>
  );

  function sentenceOf(error: unknown): string {
    return errorReason(error)?.type === 'too_many_attempts' ? t('com_auth_error_login_rl') : describeError(error, t);
  }
}
