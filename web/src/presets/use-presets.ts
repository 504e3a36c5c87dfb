// The presets room: whom and how to ask, under a name.
import type { Preset } from '@parley/schema/presets';
import { useAtomValue } from 'jotai';
import { useEffect } from 'react';
import { session } from '../auth/current.ts';
import { trpc } from '../trpc.ts';

export interface Presets {
  /** In the order of the menu; undefined until they are known. */
  presets: Preset[] | undefined;
  hasFailed: boolean;
  refetch: () => void;
}

/** The presets of who is signed in; a list that is somebody else's is read again. `staleTime` is in milliseconds. */
export function usePresets(staleTime: number): Presets {
  const { user } = useAtomValue(session.state);
  const { data, isError, refetch } = trpc.presets.list.useQuery(undefined, { staleTime });
  const isForeign = data?.[0] !== undefined && data[0].user !== user?.id;
  useEffect(() => {
    if (isForeign) void refetch();
  }, [isForeign, refetch]);
  return { presets: isForeign ? undefined : data, hasFailed: isError, refetch: () => void refetch() };
}
