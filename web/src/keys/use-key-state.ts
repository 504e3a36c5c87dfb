import { useEffect, useReducer } from 'react';
import { trpc } from '../trpc.ts';
import { findKey, stateOfKey, takesKey, type KeyState } from './key-state.ts';

/** The feed reports key changes from elsewhere; window focus also refetches. */
const OPTIONS = { staleTime: Infinity, refetchOnWindowFocus: 'always' as const };
/** The longest delay of a browser timer, in milliseconds. */
const TIMER_MAX_MS = 2 ** 31 - 1;

/** The key state of an endpoint; it updates by itself when the key expires. */
export function useKeyState(endpoint: string | undefined): KeyState {
  const endpoints = trpc.endpoints.list.useQuery(undefined, { staleTime: Infinity });
  const config = endpoint === undefined ? undefined : endpoints.data?.[endpoint];
  const isTaken = takesKey(config);
  const keys = trpc.keys.list.useQuery(undefined, { ...OPTIONS, enabled: isTaken });
  const key = isTaken && endpoint !== undefined ? findKey(keys.data, endpoint, config) : undefined;
  const now = useNowUntil(key?.expiresAt ?? null);

  if (!endpoints.data) return { status: endpoints.isError ? 'unknown' : 'loading' };
  if (!isTaken) return { status: 'unneeded' };
  if (!keys.data) return { status: keys.isError ? 'unknown' : 'loading' };
  return stateOfKey(key, now, keys.isFetching);
}

/** The current time, updated when `iso` has passed. */
function useNowUntil(iso: string | null): number {
  const [now, look] = useReducer(Date.now, 0, Date.now);
  useEffect(() => {
    const end = iso === null ? 0 : Date.parse(iso);
    if (end <= now) return;
    const timer = setTimeout(look, Math.min(Math.max(0, end - Date.now()), TIMER_MAX_MS));
    return () => clearTimeout(timer);
  }, [iso, now]);
  return now;
}
