import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { describeError } from '../errors/describe-error.ts';
import { showToast } from '../ui/toast/toast.ts';

/** Runs one call of the builder at a time, and tells whether it worked. `failure` is the sentence of the last one, null if it worked. */
export function useAttempt() {
  const { t } = useTranslation();
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  return { isBusy, failure, attempt };

  async function attempt(call: () => Promise<void>, describe: (why: string) => string): Promise<boolean> {
    setBusy(true);
    setFailure(null);
    try {
      await call();
      return true;
    } catch (error) {
      const message = describe(describeError(error, t));
      setFailure(message);
      showToast({ message, severity: 'error', duration: 5_000 });
      return false;
    } finally {
      setBusy(false);
    }
  }
}
