import { trpc } from '../trpc.ts';
import { takesKey } from './key-state.ts';

/** Whether keys of providers can be set here, or anything is saved that goes with them: values of plugins, sign-ins. */
export function useMayHaveKeys(): boolean {
  const { data: endpoints } = trpc.endpoints.list.useQuery(undefined, { staleTime: Infinity });
  const isTaken = Object.values(endpoints ?? {}).some(takesKey);
  const enabled = endpoints !== undefined && !isTaken;
  const { data: hasAny = false } = trpc.keys.hasAny.useQuery(undefined, { staleTime: 0, enabled });
  return isTaken || hasAny;
}
