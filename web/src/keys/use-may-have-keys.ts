import { trpc } from '../trpc.ts';
import { takesKey } from './key-state.ts';

/** Whether keys can be set here, or there are some from a time when they could. */
export function useMayHaveKeys(): boolean {
  const { data: endpoints } = trpc.endpoints.list.useQuery(undefined, { staleTime: Infinity });
  const isTaken = Object.values(endpoints ?? {}).some(takesKey);
  const { data: keys = [] } = trpc.keys.list.useQuery(undefined, {
    staleTime: Infinity,
    enabled: endpoints !== undefined && !isTaken,
  });
  return isTaken || keys.length > 0;
}
