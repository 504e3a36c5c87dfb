import type { SavedKey } from '@parley/schema/keys';
import { trpc } from '../trpc.ts';

/**
 * Returns functions that tell the rest of the page what has become of the keys, before it could ask. Which models there
 * are may depend on them.
 */
export function useKnownKeys() {
  const { keys, endpoints } = trpc.useUtils();
  return {
    put: (saved: SavedKey) => change((known) => [...known.filter(({ name }) => name !== saved.name), saved]),
    drop: (name: string) => change((known) => known.filter((key) => key.name !== name)),
    dropAll: () => change(() => []),
  };

  function change(to: (known: SavedKey[]) => SavedKey[]): void {
    keys.list.setData(undefined, (known = []) => to(known));
    void endpoints.models.invalidate();
    void endpoints.windows.invalidate();
  }
}
