import { useTranslation } from 'react-i18next';
import { api } from '../../trpc.ts';
import { FailureAlert } from '../failure-alert.tsx';
import { PasskeyButton } from '../passkeys/passkey-button.tsx';
import { askPasskey, canUsePasskeys } from '../passkeys/passkeys.ts';
import { usePasskey } from '../passkeys/use-passkey.ts';
import { enter } from './enter.ts';
import classes from '../auth.module.css';

/** A passkey instead of address and password. Nothing where the browser has none. */
export function PasskeySignIn() {
  const { t } = useTranslation();
  const { ask, isBusy, failure } = usePasskey(async () => {
    const assertion = await askPasskey(await api.auth.passkeys.options.mutate());
    await enter(() => api.auth.passkeys.signIn.mutate({ assertion }));
  });
  if (!canUsePasskeys()) return null;
  return (
    <div className={classes.passkey}>
      <PasskeyButton size="lg" label={t('com_passkey_sign_in')} isBusy={isBusy} onClick={ask} />
      <FailureAlert sentence={failure} />
    </div>
  );
}
