import { trpc } from '../../trpc.ts';
import { useShowError } from '../../ui/toast/use-show-error.ts';

/** What an administrator does to a person: the lists follow, and a refusal is said. */
export function usePersonAction() {
  const showError = useShowError();
  const { admin } = trpc.useUtils();
  return async function act(call: () => Promise<unknown>): Promise<boolean> {
    try {
      await call();
      return true;
    } catch (error) {
      showError(error);
      return false;
    } finally {
      void admin.people.invalidate();
      void admin.audit.invalidate();
    }
  };
}
