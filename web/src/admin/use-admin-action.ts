import type { TFunction } from 'i18next';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { describeError } from '../errors/describe-error.ts';
import { errorReason } from '../errors/error-reason.ts';
import { trpc } from '../trpc.ts';
import { showToast } from '../ui/toast/toast.ts';

export interface ActionOptions {
  describe?: (error: unknown, t: TFunction) => string;
  /** A refusal is `failure` instead of a toast. */
  isInPlace?: boolean;
}

/** What is read again after a change. */
export interface Changed {
  invalidate: () => Promise<unknown>;
}

/** Changes something of this server: `changed` and the audit log are read again, and a refusal is told. */
export function useAdminAction(changed: Changed, { describe = describeChangeError, isInPlace }: ActionOptions = {}) {
  const { t } = useTranslation();
  const { audit } = trpc.useUtils().admin;
  const [isBusy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<unknown>(null);
  const failure = refusal === null ? null : describe(refusal, t);
  /** Busy until what has changed is read. */
  return { act, isBusy, refusal, failure, forget: () => setRefusal(null) };

  async function act(call: () => Promise<unknown>): Promise<boolean> {
    setBusy(true);
    setRefusal(null);
    try {
      await call();
      return true;
    } catch (error) {
      if (isInPlace) setRefusal(error);
      else showToast({ message: describe(error, t), severity: 'error' });
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
