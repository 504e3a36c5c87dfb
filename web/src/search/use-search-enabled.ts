import { trpc } from '../trpc.ts';

/** Whether the server can search. Yes until it says otherwise: most can, and nothing is to move when it has answered. */
export function useSearchEnabled(): boolean {
  return trpc.convos.searchEnabled.useQuery(undefined, { staleTime: Infinity }).data ?? true;
}
