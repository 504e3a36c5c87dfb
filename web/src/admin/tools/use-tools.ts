import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { onChange } from '../../feed/change-feed.ts';
import { trpc } from '../../trpc.ts';
import { showToast } from '../../ui/toast/toast.ts';
import { describeProviderError } from '../providers/describe-provider.ts';

/** All tools, which follow what other administrators do. */
export function useTools() {
  const utils = trpc.useUtils();
  useEffect(
    () =>
      onChange(({ type }) => {
        if (type === 'endpoints') void utils.admin.tools.list.invalidate();
      }),
    [utils],
  );
  return trpc.admin.tools.list.useQuery(undefined, { refetchOnMount: 'always' });
}

/** After a change; other pages are told. */
export function useReadTools(): () => Promise<void> {
  const { admin } = trpc.useUtils();
  return async () => {
    await Promise.all([admin.tools.list.invalidate(), admin.audit.invalidate()]);
  };
}

/** What can be done with a tool at once. A failure is told, and the list is read again. */
export function useToolActions() {
  const { t } = useTranslation();
  const after = {
    onError: (error: unknown) => showToast({ message: describeProviderError(error, t), severity: 'error' as const }),
    onSettled: useReadTools(),
  };
  const setOn = trpc.admin.tools.setOn.useMutation(after);
  const remove = trpc.admin.tools.remove.useMutation(after);
  return { isBusy: setOn.isPending || remove.isPending, setOn: setOn.mutate, remove: remove.mutate };
}
