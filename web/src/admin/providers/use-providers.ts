import type { ProviderRow } from '@parley/schema/catalog/saved-providers';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { onChange } from '../../feed/change-feed.ts';
import { trpc } from '../../trpc.ts';
import { showToast } from '../../ui/toast/toast.ts';
import { describeProviderError } from './describe-provider.ts';

/** All providers, which follow what other administrators do. */
export function useProviders() {
  const utils = trpc.useUtils();
  useEffect(
    () =>
      onChange(({ type }) => {
        if (type === 'endpoints') void utils.admin.providers.list.invalidate();
      }),
    [utils],
  );
  return trpc.admin.providers.list.useQuery(undefined, { refetchOnMount: 'always' });
}

/** Reads again what is offered, here at once; other pages are told. */
export function useRefreshOffer(): () => Promise<void> {
  const { admin, endpoints, presets } = trpc.useUtils();
  return async () => {
    const queries = [admin.providers.list, endpoints.list, endpoints.models, endpoints.windows, endpoints.readiness];
    await Promise.all([...queries.map((query) => query.invalidate()), presets.specs.invalidate()]);
  };
}

/** What can be done with a provider that is saved. A failure is told, and the list is read again. */
export function useProviderActions(rows: readonly ProviderRow[]) {
  const { t } = useTranslation();
  const refresh = useRefreshOffer();
  const after = {
    onError: (error: unknown) => showToast({ message: describeProviderError(error, t), severity: 'error' }),
    onSettled: refresh,
  };
  const setOn = trpc.admin.providers.setOn.useMutation(after);
  const remove = trpc.admin.providers.remove.useMutation(after);
  const order = trpc.admin.providers.order.useMutation(after);
  const names = rows.flatMap(({ name, saved }) => (saved ? [name] : []));
  return {
    isBusy: setOn.isPending || remove.isPending || order.isPending,
    setOn: setOn.mutate,
    remove: remove.mutate,
    /** By one place, up (-1) or down (1). */
    move(name: string, by: -1 | 1): void {
      const at = names.indexOf(name);
      const other = names[at + by];
      if (at < 0 || other === undefined) return;
      order.mutate({ names: names.with(at, other).with(at + by, name) });
    },
    canMove: (name: string, by: -1 | 1) => names[names.indexOf(name) + by] !== undefined && names.includes(name),
  };
}
