import { useTranslation } from 'react-i18next';
import { trpc } from '../trpc.ts';
import { showToast } from '../ui/toast/toast.ts';
import { useShowError } from '../ui/toast/use-show-error.ts';

/** How long a list is shown without asking again, in milliseconds: other devices change it, too. */
const FRESH_MS = 10_000;

/** Own and shared prompts without their texts; undefined until loaded. */
export function usePrompts() {
  return trpc.prompts.list.useQuery(undefined, { staleTime: FRESH_MS });
}

/** Functions that change prompts; a toast shows what fails. */
export function useChangePrompts() {
  const { t } = useTranslation();
  const showError = useShowError();
  const { prompts } = trpc.useUtils();
  const options = {
    onSuccess: () => prompts.invalidate(),
    onError: showError,
  } as const;
  const { mutate: restore } = trpc.convos.restore.useMutation(options);
  const remove = trpc.prompts.remove.useMutation({
    ...options,
    onSuccess: (deletionId) => {
      const undo = deletionId ? { label: t('com_ui_undo'), run: () => restore({ deletionId }) } : null;
      showToast({
        message: t('com_prompts_removed'),
        severity: 'info',
        duration: 10_000,
        ...(undo && { action: undo }),
      });
      return prompts.invalidate();
    },
  });
  const { mutate: share } = trpc.prompts.share.useMutation(options);
  const { mutate: mark } = trpc.prompts.mark.useMutation(options);
  const add = trpc.prompts.import.useMutation(options);
  const restoreVersion = trpc.prompts.restoreVersion.useMutation(options);
  return { share, mark, restoreVersion, remove: remove.mutate, add: add.mutateAsync };
}
