import type { ProviderRow } from '@parley/schema/catalog/saved-providers';
import { trpc } from '../../trpc.ts';
import { useAdminAction } from '../use-admin-action.ts';
import { describeProviderError } from './describe-provider.ts';

/** Reads again what is offered, here at once; other pages are told. */
export function useRefreshOffer(): () => Promise<unknown> {
  const { admin, endpoints, presets } = trpc.useUtils();
  const queries = [admin.providers.list, endpoints.list, endpoints.models, endpoints.windows, endpoints.readiness];
  return () => Promise.all([...queries.map((query) => query.invalidate()), presets.specs.invalidate()]);
}

/** What can be done with a provider that is saved. A failure is told, and the list is read again. */
export function useProviderActions(rows: readonly ProviderRow[]) {
  const { providers } = trpc.useUtils().client.admin;
  const invalidate = useRefreshOffer();
  const { act, isBusy } = useAdminAction({ invalidate }, { describe: describeProviderError });
  const names = rows.flatMap(({ name, saved }) => (saved ? [name] : []));
  return {
    isBusy,
    setOn: (change: Parameters<typeof providers.setOn.mutate>[0]) => void act(() => providers.setOn.mutate(change)),
    remove: (ref: Parameters<typeof providers.remove.mutate>[0]) => void act(() => providers.remove.mutate(ref)),
    /** By one place, up (-1) or down (1). */
    move(name: string, by: -1 | 1): void {
      const at = names.indexOf(name);
      const other = names[at + by];
      if (at < 0 || other === undefined) return;
      void act(() => providers.order.mutate({ names: names.with(at, other).with(at + by, name) }));
    },
    canMove: (name: string, by: -1 | 1) => names[names.indexOf(name) + by] !== undefined && names.includes(name),
  };
}
