import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { describeError } from '../../errors/describe-error.ts';
import { errorReason } from '../../errors/error-reason.ts';
import { trpc } from '../../trpc.ts';
import { showToast } from '../../ui/toast/toast.ts';

/** Changes groups: the lists follow, and a refusal is said. */
export function useGroupAction() {
  const { t } = useTranslation();
  const { admin } = trpc.useUtils();
  return async function act<T>(call: () => Promise<T>): Promise<{ value: T } | null> {
    try {
      return { value: await call() };
    } catch (error) {
      showToast({ message: describeGroupError(error, t), severity: 'error' });
      return null;
    } finally {
      void admin.groups.invalidate();
      void admin.audit.invalidate();
    }
  };
}

export function describeGroupError(error: unknown, t: TFunction): string {
  return errorReason(error)?.type === 'conflict' ? t('com_people_conflict') : describeError(error, t);
}
