import { useTranslation } from 'react-i18next';
import { describeError } from '../../errors/describe-error.ts';
import { trpc } from '../../trpc.ts';
import { showToast } from '../../ui/toast/toast.ts';

/** What an administrator does to a person: the lists follow, and a refusal is said. */
export function usePersonAction() {
  const { t } = useTranslation();
  const { admin } = trpc.useUtils();
  return async function act(call: () => Promise<unknown>): Promise<boolean> {
    try {
      await call();
      return true;
    } catch (error) {
      showToast({ message: describeError(error, t), severity: 'error' });
      return false;
    } finally {
      void admin.people.invalidate();
      void admin.audit.invalidate();
    }
  };
}
