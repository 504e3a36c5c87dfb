import { useTranslation } from 'react-i18next';
import { describeError } from '../../errors/describe-error.ts';
import { errorReason } from '../../errors/error-reason.ts';
import { trpc } from '../../trpc.ts';
import { showToast } from '../../ui/toast/toast.ts';

/** Changes a budget: the list follows, and a refusal is said. */
export function useBudgetAction() {
  const { t } = useTranslation();
  const { admin } = trpc.useUtils();
  return async function act(call: () => Promise<unknown>): Promise<boolean> {
    try {
      await call();
      return true;
    } catch (error) {
      showToast({ message: sentenceOf(error), severity: 'error' });
      return false;
    } finally {
      void admin.usage.budgets.invalidate();
      void admin.audit.invalidate();
    }
  };

  function sentenceOf(error: unknown): string {
    switch (errorReason(error)?.type) {
      case 'conflict':
        return t('com_people_conflict');
      case 'invalid_input':
        return t('com_admin_budgets_no_person');
      default:
        return describeError(error, t);
    }
  }
}
