import { trpc } from '../trpc.ts';
import { takesKey } from './key-state.ts';

/** Whether an endpoint is asked with a key of each user's own; false until that is known. */
export function useTakesKey(endpoint: string): boolean {
  const { data: endpoints } = trpc.endpoints.list.useQuery(undefined, { staleTime: Infinity });
  return takesKey(endpoints?.[endpoint]);
}
