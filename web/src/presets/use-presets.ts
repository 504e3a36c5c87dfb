// Presets: named endpoint settings.
import type { Preset } from '@parley/schema/settings/presets';
import { useAtomValue } from 'jotai';
import { useEffect } from 'react';
import { session } from '../session/current-session.ts';
import { trpc } from '../trpc.ts';

export interface Presets {
  /** In menu order; undefined while loading. */
  presets: Preset[] | undefined;
  hasFailed: boolean;
  refetch: () => void;
}

/** The presets of the signed-in user; another user's list is refetched. `staleTime` is in milliseconds. */
export function usePresets(staleTime: number): Presets {
  const { user } = useAtomValue(session.state);
  const { data, isError, refetch } = trpc.presets.list.useQuery(undefined, { staleTime });
  const isForeign = data?.[0] !== undefined && data[0].user !== user?.id;
  useEffect(() => {
    if (isForeign) void refetch();
  }, [isForeign, refetch]);
  return { presets: isForeign ? undefined : data, hasFailed: isError, refetch: () => void refetch() };
}

/** The default preset of new chats; null if there is none or it fails to load, undefined while loading. */
export function useDefaultPreset(): Preset | null | undefined {
  const { presets, hasFailed } = usePresets(Infinity);
  if (!presets) return hasFailed ? null : undefined;
  return presets.find(({ isDefault }) => isDefault) ?? null;
}
