import { useTranslation } from 'react-i18next';
import { trpc } from '../trpc.ts';
import { useShowError } from '../ui/toast/use-show-error.ts';
import { useShowRemoved } from '../ui/toast/use-show-removed.ts';

/** How long a list is shown without asking again, in milliseconds: other devices change it, too. */
const FRESH_MS = 10_000;

/** Own and shared prompts without their texts; undefined until loaded. */
export function usePrompts() {
  return trpc.prompts.list.useQuery(undefined, { staleTime: FRESH_MS });
}

/** Functions that change prompts; a toast shows what fails. */
export function useChangePrompts() {
  const { t } = useTranslation();
  const { prompts } = trpc.useUtils();
  const reread = () => prompts.invalidate();
  const showRemoved = useShowRemoved(reread);
  const options = { onSuccess: reread, onError: useShowError() } as const;
  const { mutate: remove } = trpc.prompts.remove.useMutation({
    ...options,
    onSuccess: (deletionId) => {
      showRemoved(t('com_prompts_removed'), deletionId);
      return reread();
    },
  });
  const { mutate: share } = trpc.prompts.share.useMutation(options);
  const { mutate: mark } = trpc.prompts.mark.useMutation(options);
  const add = trpc.prompts.import.useMutation(options);
  return { share, mark, remove, add: add.mutateAsync };
}
