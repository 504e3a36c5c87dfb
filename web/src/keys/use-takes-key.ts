import { trpc } from '../trpc.ts';
import { takesKey } from './key-state.ts';

/** Whether an endpoint takes a key from each user; false while loading. */
export function useTakesKey(endpoint: string): boolean {
  const { data: endpoints } = trpc.endpoints.list.useQuery(undefined, { staleTime: Infinity });
  return takesKey(endpoints?.[endpoint]);
}
