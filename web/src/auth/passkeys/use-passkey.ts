import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { describePasskeyFailure } from './passkeys.ts';

/** Runs what a passkey is asked for, once at a time; `failure` is the sentence for what went wrong. */
export function usePasskey(run: () => Promise<unknown>) {
  const { t } = useTranslation();
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);

  async function ask(): Promise<void> {
    if (isBusy) return;
    setBusy(true);
    setFailure(null);
    await run().catch((error: unknown) => setFailure(describePasskeyFailure(error, t)));
    setBusy(false);
  }

  return { ask: () => void ask(), isBusy, failure };
}
