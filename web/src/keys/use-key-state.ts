import { useEffect, useReducer } from 'react';
import { trpc } from '../trpc.ts';
import { findKey, stateOfKey, takesKey, type KeyState } from './key-state.ts';

/** What becomes of keys elsewhere is heard in the feed, and looked for again by who comes back to the page. */
const OPTIONS = { staleTime: Infinity, refetchOnWindowFocus: 'always' as const };
/** The longest time that a browser's timer can wait, in milliseconds. */
const LONGEST_TIMER = 2 ** 31 - 1;

/** Whether an endpoint can be asked as far as keys go; it changes by itself when the key expires. */
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
  return stateOfKey(key, now);
}

/** The time as it was when it last mattered: it is looked at again when the given one has come. */
function useNowUntil(iso: string | null): number {
  const [now, look] = useReducer(Date.now, 0, Date.now);
  useEffect(() => {
    const end = iso === null ? 0 : Date.parse(iso);
    if (end <= now) return;
    const timer = setTimeout(look, Math.min(Math.max(0, end - Date.now()), LONGEST_TIMER));
    return () => clearTimeout(timer);
  }, [iso, now]);
  return now;
}
