import type { SavedKey } from '@parley/schema/accounts/keys';
import { trpc } from '../trpc.ts';

/**
 * Returns functions that update the cached keys right after a change. They also refetch the models, which may depend on
 * the keys.
 */
export function useKeyCache() {
  const { keys, endpoints } = trpc.useUtils();
  return {
    put: (saved: SavedKey) => change((known) => [...known.filter(({ name }) => name !== saved.name), saved]),
    drop: (name: string) => change((known) => known.filter((key) => key.name !== name)),
    dropAll: () => change(() => []),
  };

  function change(to: (known: SavedKey[]) => SavedKey[]): void {
    // A list that was asked for before the change must not arrive after it.
    void keys.list.cancel();
    keys.list.setData(undefined, (known = []) => to(known));
    void endpoints.models.invalidate();
    void endpoints.windows.invalidate();
  }
}
