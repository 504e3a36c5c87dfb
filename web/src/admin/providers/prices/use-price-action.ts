import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { describeError } from '../../../errors/describe-error.ts';
import { errorReason } from '../../../errors/error-reason.ts';
import { trpc } from '../../../trpc.ts';

/** Changes a price: the table follows, and a refusal is said, with what is typed kept. */
export function usePriceAction() {
  const { t } = useTranslation();
  const { admin } = trpc.useUtils();
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  return { act, isBusy, failure };

  async function act(call: () => Promise<unknown>): Promise<boolean> {
    if (isBusy) return false;
    setBusy(true);
    setFailure(null);
    try {
      await call();
      return true;
    } catch (error) {
      const isConflict = errorReason(error)?.type === 'conflict';
      setFailure(isConflict ? t('com_people_conflict') : describeError(error, t));
      return false;
    } finally {
      await Promise.all([admin.providers.prices.invalidate(), admin.audit.invalidate()]).catch(() => undefined);
      setBusy(false);
    }
  }
}
