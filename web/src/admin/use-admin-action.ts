import type { TFunction } from 'i18next';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { describeError } from '../errors/describe-error.ts';
import { errorReason } from '../errors/error-reason.ts';
import { trpc } from '../trpc.ts';
import { showToast } from '../ui/toast/toast.ts';

interface Options {
  describe?: (error: unknown, t: TFunction) => string;
  /** A refusal is `failure` instead of a toast. */
  isInPlace?: boolean;
}

/** Changes something of this server: `changed` and the audit log are read again, and a refusal is told. */
export function useAdminAction(
  changed: { invalidate: () => Promise<unknown> },
  { describe = describeChangeError, isInPlace = false }: Options = {},
) {
  const { t } = useTranslation();
  const { audit } = trpc.useUtils().admin;
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  /** Busy until what has changed is read. */
  return { act, isBusy, failure };

  async function act(call: () => Promise<unknown>): Promise<boolean> {
    setBusy(true);
    setFailure(null);
    try {
      await call();
      return true;
    } catch (error) {
      const message = describe(error, t);
      if (isInPlace) setFailure(message);
      else showToast({ message, severity: 'error' });
      return false;
    } finally {
      void Promise.allSettled([changed.invalidate(), audit.invalidate()]).then(() => setBusy(false));
    }
  }
}

/** A conflict is what somebody else has changed. */
export function describeChangeError(error: unknown, t: TFunction): string {
  return errorReason(error)?.type === 'conflict' ? t('com_people_conflict') : describeError(error, t);
}

/** Of a form with an email address, which is wrong where nobody has it. */
export function describeAddressError(error: unknown, t: TFunction): string {
  return errorReason(error)?.type === 'invalid_input'
    ? t('com_admin_budgets_no_person')
    : describeChangeError(error, t);
}
