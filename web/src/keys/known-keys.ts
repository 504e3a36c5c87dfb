import type { SavedKey } from '@parley/schema/keys';
import { trpc } from '../trpc.ts';

/** Returns functions that tell the rest of the page what has become of the keys, before it could ask. */
export function useKnownKeys() {
  const { list } = trpc.useUtils().keys;
  return {
    put: (saved: SavedKey) =>
      list.setData(undefined, (keys = []) => [...keys.filter(({ name }) => name !== saved.name), saved]),
    drop: (name: string) => list.setData(undefined, (keys = []) => keys.filter((key) => key.name !== name)),
    dropAll: () => list.setData(undefined, []),
  };
}
